// What answering a row needs of those who serve it, whether as JSON or as a file.
import { TLSSocket } from 'node:tls';
import type { ComponentExtensions } from '../platform/component.ts';
import type { RequestContext } from '../platform/request-context.ts';
import type { Bound } from './binding.ts';
import type { Envelope } from './envelopes.ts';

/** The operation of a document, prepared once and cached by the router. */
export type Prepare = (document: string) => Bound;

export interface FailureExtra {
  readonly allow?: string;
  readonly extensions?: ComponentExtensions;
  readonly envelope?: Envelope;
}

/** Answers with an error. @throws DomainError that the edge answers */
export type Fail = (ctx: RequestContext, thrown: unknown, extra?: FailureExtra) => Promise<void>;

/**
 * The text of a request's header, by its lower-case name. A connection that this server itself has decrypted is like one of
 * which a proxy says so.
 */
export const headersOf =
  ({ req }: RequestContext) =>
  (name: string): string | undefined => {
    const isEncrypted = name === 'x-forwarded-proto' && req.socket instanceof TLSSocket;
    const value = req.headers[name] ?? (isEncrypted ? 'https' : undefined);
    return Array.isArray(value) ? value.join(', ') : value;
  };
