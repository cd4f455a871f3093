// Calls the router over HTTP as the service of the token, if the workflow runs in its own process.
import { setTimeout as sleep } from 'node:timers/promises';
import { ACTING_HEADER, actingText } from '../../platform/acting.ts';
import { DomainError, errorCodeOf } from '../../platform/errors.ts';
import { detailsOf, type ExecuteAs } from './deps.ts';
import type { ServiceToken } from './service-token.ts';

export interface AskRouterOptions {
  readonly url: string;
  readonly token: ServiceToken;
  readonly timeoutMs: number;
}

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: unknown; readonly details?: unknown };
  }[];
  /** The edge's errors are not GraphQL. */
  readonly error?: unknown;
  readonly message?: unknown;
}

const MAX_WAIT_SECONDS = 10;
const MAX_WAITS = 20;

const unavailable = (status: number | null, cause?: unknown): DomainError =>
  new DomainError(
    'component_unavailable',
    'the router cannot be reached',
    { component: 'router', upstream_status: status },
    { cause },
  );

function read(status: number, { data, errors, error, message }: Answer): Record<string, unknown> {
  const [first] = errors ?? [];
  if (first)
    throw new DomainError(
      errorCodeOf(first.extensions?.code) ?? 'internal_error',
      first.message,
      detailsOf(first.extensions?.details),
    );
  if (status >= 500) throw unavailable(status);
  if (!data)
    throw new DomainError(
      errorCodeOf(error) ?? 'internal_error',
      typeof message === 'string' ? message : `the router returned status ${status}`,
    );
  return data;
}

/** Renews a refused token once, and waits for a rate limit. @throws as {@link Execute} */
export function askRouter({ url, token, timeoutMs }: AskRouterOptions): ExecuteAs {
  return (acting, cause) => async (query, variables, signal) => {
    const body = JSON.stringify({ query, variables });
    for (let waits = 0, renewed = false; ;) {
      const bearer = await token.get();
      const late = AbortSignal.timeout(timeoutMs);
      let response: Response;
      let answer: Answer;
      try {
        response = await fetch(`${url}/graphql`, {
          method: 'POST',
          body,
          redirect: 'error',
          signal: signal ? AbortSignal.any([signal, late]) : late,
          headers: {
            authorization: `Bearer ${bearer}`,
            [ACTING_HEADER]: actingText(acting, cause),
            'content-type': 'application/json',
            accept: 'application/json',
          },
        });
        answer = (await response.json()) as Answer; // An invalid answer is handled as an error.
      } catch (cause) {
        signal?.throwIfAborted();
        throw late.aborted
          ? new DomainError('upstream_timeout', `the router took longer than ${timeoutMs} ms`, {}, { cause })
          : unavailable(null, cause);
      }
      if (response.status === 401 && !renewed) {
        token.refused(bearer);
        renewed = true;
      } else if (response.status === 429 && waits++ < MAX_WAITS) {
        await sleep(
          Math.min(Number(response.headers.get('retry-after') ?? 1) || 1, MAX_WAIT_SECONDS) * 1000,
          undefined,
          signal ? { signal } : {},
        );
      } else {
        return read(response.status, answer);
      }
    }
  };
}
