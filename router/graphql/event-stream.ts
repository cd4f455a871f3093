// Answers a GraphQL request as server-sent events («GraphQL over SSE», distinct connections mode), for as long as its credential stands.
import type { Logger } from 'pino';
import type { ComponentResult } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Exchange } from '../../platform/exchange.ts';
import type { Caller } from '../../platform/identity.ts';
import { sendEventStream } from '../../platform/send-event-stream.ts';
import { type Credentials, identityBy } from '../edge/credentials.ts';
import { watchIdentity } from '../edge/watch-identity.ts';
import type { RouterOperation } from '../execution/prepare-operation.ts';
import { answerText, refusalText } from './answers.ts';
import type { Seats } from './seats.ts';

export interface EventStreams {
  readonly credentials: Credentials;
  readonly seats: Seats;
  /** Aborted when the server stops. */
  readonly closing: AbortSignal;
  readonly log: Logger;
  /** Calls back when some credential has ended; answers the way to stop. */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  readonly recheckMs?: number | undefined;
  readonly heartbeatMs?: number | undefined;
}

/** The caller with a signal of the stream's own. */
export const callerUntil = ({ actor, roles, projects, credential, requestId, traceparent }: Caller, signal: AbortSignal): Caller =>
  ({ actor, roles, projects, ...(credential === undefined ? {} : { credential }), requestId, ...(traceparent === undefined ? {} : { traceparent }), signal });

async function* once(result: Promise<ComponentResult>): AsyncGenerator<ComponentResult, void, undefined> {
  yield await result;
}

/** The results as texts; at the end of a credential, what ended it. */
async function* textsOf(results: AsyncIterable<ComponentResult>, requestId: string, refusal: () => DomainError | undefined): AsyncGenerator<string, void, undefined> {
  for await (const result of results) yield answerText(result, requestId);
  const ended = refusal();
  if (ended) yield refusalText(ended, requestId);
}

/**
 * Resolves when the stream is over. A stream of a server that stops has no `complete`: its reader comes back elsewhere.
 * @throws DomainError, before anything is sent, where the operation cannot begin
 */
export async function answerEventStream(exchange: Exchange, operation: RouterOperation, variables: Readonly<Record<string, unknown>>, streams: EventStreams): Promise<void> {
  const { req, res, caller, requestId } = exchange;
  const { credentials, seats, closing, log, onEnding, recheckMs, heartbeatMs } = streams;
  if (closing.aborted) throw new DomainError('component_unavailable', 'the server is stopping', { component: 'gateway', upstream_status: null });
  const gone = new AbortController();
  const end = (): void => { gone.abort(); };
  res.once('close', end);
  closing.addEventListener('abort', end, { once: true });
  const leave = seats.take(caller.actor);
  let refusal: DomainError | undefined;
  const unwatch = watchIdentity({
    identity: caller, verify: () => identityBy(req.headers, credentials),
    onEnd: (ended) => { refusal = ended; end(); },
    onFault: (err) => { log.warn({ err, requestId }, 'the credential of a stream could not be looked at again'); },
    onEnding, ...(recheckMs === undefined ? {} : { everyMs: recheckMs }),
  });
  try {
    const streamed = callerUntil(caller, gone.signal);
    const results = operation.subscribe ? await operation.subscribe(variables, streamed) : once(operation.run(variables, streamed));
    await sendEventStream(res, textsOf(results, requestId, () => refusal), { signal: closing, ...(heartbeatMs === undefined ? {} : { heartbeatMs }) });
  } finally {
    unwatch();
    leave();
    closing.removeEventListener('abort', end);
  }
}
