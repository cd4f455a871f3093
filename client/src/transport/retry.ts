// Decides whether and when a failed request is retried: never where that could make a write twice.
import type { RetryPolicy } from '../client-options.ts';
import type { MetadataError } from '../errors/metadata-error.ts';
import { RateLimitedError, UnavailableError } from '../errors/transport-errors.ts';

/**
 * `read` changes nothing. `idempotent` leaves the same state when repeated. `once` would fail, or do more,
 * the second time.
 */
export type Safety = 'read' | 'idempotent' | 'once';

const isBusy = (error: MetadataError): boolean =>
  error instanceof RateLimitedError || error instanceof UnavailableError;

function mayRepeat(safety: Safety, error: MetadataError, retryAfterSeconds: number | null): boolean {
  if (error instanceof UnavailableError && error.reached === 'no') return true;
  // rejected before any change
  if (error instanceof RateLimitedError && retryAfterSeconds !== null) return true;
  switch (safety) {
    case 'read':
      return isBusy(error);
    case 'idempotent':
      // The server named a delay, so it rejected the request and did not process it.
      return isBusy(error) && retryAfterSeconds !== null;
    case 'once':
      return false;
    default:
      return safety satisfies never;
  }
}

/**
 * Returns the delay before an attempt in milliseconds: it grows with each failed attempt, with jitter to
 * spread the clients.
 */
export const spread = ({ minDelayMs, maxDelayMs }: RetryPolicy, failed: number): number =>
  Math.min(minDelayMs * 2 ** (failed - 1), maxDelayMs) * (0.5 + Math.random() / 2);

/**
 * Returns the delay in milliseconds before the next attempt; null for no retry.
 * @param failed number of failed attempts
 */
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
      reject(signal?.reason as Error); // the caller's own reason
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
