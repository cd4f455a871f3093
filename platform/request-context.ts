// Defines the context of one HTTP request: what the stages of the edge add to it, and what a REST API needs
// to respond to it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DomainError } from './errors.ts';
import type { Caller } from './identity.ts';
import type { Permission } from './permissions.ts';
import { isOneOf } from './is-one-of.ts';

/** The methods that a route can be registered for. HEAD is routed as GET. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];
export const isMethod = (method: string): method is Method => isOneOf(METHODS, method);

/** A response that carries the id of its request. */
export interface Answer extends ServerResponse {
  requestId?: string;
}

export interface RequestContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** The path used for routing, checked by the path stage: without query and trailing slash. */
  readonly path: string;
  /** The query string without `?`; may be empty. */
  readonly search: string;
  /** The client's address, taken from `X-Forwarded-For` where the peer is trusted. */
  readonly ip: string;
  /** Set by the authentication stage; on public routes it is the anonymous caller. */
  caller: Caller;
  /** On a public route: why the credential in the request was rejected. */
  readonly refusal?: DomainError | undefined;
  /** The route template for audit and metrics, e.g. `/api/v1/metadata/entities/{entity_id}`. */
  template: string;
  /** Maximum body size in bytes: the limit of the match, else `server.body_limit`. */
  readonly bodyLimit: number;
  /** For audit: the GraphQL operation's name, if any. */
  operationName?: string;
}

/** Handles one request. The edge responds to anything it throws in the gateway's error format. */
export type Handler = (ctx: RequestContext) => Promise<void> | void;

/** Takes the socket of a request that has been upgraded, with the first bytes that came over it. */
export type Upgraded = (socket: Duplex, head: Buffer) => void;

/** The target of a path, found before the role check and handled after it. */
export interface Match {
  readonly template: string;
  /** `public` needs no credential. */
  readonly access: Permission | 'public';
  readonly handle: Handler;
  /** Where it takes WebSockets: asks for the upgrade; undefined where it was refused, and has been answered. */
  readonly upgrade?: (ctx: RequestContext) => Promise<Upgraded | undefined>;
  /** A probe: nothing is looked up for it before, as rates and credentials are in the database. */
  readonly isProbe?: boolean;
  /** It may take as long as its client keeps sending or reading: its credential is looked at again meanwhile. */
  readonly isLong?: boolean;
  /** A file of a page, public and cached for long: pages of one address have many of them at once. */
  readonly isAsset?: boolean;
  /** No route has this path. */
  readonly isMissing?: boolean;
  /** It is for programs only. */
  readonly hasNoPage?: boolean;
  /** Body limit in bytes, where it differs from `server.body_limit`. */
  readonly bodyLimit?: number;
}

/**
 * A component's REST API. `match` receives the method and the path below the component's prefix
 * (`/entities/e1`). It always returns a match: for an unknown path or a wrong method, the match's handler
 * responds with that component's 404 or 405.
 */
export interface RestApi {
  readonly component: string;
  match(method: string, path: string): Match;
}
