// A response on a socket that the HTTP server has released, because its request asked for an upgrade.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The connection ends when the response has been sent. */
export function responseOn(req: IncomingMessage, socket: Duplex): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket as Socket); // An HTTP server's sockets are Sockets.
  res.once('finish', () => {
    res.detachSocket(socket as Socket); // As above.
    socket.end();
  });
  return res;
}
