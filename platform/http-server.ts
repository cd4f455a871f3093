// Creates an HTTP server with limits against slow clients, many clients, and endless requests.
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Intake } from './intake/intake.ts';
import { hasBody } from './read-body.ts';

export type Listener = (req: IncomingMessage, res: ServerResponse) => void;

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

/** Creates a server, not yet listening, that calls `listener` for every request that `intake` admits. */
export function createHttpServer(
  intake: Intake,
  listener: Listener,
  options: { readonly requireHostHeader?: boolean; readonly maxHeaderSize?: number } = {},
): Server {
  const watched: Listener = (req, res) => {
    if (hasBody(req)) intake.expect(req, res);
    listener(req, res);
  };
  const server = http.createServer({ ...LIMITS, ...options }, watched);
  server.maxHeadersCount = NO_NUMBER;
  intake.guard(server);
  return server;
}
