// One request over fetch, bounded in time, ended by a signal: an answer, or whether anything can have reached the server.
import type { Fetch } from '../client-options.ts';
import { type Reached, UnavailableError } from '../errors/transport-errors.ts';

export interface Bounds {
  /** 0 for any time. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The longest time that timers know, about 25 days; with a longer one they would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Codes of Node for connections that were never made. A browser does not tell; there it is unknown. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function codeOf(thrown: unknown): string | null {
  const cause: unknown = thrown instanceof Error ? thrown.cause : undefined;
  const code: unknown =
    typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : null;
}

function unreachable(thrown: unknown, origin: string): UnavailableError {
  const code = codeOf(thrown);
  const reached: Reached = code !== null && NEVER_CONNECTED.has(code) ? 'no' : 'unknown';
  return new UnavailableError(
    `${origin} ${reached === 'no' ? 'cannot be reached' : 'did not answer'}${code === null ? '' : ` (${code})`}`,
    reached,
    { cause: thrown },
  );
}

/** An AbortController that follows `signal`; `release` ends the following. */
export function following(signal: AbortSignal | undefined): {
  readonly controller: AbortController;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort(signal?.reason);
  };
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  return {
    controller,
    release: () => {
      signal?.removeEventListener('abort', abort);
    },
  };
}

/**
 * Sends a request and hands its answer to `read`, both within the time.
 * @throws the signal's reason; UnavailableError where no answer came, `TIMEOUT` where none came in time
 */
export async function attempt<Result>(
  send: Fetch,
  url: string,
  init: RequestInit,
  { timeoutMs, signal }: Bounds,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const { controller, release } = following(signal);
  let timedOut = false;
  const timer =
    timeoutMs === 0 || timeoutMs > LONGEST_TIMER_MS
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          controller.abort();
        }, timeoutMs);
  try {
    return await read(await send(url, { ...init, signal: controller.signal }));
  } catch (thrown) {
    signal?.throwIfAborted();
    const { origin } = new URL(url);
    if (timedOut)
      throw new UnavailableError(`${origin} did not answer within ${timeoutMs} ms`, 'unknown', {
        code: 'TIMEOUT',
      });
    throw unreachable(thrown, origin);
  } finally {
    clearTimeout(timer);
    release();
  }
}
