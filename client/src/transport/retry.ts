// Whether a request that failed may be sent again, and when: never where a write could be made twice.
import type { RetryPolicy } from '../client-options.ts';
import type { MetadataError } from '../errors/metadata-error.ts';
import { RateLimitedError, UnavailableError } from '../errors/transport-errors.ts';

/**
 * `read` changes nothing. `idempotent` may be made twice and leaves what making it once leaves. `once` would fail, or do more,
 * the second time.
 */
export type Safety = 'read' | 'idempotent' | 'once';

const isBusy = (error: MetadataError): boolean =>
  error instanceof RateLimitedError || error instanceof UnavailableError;

function mayRepeat(safety: Safety, error: MetadataError, retryAfterSeconds: number | null): boolean {
  if (error instanceof UnavailableError && error.reached === 'no') return true;
  if (error instanceof RateLimitedError && retryAfterSeconds !== null) return true; // refused before anything was done
  switch (safety) {
    case 'read':
      return isBusy(error);
    case 'idempotent':
      return isBusy(error) && retryAfterSeconds !== null; // the server has said when, so it has refused it, not lost it
    case 'once':
      return false;
    default:
      return safety satisfies never;
  }
}

/** Milliseconds before an attempt, longer with each that has failed, with jitter: not all come back at once. */
export const spread = ({ minDelayMs, maxDelayMs }: RetryPolicy, failed: number): number =>
  Math.min(minDelayMs * 2 ** (failed - 1), maxDelayMs) * (0.5 + Math.random() / 2);

/** Milliseconds to wait before the next attempt; null for none. @param failed how many attempts have failed */
export function delayBefore(
  policy: RetryPolicy,
  safety: Safety,
  failed: number,
  error: MetadataError,
  retryAfterSeconds: number | null,
): number | null {
  if (failed > policy.attempts || !mayRepeat(safety, error, retryAfterSeconds)) return null;
  const asked = (retryAfterSeconds ?? 0) * 1000;
  return asked > policy.maxDelayMs ? null : Math.max(asked, spread(policy, failed));
}

/** @throws the signal's reason */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error); // whatever the caller gave as the reason
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
