// Creates an HTTP server with limits against slow clients, many clients, and endless requests.
import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CountedRequest } from './intake/direct-reading.ts';
import type { Intake } from './intake/intake.ts';
import { hasBody } from './read-body.ts';

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * Milliseconds, except for the header size in bytes. The intake limits the duration of a body, because a
 * streamed body has no fixed end.
 */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
} as const;
/**
 * Unlimited number of headers: beyond a limit, Node silently drops headers, and one of them may be the
 * credential.
 */
const NO_NUMBER = 0;

/**
 * Requests of one connection that are answered at once: who sends more ahead (HTTP/1.1 pipelining) would have
 * as many at once as a read of a socket holds, which no other limit counts.
 */
const MAX_AHEAD = 64;
const ahead = new WeakMap<Socket, number>();

/** The first that is too many is told so, and with its answer the connection ends; the others are not answered. */
function refuseAhead(res: ServerResponse): void {
  const { socket } = res.req;
  if (ahead.get(socket) !== MAX_AHEAD + 1) return;
  socket.pause();
  const requestId = randomUUID();
  res.writeHead(429, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    'retry-after': '1',
    connection: 'close',
  });
  const message = `more than ${MAX_AHEAD} requests sent ahead on one connection`;
  res.end(JSON.stringify({ error: 'rate_limit_exceeded', message, request_id: requestId, details: {} }));
}

/** Creates a server, not yet listening, that calls `listener` for every request that `intake` admits. */
export function createHttpServer(
  intake: Intake,
  listener: RequestListener,
  options: { readonly requireHostHeader?: boolean; readonly maxHeaderSize?: number } = {},
): Server {
  const watched: RequestListener = (req, res) => {
    const { socket } = req;
    const before = ahead.get(socket) ?? 0;
    ahead.set(socket, before + 1);
    if (before >= MAX_AHEAD) return refuseAhead(res);
    res.once('close', () => {
      ahead.set(socket, (ahead.get(socket) ?? 1) - 1);
      if (!req.complete) intake.unwanted(req);
    });
    if (hasBody(req)) intake.expect(req, res);
    listener(req, res);
  };
  const server = http.createServer({ ...LIMITS, ...options, IncomingMessage: CountedRequest }, watched);
  server.on('checkExpectation', (req, res) => {
    server.emit('request', req, res);
  });
  server.maxHeadersCount = NO_NUMBER;
  intake.guard(server);
  return server;
}
