// Limits the lifetime that an access token may claim: no token with a longer one was issued here.

/** Tolerated clock difference in seconds. */
const SKEW = 60;

/**
 * Whether a token lives longer than the maximum, counted from its issue or from now. Times are seconds since
 * the epoch, `longest` is in seconds.
 */
export const livesTooLong = (
  { iat, exp = Infinity }: { readonly iat?: number | undefined; readonly exp?: number | undefined },
  longest: number,
  now = Date.now() / 1000,
): boolean => exp > now + longest + SKEW || (iat !== undefined && exp - iat > longest + SKEW);

/** Returns the longest configured lifetime. */
export const longestLife = ({
  accessTokenSeconds,
  serviceTokenSeconds,
}: {
  readonly accessTokenSeconds: number;
  readonly serviceTokenSeconds: number;
}): number => Math.max(accessTokenSeconds, serviceTokenSeconds);
