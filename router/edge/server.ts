// The HTTP server, with limits against clients that are slow or speak oddly.
import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest } from '../../platform/errors.ts';
import { errorBody } from './answer-error.ts';
import { endEmptyBody, writeWholes } from './lean-exchange.ts';

type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** Milliseconds, but for the header size in bytes. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16_384 } as const;
/** As many as there is room for: Node drops those beyond a number without a word, and one of them may be the credential. */
const NO_NUMBER = 0;

/** What the parser refuses is answered like everything else; there is no request yet that an audit record could be of. */
function answerUnparsable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  const body = JSON.stringify(errorBody(badRequest(status.slice(4).toLowerCase()), requestId));
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`);
}

/** A server, not yet listening, on which `edge` answers every request. */
export function createEdgeServer(edge: Listener): Server {
  const listener: Listener = (req, res) => {
    endEmptyBody(req);
    edge(req, res);
  };
  const server = http.createServer({ ...LIMITS, requireHostHeader: false }, listener);
  server.maxHeadersCount = NO_NUMBER;
  server.on('connection', writeWholes);
  server.on('checkExpectation', listener);
  server.on('clientError', (error: Error & { code?: string }, socket) => answerUnparsable(error, socket as Socket)); // an HTTP server's sockets are Sockets
  return server;
}
