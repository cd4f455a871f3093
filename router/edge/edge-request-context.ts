// One request's way through the stages: the context that REST APIs see, and what only the edge knows of it.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DomainError } from '../../platform/errors.ts';
import type { RequestContext, Match } from '../../platform/request-context.ts';
import type { Caller, Identity, Projects, Role } from '../../platform/identity.ts';

/** What an actor without a credential is, on routes that need none. */
export const NOBODY: Identity = { actor: 'anonymous', roles: [], projects: [] };

/** A caller whose abort signal is made only when somebody asks for it: most requests never do. */
class RequestCaller implements Caller {
  readonly actor: string;
  readonly roles: readonly Role[];
  readonly projects: Projects;
  declare readonly credential?: string;
  readonly requestId: string;
  declare readonly traceparent?: string;
  readonly #ctx: EdgeRequestContext;

  constructor(identity: Identity, ctx: EdgeRequestContext) {
    this.actor = identity.actor;
    this.roles = identity.roles;
    this.projects = identity.projects;
    this.requestId = ctx.requestId;
    if (identity.credential !== undefined) this.credential = identity.credential;
    if (ctx.traceparent !== undefined) this.traceparent = ctx.traceparent;
    this.#ctx = ctx;
  }

  get signal(): AbortSignal {
    return this.#ctx.signal;
  }
}

export class EdgeRequestContext implements RequestContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string = randomUUID();
  readonly startedAt: number = performance.now();
  readonly ip: string;
  readonly traceparent: string | undefined;
  /** Until the path is checked: what came, without its query. */
  path: string;
  search: string;
  template = 'none';
  caller: Caller;
  match: Match | undefined;
  bodyLimit: number;
  declare operationName?: string;
  /** What the credential proved; undefined until looked at, and where none was sent. */
  identity: Identity | undefined;
  /** Why the credential was refused. */
  refusal: DomainError | undefined;
  #abort: AbortController | undefined;
  #gone = false;

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    ip: string,
    traceparent: string | undefined,
    bodyLimit: number,
  ) {
    this.req = req;
    this.res = res;
    this.ip = ip;
    this.traceparent = traceparent;
    this.bodyLimit = bodyLimit;
    const url = req.url ?? '';
    const query = url.indexOf('?');
    this.path = query < 0 ? url : url.slice(0, query);
    this.search = query < 0 ? '' : url.slice(query + 1);
    this.caller = new RequestCaller(NOBODY, this);
  }

  actAs(identity: Identity): void {
    this.caller = new RequestCaller(identity, this);
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#gone) this.#abort.abort();
    return this.#abort.signal;
  }

  /** The client went away before it had its answer. */
  abandon(): void {
    this.#gone = true;
    this.#abort?.abort();
  }
}
