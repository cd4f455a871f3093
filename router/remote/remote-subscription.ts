// Subscriptions of a component in another process: server-sent events, each subscription on a connection of
// its own.
import { Pool } from 'undici';
import { limitsHeader } from '../../platform/budget/limits-header.ts';
import type { ComponentResult } from '../../platform/component.ts';
import { DomainError, errorCodeOf } from '../../platform/errors.ts';
import { type Caller, identityHeaders } from '../../platform/identity.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';
import { readEventStream, type SentEvent } from '../../platform/read-event-stream.ts';
import { failed, type RemoteAnswer, type Unavailable } from './read-answer.ts';
import { isObject } from '../../platform/json-object.ts';

export interface RemoteStreamOptions {
  readonly name: string;
  readonly origin: string;
  readonly path: string;
  readonly timeoutMs: number;
  readonly sign: SignIdentity;
  /** Reads the component's answer and sanitises its errors. */
  readonly read: (answer: RemoteAnswer) => Promise<ComponentResult>;
  readonly unavailable: Unavailable;
}

/** Milliseconds of silence after which a component counts as unavailable: several of its heartbeats. */
const SILENCE = 45_000;

/** Converts a refusal to the component's original error. */
function thrownOf({ errors }: ComponentResult, otherwise: DomainError): DomainError {
  const [error] = errors ?? [];
  const code = errorCodeOf(error?.extensions?.['code']);
  if (error === undefined || code === undefined) return otherwise;
  const details = error.extensions?.['details'];
  return new DomainError(code, error.message, isObject(details) ? details : {});
}

export function createRemoteStreams({
  name,
  origin,
  path,
  timeoutMs,
  sign,
  read,
  unavailable,
}: RemoteStreamOptions) {
  const pool = new Pool(origin, {
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: SILENCE,
    connect: { timeout: timeoutMs },
  });

  async function* results(
    events: AsyncIterable<SentEvent>,
    caller: Caller,
  ): AsyncGenerator<ComponentResult, void, undefined> {
    try {
      for await (const { event, data } of events) {
        if (event === 'complete') return;
        if (event === 'next') yield await read({ status: 200, text: data });
      }
      throw new Error('the stream ended without a final event');
    } catch (fault) {
      if (caller.signal?.aborted === true) return;
      yield failed(unavailable(null, fault));
    }
  }

  return {
    async subscribe(
      source: string,
      variables: Readonly<Record<string, unknown>>,
      caller: Caller,
      operationName?: string,
    ): Promise<AsyncIterable<ComponentResult>> {
      const body = JSON.stringify({
        query: source,
        variables,
        ...(operationName === undefined ? {} : { operationName }),
      });
      const response = await pool
        .request({
          path,
          method: 'POST',
          body,
          signal: caller.signal ?? null,
          headers: {
            ...identityHeaders(caller, await sign(caller, name)),
            ...limitsHeader(caller.budget?.remaining),
            'content-type': 'application/json',
            accept: 'text/event-stream',
          },
        })
        .catch((fault: unknown) => {
          throw unavailable(null, fault);
        });
      const { statusCode: status, headers, body: sent } = response;
      if (status === 200 && String(headers['content-type']).startsWith('text/event-stream'))
        return results(readEventStream(sent), caller);
      throw thrownOf(await read({ status, text: await sent.text() }), unavailable(status));
    },
    close: () => pool.destroy(),
  };
}
