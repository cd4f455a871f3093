// The HTTP server: Express 5 without its per-request cost, and limits against clients that are slow or speak oddly.
import express from 'express';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest } from '../../platform/errors.ts';
import { errorBody } from './answer-error.ts';
import { endEmptyBody, writeWholes } from './lean-exchange.ts';
import { randomUUID } from 'node:crypto';

type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** Milliseconds, but for the header size in bytes. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 300_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16_384 } as const;
/** As many as there is room for: Node drops those beyond a number without a word, and one of them may be the credential. */
const NO_NUMBER = 0;

/**
 * Express gives every request and response a new prototype, which costs more than all else a small handler does.
 * Constructed with the application's prototypes, they have them already (design «Hot path» 4).
 */
function prototypes(app: express.Express) {
  function Request(this: IncomingMessage, socket: Socket): void {
    Reflect.apply(http.IncomingMessage as unknown as (socket: Socket) => void, this, [socket]); // a function, and made to be called so
  }
  function Response(this: ServerResponse, req: IncomingMessage, options: object): void {
    Reflect.apply(http.ServerResponse as unknown as (req: IncomingMessage, options: object) => void, this, [req, options]); // likewise
  }
  Request.prototype = app.request;
  Response.prototype = app.response;
  Object.setPrototypeOf(Request, http.IncomingMessage);
  Object.setPrototypeOf(Response, http.ServerResponse);
  return {
    IncomingMessage: Request as unknown as typeof http.IncomingMessage, // node:http only constructs it
    ServerResponse: Response as unknown as typeof http.ServerResponse<IncomingMessage>, // likewise
  };
}

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
  const app = express();
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  app.use((req, res) => {
    endEmptyBody(req);
    edge(req, res);
  });
  const server = http.createServer({ ...LIMITS, ...prototypes(app), requireHostHeader: false }, app);
  server.maxHeadersCount = NO_NUMBER;
  server.on('connection', writeWholes);
  server.on('checkExpectation', app);
  server.on('clientError', (error: Error & { code?: string }, socket) => answerUnparsable(error, socket as Socket)); // an HTTP server's sockets are Sockets
  return server;
}
