// Why a WES service could not be used, and whether it may work again by itself.

/** A failed request to the service; `status` is null without a response. */
export class WesFault extends Error {
  override name = 'WesFault';
  readonly status: number | null;
  /** When the service asks to be asked again; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    status: number | null,
    { retryAfterMs = null, ...options }: ErrorOptions & { readonly retryAfterMs?: number | null } = {},
  ) {
    super(message, options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Too many runs or requests of ours: the service is well, and takes more later. */
export const isFull = (fault: unknown): fault is WesFault =>
  fault instanceof WesFault && fault.status === 429;

/**
 * The service does not answer, is restarted or overloaded, or refuses a credential that has expired and that
 * its operator can replace.
 */
export const mayRecover = (fault: unknown): fault is WesFault =>
  fault instanceof WesFault &&
  (fault.status === null || fault.status >= 500 || fault.status === 401 || fault.status === 408);

const MAX_RETRY_AFTER_MS = 10 * 60_000;

/** Seconds or a date (RFC 9110, 10.2.3); null where it tells nothing, or no wait: then the caller's own pause holds. */
export function retryAfterOf(headers: Headers): number | null {
  const told = headers.get('retry-after')?.trim() ?? '';
  const ms = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - Date.now();
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, MAX_RETRY_AFTER_MS);
}
