// Sends one request over fetch, with a timeout and a signal. Resolves to the response, or throws an error
// that says whether the request may have reached the server.
import type { Fetch } from '../client-options.ts';
import { type Reached, UnavailableError } from '../errors/transport-errors.ts';

export interface Bounds {
  /** 0 for no timeout. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The maximum delay of timers, about 25 days. With a longer one they would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Node's error codes for connections that were never established. Browsers do not report a code; there it is
 * unknown.
 */
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
    `${origin} ${reached === 'no' ? 'cannot be reached' : 'did not respond'}${code === null ? '' : ` (${code})`}`,
    reached,
    { cause: thrown },
  );
}

/** Returns an AbortController that follows `signal`; `release` disconnects it. */
function following(signal: AbortSignal | undefined): {
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
 * Sends a request and passes the response to `read`, both within the timeout.
 * @throws the signal's reason; UnavailableError where there was no response, with code `TIMEOUT` after the
 * timeout
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
    timeoutMs === 0 || timeoutMs > MAX_TIMER_MS
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
      throw new UnavailableError(`${origin} did not respond within ${timeoutMs} ms`, 'unknown', {
        code: 'TIMEOUT',
      });
    throw unreachable(thrown, origin);
  } finally {
    clearTimeout(timer);
    release();
  }
}
