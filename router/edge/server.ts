// The edge's HTTP server: requests that it cannot parse get an answer in the edge's error shape.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, DomainError } from '../../platform/errors.ts';
import { createHttpServer, type RequestListener } from '../../platform/http-server.ts';
import type { Intake } from '../../platform/intake/intake.ts';
import { sliced } from '../../platform/turns.ts';
import { errorBody } from './http/answer-error.ts';
import { endEmptyBody, writeWholes } from './http/node-http-fast-path.ts';

const STATUS_OF: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers requests that the parser refuses; they have no audit record, because there is no request yet. */
function answerUnparsable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const status = STATUS_OF[error.code ?? ''] ?? '400 Bad Request';
  const message = status.slice(4).toLowerCase();
  const body = JSON.stringify(
    errorBody(
      status.startsWith('408') ? new DomainError('request_timeout', message) : badRequest(message),
      requestId,
    ),
  );
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Requests whose answer has not had its turn: Node reports late ones again and again. */
const refused = new WeakSet<Socket>();
const answerInTurn = sliced(([error, socket]: Parameters<typeof answerUnparsable>) => {
  answerUnparsable(error, socket);
});

/** Thousands of unfinished heads are late at one time. */
function refuse(error: Error & { code?: string }, socket: Socket): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  void answerInTurn([error, socket]);
}

/** Creates a server, not yet listening, on which `edge` answers every request. */
export function createEdgeServer(intake: Intake, edge: RequestListener): Server {
  const server = createHttpServer(
    intake,
    (req, res) => {
      endEmptyBody(req);
      edge(req, res);
    },
    { requireHostHeader: false },
  ); // A stage validates it.
  server.on('connection', writeWholes);
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    refuse(error, socket as Socket); // An HTTP server's sockets are Sockets.
  });
  return server;
}
