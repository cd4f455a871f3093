// An HTTP server with limits against clients that are slow, that come in numbers, and that send without end.
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Intake } from './intake/intake.ts';
import { hasBody } from './read-body.ts';

export type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** Milliseconds, but for the header size in bytes. How long a body may take is the intake's to say: one that is streamed on has no end. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
} as const;
/** As many as there is room for: Node drops those beyond a number without a word, and one of them may be the credential. */
const NO_NUMBER = 0;

/** A server, not yet listening, on which `listener` answers every request that `intake` lets in. */
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
