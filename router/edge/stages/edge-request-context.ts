// The context of one request in the stages: the part that REST APIs see, and the edge's own.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf } from '../../../platform/caller-with.ts';
import { ClientGone, type DomainError } from '../../../platform/errors.ts';
import { AS_OF_HEADER, prefersBasis } from '../../../platform/past/one-instant.ts';
import type { RequestContext, Match } from '../../../platform/request-context.ts';
import type { Caller, Identity } from '../../../platform/identity.ts';

/** The identity of callers without a credential, on routes that need none. */
const NOBODY: Identity = { actor: 'anonymous', roles: [], projects: [] };

function requestCaller(identity: Identity, ctx: EdgeRequestContext): Caller {
  const { [AS_OF_HEADER]: asOf, prefer } = ctx.req.headers;
  return callerOf(
    identity,
    {
      requestId: ctx.requestId,
      traceparent: ctx.traceparent,
      asOf: typeof asOf === 'string' ? asOf : undefined,
      wantsBasis: prefer !== undefined && prefersBasis(prefer) ? true : undefined,
    },
    () => ctx.signal,
  );
}

export class EdgeRequestContext implements RequestContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string = randomUUID();
  readonly startedAt: number = performance.now();
  readonly ip: string;
  readonly traceparent: string | undefined;
  /** Until the path is checked: the raw path without its query. */
  path: string;
  search: string;
  template = 'none';
  caller: Caller;
  match: Match | undefined;
  bodyLimit: number;
  declare operationName?: string;
  /** The identity of the credential; undefined before the check, and without a credential. */
  identity: Identity | undefined;
  /** The error of a refused credential. */
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
    this.caller = requestCaller(NOBODY, this);
  }

  actAs(identity: Identity): void {
    this.caller = requestCaller(identity, this);
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#gone) this.#abort.abort(new ClientGone());
    return this.#abort.signal;
  }

  /** Its credential has ended while it was worked on. */
  end(refusal: DomainError): void {
    this.#abort ??= new AbortController();
    this.#abort.abort(refusal);
  }

  /** The client disconnected before it was answered. */
  abandon(): void {
    this.#gone = true;
    this.#abort?.abort(new ClientGone());
  }
}
