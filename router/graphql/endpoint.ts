// The GraphQL endpoint: one path for programs (POST, and GET for queries) and, where it is switched on, for browsers.
import { setMaxListeners } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { runWithin } from '../../platform/budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../../platform/budget/limits.ts';
import type { ComponentResult } from '../../platform/component.ts';
import { DEFAULT_LIMITS, type Limits } from '../../platform/config/limits-section.ts';
import { DomainError, type ErrorCode, masked } from '../../platform/errors.ts';
import type { Exchange } from '../../platform/exchange.ts';
import { ByteBudget } from '../../platform/intake/byte-budget.ts';
import { assertAllowed, assertMember } from '../../platform/permissions.ts';
import { hasRun } from '../../platform/result-text.ts';
import { acceptsEventStream, wantsEventStream } from '../../platform/send-event-stream.ts';
import type { OperationSpan } from '../../platform/tracing/tracing.ts';
import type { Credentials } from '../edge/credentials.ts';
import type { Route } from '../edge/routes.ts';
import type { Session } from '../edge/upgrade.ts';
import type { RouterOperation } from '../execution/prepare-operation.ts';
import type { Supergraph } from '../execution/supergraph.ts';
import { admit } from './admit.ts';
import { challengeOf, codesOf, refusalText, writeAnswer } from './answers.ts';
import { createApolloEngine, type HttpAnswer } from './apollo.ts';
import { createExplorer, wantsPage } from './explorer/explorer.ts';
import { answerEventStream, type EventStreams } from './event-stream.ts';
import { answerType, JSON_TYPE } from './media-type.ts';
import { type GraphqlRequest, readGet, readPost } from './read-request.ts';
import { Seats } from './seats.ts';
import { createWebSocketEndpoint } from './websocket.ts';
import { WebSocketLimits } from './websocket-limits.ts';

export interface GraphqlOptions {
  readonly supergraph: Supergraph;
  readonly log: Logger;
  /** Whether clients may ask for the schema. */
  readonly introspection: boolean;
  /** Whether browsers get a page to write queries on. */
  readonly explorer: boolean;
  /** What each operation may ask for and take. */
  readonly operationLimits?: OperationLimits;
  /** Most bytes of a request's body (contract 0: 10 MiB). */
  readonly bodyLimit: number;
  /** `server.limits`, and what the process's bodies and messages are counted in: the defaults, and a count of its own, where none are given. */
  readonly limits?: Limits | undefined;
  readonly bytes?: ByteBudget | undefined;
  /** By which connections that stay open are looked at again. */
  readonly credentials: Credentials;
  /** Calls back when some credential has ended, so that connections are looked at then; answers the way to stop. */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  /** Told the code of every refusal of an operation. */
  readonly onRefused?: ((code: ErrorCode) => void) | undefined;
  /** Begins the span of each operation on a WebSocket, below the connection's `traceparent`. */
  readonly beginSpan?: ((traceparent: string | undefined) => OperationSpan) | undefined;
  /** Milliseconds between two such looks, and between two signs of life to a silent reader. */
  readonly recheckMs?: number;
  readonly heartbeatMs?: number;
  /** Whether plain requests go past Apollo Server, as they do unless told otherwise; their answers are the same. */
  readonly shortcut?: boolean;
}

export interface GraphqlEndpoint {
  /** `/graphql` by POST and GET, and the explorer's assets: for the edge's table of own routes. */
  readonly routes: readonly Route[];
  /** Answers what speaks GraphQL over a WebSocket that the edge lets through. @throws DomainError `rate_limit_exceeded` */
  accept(session: Session): (socket: Duplex, head: Buffer) => void;
  /** Ends event streams and WebSockets, so that their clients go elsewhere; no more of them are taken. */
  closeStreams(): Promise<void>;
  close(): Promise<void>;
}

/** The answer's media type, where the answer can be written here. */
const plainType = ({ req }: Exchange): string | undefined =>
  req.method === 'POST' ? answerType(req) : undefined;

/** Tells of refusals inside an operation. */
function noted(result: ComponentResult, onRefused: (code: ErrorCode) => void): ComponentResult {
  if (result.errors !== undefined) for (const code of codesOf(result)) onRefused(code);
  return result;
}

/** What Apollo Server would do with an admitted operation: run it, write the answer. Its pipeline costs about as much again as the whole rest of a point read. */
async function runStraight(
  exchange: Exchange,
  operation: RouterOperation,
  { variables }: GraphqlRequest,
  { type, limits, onRefused }: Straight,
): Promise<void> {
  const { result, budget } = await runWithin(limits, exchange.caller, operation.kind === 'query', (caller) =>
    operation.run(variables, caller),
  );
  try {
    const written = writeAnswer(result, exchange.requestId, budget);
    const { result: told, text } = written instanceof Promise ? await written : written;
    noted(told, onRefused);
    send(exchange, statusOf(told), type, text);
  } finally {
    budget.closeWith(exchange.res);
  }
}

interface Straight {
  readonly type: string;
  readonly limits: OperationLimits;
  readonly onRefused: (code: ErrorCode) => void;
}

/** 200 for what has run, whatever went wrong in it; a refusal has the status of its code. */
function statusOf(result: ComponentResult): number {
  if (hasRun(result)) return 200;
  return codesOf(result)[0] === 'rate_limit_exceeded' ? 429 : 400;
}

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
    seats: new Seats(limits.streamsPerActor, 'streams'),
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

  const answer = async (exchange: Exchange, request: GraphqlRequest): Promise<void> => {
    const operation = admit(supergraph, introspection, operationLimits.cost, request, exchange);
    if (
      wantsEventStream(exchange.req) ||
      (operation.kind === 'subscription' && acceptsEventStream(exchange.req))
    )
      return answerEventStream(exchange, operation, request.variables, streams);
    const type = shortcut ? plainType(exchange) : undefined;
    if (type !== undefined)
      return runStraight(exchange, operation, request, { type, limits: operationLimits, onRefused });
    sendAnswer(
      exchange,
      await engine.answer(
        exchange,
        {
          ...operation,
          run: async (variables, caller) => noted(await operation.run(variables, caller), onRefused),
        },
        request,
      ),
    );
  };

  const guarded = async (
    exchange: Exchange,
    read: (exchange: Exchange) => GraphqlRequest | Promise<GraphqlRequest>,
  ): Promise<void> => {
    try {
      await answer(exchange, await read(exchange));
    } catch (thrown) {
      onRefused(refuse(exchange, thrown, log));
    }
  };

  return {
    routes: [
      {
        method: 'POST',
        path: '/graphql',
        access: 'authenticated',
        bodyLimit,
        handle: (exchange) => guarded(exchange, readPost),
      },
      {
        method: 'GET',
        path: '/graphql',
        access: explorer ? 'public' : 'authenticated', // the page is; a query is not
        handle: (exchange) => {
          if (explorer && wantsPage(exchange)) return explorer.page(exchange);
          assertKnown(exchange);
          return guarded(exchange, readGet);
        },
      },
      ...(explorer ? [explorer.assets] : []),
    ],
    accept: (session) => sockets.accept(session),
    async closeStreams() {
      closing.abort();
      await sockets.close();
    },
    close: () => engine.close(),
  };
}

/** What the edge asks of every route that is not public. @throws DomainError `missing_token`, …, `project_scope_denied` */
function assertKnown({ caller, refusal, req, search }: Exchange): void {
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

function send({ req, res }: Exchange, status: number, type: string, body: string | Buffer): void {
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}

function sendAnswer(exchange: Exchange, { status, headers, body }: HttpAnswer): void {
  for (const [name, value] of headers) exchange.res.setHeader(name, value);
  send(exchange, status, headers.get('content-type') ?? JSON_TYPE, body);
}

/** Answers the code of the refusal. */
function refuse(exchange: Exchange, thrown: unknown, log: Logger): ErrorCode {
  const refusal = masked(thrown);
  const { res, requestId } = exchange;
  if (refusal.code === 'internal_error')
    log.error({ err: refusal.cause, requestId }, 'unexpected error at the GraphQL endpoint');
  if (res.headersSent) {
    res.destroy();
    return refusal.code;
  }
  const challenge = challengeOf(refusal.status);
  if (challenge !== undefined) res.setHeader('www-authenticate', challenge);
  if (refusal.code === 'method_not_allowed') res.setHeader('allow', 'POST');
  send(exchange, refusal.status, answerType(exchange.req) ?? JSON_TYPE, refusalText(refusal, requestId));
  return refusal.code;
}
