// Answers a GraphQL request as server-sent events («GraphQL over SSE», distinct connections mode), as long as
// its credential is valid.
import type { Logger } from 'pino';
import { Budget } from '../../platform/budget/budget.ts';
import { runWithin, withBudget } from '../../platform/budget/budgeted.ts';
import type { OperationLimits } from '../../platform/budget/limits.ts';
import { callerWith } from '../../platform/caller-with.ts';
import type { ComponentResult } from '../../platform/component.ts';
import { ClientGone, type DomainError } from '../../platform/errors.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { Caller } from '../../platform/identity.ts';
import { sendEventStream, type SentText } from '../../platform/send-event-stream.ts';
import { type Credentials, identityBy } from '../edge/identity/credentials.ts';
import { watchIdentity } from '../edge/identity/watch-identity.ts';
import type { RouterOperation } from '../execution/prepare-operation.ts';
import { refusalText, writeAnswer, writeEvent } from './answers.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';

export interface EventStreams {
  /** The limits of each operation, and of each event of a subscription. */
  readonly limits: OperationLimits;
  readonly credentials: Credentials;
  readonly seats: ConcurrencyLimits;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
  readonly log: Logger;
  /** Registers a callback for the end of any credential; returns a function that removes it. */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  readonly recheckMs?: number | undefined;
  readonly heartbeatMs?: number | undefined;
}

/** The one result of a query or mutation. */
async function* once(
  operation: RouterOperation,
  variables: Readonly<Record<string, unknown>>,
  caller: Caller,
  limits: OperationLimits,
): AsyncGenerator<string, void, undefined> {
  const { result, budget } = await runWithin(limits, caller, operation.kind === 'query', (budgeted) =>
    operation.run(variables, budgeted),
  );
  try {
    yield (await writeAnswer(result, caller.requestId, budget)).text.toString();
  } finally {
    budget.close();
  }
}

/** Each event within a budget of its own. */
async function* written(
  results: AsyncIterable<ComponentResult>,
  caller: Caller,
  limits: OperationLimits,
): AsyncGenerator<string, void, undefined> {
  for await (const result of results) yield (await writeEvent(result, caller, limits)).toString();
}

/** The texts; when the credential ends, its error. */
async function* textsOf(
  texts: AsyncIterable<string | SentText>,
  ending: () => string | undefined,
): AsyncGenerator<string | SentText, void, undefined> {
  yield* texts;
  const ended = ending();
  if (ended !== undefined) yield ended;
}

/** A stream without an event. */
const nothing: AsyncIterable<string> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
};

interface Streamed {
  readonly begin: (caller: Caller) => Promise<AsyncIterable<string | SentText>>;
  /** What tells that the credential has ended. */
  readonly refusal: (error: DomainError) => string;
}

/** With a budget for what it takes to begin, from which each event gets one of its own. */
export const budgeted = (caller: Caller, { limits }: Pick<EventStreams, 'limits'>): Caller =>
  withBudget(caller, new Budget(limits, caller, false));

/** The result of an operation, or the results of a subscription, each within a budget of its own. */
export const answerEventStream = (
  ctx: RequestContext,
  operation: RouterOperation,
  variables: Readonly<Record<string, unknown>>,
  streams: EventStreams,
): Promise<void> =>
  sendEvents(
    ctx,
    {
      begin: async (caller) =>
        operation.subscribe
          ? written(await operation.subscribe(variables, budgeted(caller, streams)), caller, streams.limits)
          : once(operation, variables, caller, streams.limits),
      refusal: (error) => refusalText(error, ctx.requestId),
    },
    streams,
  );

/**
 * Resolves when the stream is over. A stream of a stopping server has no `complete`, so that its client
 * reconnects.
 * @throws DomainError, before anything is sent, if it cannot begin
 */
export async function sendEvents(
  ctx: RequestContext,
  stream: Streamed,
  streams: EventStreams,
): Promise<void> {
  const { req, res, caller, requestId } = ctx;
  const { credentials, seats, closing, log, onEnding, recheckMs, heartbeatMs } = streams;
  // over a connection that was idle: a stream that says where to go, because browsers do not try again after an error
  if (closing.aborted) return sendEventStream(res, nothing, { signal: closing });
  const gone = new AbortController();
  const end = (): void => {
    gone.abort(new ClientGone());
  };
  res.once('close', end);
  closing.addEventListener('abort', end, { once: true });
  const leave = seats.take(caller.actor);
  let refusal: DomainError | undefined;
  const unwatch = watchIdentity({
    identity: caller,
    verify: () => identityBy(req.headers, credentials),
    onEnd: (ended) => {
      refusal = ended;
      end();
    },
    onFault: (err) => {
      log.warn({ err, requestId }, 'the credential of a stream could not be checked again');
    },
    onEnding,
    ...(recheckMs === undefined ? {} : { everyMs: recheckMs }),
  });
  try {
    const streamed = callerWith(caller, {}, () => gone.signal);
    const texts = await stream.begin(streamed);
    await sendEventStream(
      res,
      textsOf(texts, () => refusal && stream.refusal(refusal)),
      { signal: closing, ...(heartbeatMs === undefined ? {} : { heartbeatMs }) },
    );
  } finally {
    unwatch();
    leave();
    closing.removeEventListener('abort', end);
  }
}
