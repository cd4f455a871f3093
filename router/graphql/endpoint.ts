// The GraphQL endpoint: one path for programs (POST, and GET for queries) and, if enabled, for browsers.
import { setMaxListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../../platform/budget/limits.ts';
import { DEFAULT_LIMITS, type Limits } from '../../platform/config/limits-section.ts';
import { DomainError, type ErrorCode } from '../../platform/errors.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ByteBudget } from '../../platform/intake/byte-budget.ts';
import { assertAllowed, assertMember } from '../../platform/permissions.ts';
import { hasRun } from '../../platform/result-text.ts';
import { acceptsEventStream, type SendEvents, wantsEventStream } from '../../platform/send-event-stream.ts';
import type { OperationSpan } from '../../platform/tracing/tracing.ts';
import type { Credentials } from '../edge/identity/credentials.ts';
import type { Route } from '../edge/http/routes.ts';
import type { Session } from '../edge/upgrade.ts';
import type { RouterOperation } from '../execution/prepare-operation.ts';
import type { Supergraph } from '../execution/supergraph.ts';
import { admit } from './admit.ts';
import { type ApolloEngine, createApolloEngine } from './apollo.ts';
import { createExplorer, type Explorer, wantsPage } from './explorer/explorer.ts';
import { answerTable } from './answer-table.ts';
import { answerEventStream, budgeted, type EventStreams, sendEvents } from './event-stream.ts';
import { accepted } from './media-type.ts';
import { type GraphqlRequest, readGet, readPost } from './read-request.ts';
import { noted, plainType, runStraight } from './run-straight.ts';
import { refuse, sendAnswer, shownStatus } from './send.ts';
import { ConcurrencyLimits } from './concurrency-limits.ts';
import { createWebSocketEndpoint } from './websocket.ts';
import { WebSocketLimits } from './websocket-limits.ts';

export interface GraphqlOptions {
  readonly supergraph: Supergraph;
  readonly log: Logger;
  /** Whether clients may read the schema. */
  readonly introspection: boolean;
  /** Whether browsers get the explorer. */
  readonly explorer: boolean;
  /** The limits of each operation. */
  readonly operationLimits?: OperationLimits;
  /** Maximum bytes of a request's body (docs/reference/api-conventions.md#body-limits). */
  readonly bodyLimit: number;
  /** `server.limits`, and the account of the process's bodies and messages; defaults if absent. */
  readonly limits?: Limits | undefined;
  readonly bytes?: ByteBudget | undefined;
  /** Checks the credentials of connections that stay open. */
  readonly credentials: Credentials;
  /**
   * Registers a callback for the end of any credential, which triggers a check; returns a function that
   * removes it.
   */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  /** Receives the code of every refusal inside an operation. */
  readonly onRefused?: ((code: ErrorCode) => void) | undefined;
  /** Begins the span of each operation on a WebSocket, below the connection's `traceparent`. */
  readonly beginSpan?: ((traceparent: string | undefined) => OperationSpan) | undefined;
  /** Milliseconds between two such checks, and between two keep-alive messages. */
  readonly recheckMs?: number;
  readonly heartbeatMs?: number;
  /** Whether plain requests bypass Apollo Server, which is the default; their answers are the same. */
  readonly shortcut?: boolean;
}

export interface GraphqlEndpoint {
  /** `/graphql` by POST and GET, and the explorer's assets: for the edge's table of own routes. */
  readonly routes: readonly Route[];
  /**
   * Handles a WebSocket connection that the edge has admitted.
   * @throws DomainError `rate_limit_exceeded`
   */
  accept(session: Session): (socket: Duplex, head: Buffer) => void;
  /** Streams of events elsewhere in the API: counted, watched and ended with those of operations. */
  readonly sendEvents: SendEvents;
  /** Ends event streams and WebSockets, so that their clients reconnect elsewhere; new ones are refused. */
  closeStreams(): Promise<void>;
  close(): Promise<void>;
}

interface Answering {
  readonly supergraph: Supergraph;
  readonly introspection: boolean;
  readonly operationLimits: OperationLimits;
  readonly engine: ApolloEngine;
  readonly streams: EventStreams;
  readonly shortcut: boolean;
  readonly onRefused: (code: ErrorCode) => void;
}

/** Admits a request's operation, and answers it as an event stream, directly, or through Apollo Server. */
const answering =
  ({ supergraph, introspection, operationLimits, engine, streams, shortcut, onRefused }: Answering) =>
  async (ctx: RequestContext, request: GraphqlRequest): Promise<void> => {
    const operation = await admit(supergraph, introspection, operationLimits.cost, request, ctx);
    if (wantsEventStream(ctx.req) || (operation.kind === 'subscription' && acceptsEventStream(ctx.req)))
      return answerEventStream(ctx, operation, request.variables, streams);
    const { table: format } = ctx.req.method === 'POST' ? accepted(ctx.req) : {};
    if (format !== undefined)
      return answerTable(ctx, operation, request, { format, limits: operationLimits, onRefused });
    const type = shortcut ? plainType(ctx) : undefined;
    if (type !== undefined)
      return runStraight(ctx, operation, request, { type, limits: operationLimits, onRefused });
    let isRefused = false;
    const run: RouterOperation['run'] = async (variables, caller) => {
      const result = noted(await operation.run(variables, caller), onRefused);
      isRefused = !hasRun(result);
      return result;
    };
    const told = await engine.answer(ctx, { ...operation, run }, request);
    sendAnswer(ctx, isRefused ? { ...told, status: shownStatus(ctx, told.status) } : told);
  };

/** Reads a request and answers it, or refuses it. */
type Guarded = (
  ctx: RequestContext,
  read: (ctx: RequestContext) => GraphqlRequest | Promise<GraphqlRequest>,
) => Promise<void>;

const routesOf = (bodyLimit: number, guarded: Guarded, explorer: Explorer | undefined): readonly Route[] => [
  {
    method: 'POST',
    path: '/graphql',
    heedsInstant: true,
    access: 'authenticated',
    bodyLimit,
    handle: (ctx) => guarded(ctx, readPost),
  },
  {
    method: 'GET',
    path: '/graphql',
    heedsInstant: true,
    access: explorer ? 'public' : 'authenticated', // the page is public; a query is not
    ...(explorer ? {} : { hasNoPage: true }),
    handle: (ctx) => {
      if (explorer && wantsPage(ctx)) return explorer.page(ctx);
      assertKnown(ctx);
      return guarded(ctx, readGet);
    },
  },
  ...(explorer ? [explorer.assets] : []),
];

export async function createGraphqlEndpoint(options: GraphqlOptions): Promise<GraphqlEndpoint> {
  const {
    supergraph,
    log,
    introspection,
    bodyLimit,
    operationLimits = DEFAULT_OPERATION_LIMITS,
    limits = DEFAULT_LIMITS,
    bytes = new ByteBudget(() => limits),
    credentials,
    onEnding,
    onRefused = () => undefined,
    beginSpan,
    recheckMs,
    heartbeatMs,
    shortcut = true,
  } = options;
  const engine = await createApolloEngine(supergraph, log, operationLimits);
  const explorer = options.explorer ? createExplorer() : undefined;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // one for each stream
  const streams: EventStreams = {
    limits: operationLimits,
    credentials,
    seats: new ConcurrencyLimits(limits.streamsPerActor, 'streams'),
    closing: closing.signal,
    log,
    onEnding,
    recheckMs,
    heartbeatMs,
  };
  const sockets = createWebSocketEndpoint({
    operationLimits,
    supergraph,
    introspection,
    log,
    bodyLimit,
    limits: new WebSocketLimits(limits, bytes),
    seats: streams.seats,
    onEnding,
    onRefused,
    beginSpan,
    recheckMs,
    heartbeatMs,
  });

  const answer = answering({
    supergraph,
    introspection,
    operationLimits,
    engine,
    streams,
    shortcut,
    onRefused,
  });
  const guarded: Guarded = async (ctx, read) => {
    let request: GraphqlRequest | undefined;
    try {
      request = await read(ctx);
      await answer(ctx, request);
    } catch (thrown) {
      onRefused(refuse(ctx, thrown, request !== undefined, log));
    }
  };

  return {
    routes: routesOf(bodyLimit, guarded, explorer),
    accept: (session) => sockets.accept(session),
    sendEvents: (ctx, { begin, refusal }) =>
      sendEvents(ctx, { begin: (caller) => begin(budgeted(caller, streams)), refusal }, streams),
    async closeStreams() {
      closing.abort();
      await sockets.close();
    },
    close: () => engine.close(),
  };
}

/**
 * The edge's checks of every route that is not public.
 * @throws DomainError `missing_token`, …, `project_scope_denied`
 */
function assertKnown({ caller, refusal, req, search }: RequestContext): void {
  if (caller.roles.length === 0)
    throw (
      refusal ??
      new DomainError(
        'missing_token',
        'a credential is required: Authorization: Bearer <token> or X-Api-Key: <key>',
      )
    );
  assertAllowed(caller, 'authenticated');
  const named = [req.headers['x-project'], ...new URLSearchParams(search).getAll('project')];
  for (const project of named) if (typeof project === 'string') assertMember(caller, project);
}
