// One request on its way through the edge: what the stages learn of it, and what a face needs to answer it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DomainError } from './errors.ts';
import type { Caller } from './identity.ts';
import type { Permission } from './permissions.ts';

/** Those that something may be registered for; HEAD is asked for as GET. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];
export const isMethod = (method: string): method is Method => (METHODS as readonly string[]).includes(method);

/** An answer on its way, which knows what it answers. */
export interface Answer extends ServerResponse {
  requestId?: string;
}

export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** The path as it is routed: no query, no trailing slash, checked by the path stage. */
  readonly path: string;
  /** The query string without `?`, possibly empty. */
  readonly search: string;
  /** Client address, after `X-Forwarded-For` of trusted peers. */
  readonly ip: string;
  /** Set by the authentication stage; public routes have the anonymous caller. */
  caller: Caller;
  /** On a public route: why the credential that came with the request was refused. */
  readonly refusal?: DomainError | undefined;
  /** For audit and metrics: the route's template, e.g. `/api/v1/metadata/entities/{entity_id}`. */
  template: string;
  /** Most bytes of body that may be read: the match's limit, else `server.body_limit`. */
  readonly bodyLimit: number;
  /** For audit: the GraphQL operation's name where there is one. */
  operationName?: string;
}

/** Answers one request. Whatever it throws is answered by the edge in the gateway's error shape. */
export type Handler = (exchange: Exchange) => Promise<void> | void;

/** What a path leads to, found before the role check and handled after it. */
export interface Match {
  readonly template: string;
  /** `public` needs no credential. */
  readonly access: Permission | 'public';
  readonly handle: Handler;
  /** Body limit in bytes, where it differs from `server.body_limit`. */
  readonly bodyLimit?: number;
}

/**
 * A component's REST face. `match` gets the method and the path below the component's prefix (`/entities/e1`).
 * It always answers: an unknown path or wrong method is a match whose handler gives that component's 404 or 405.
 */
export interface Face {
  readonly component: string;
  match(method: string, path: string): Match;
}
