// How long an access token may say that it lives: one that says more is not of those that are given out.

/** Seconds by which clocks may differ. */
const SKEW = 60;

/** Whether it lives longer than tokens do, from its issue or from now. All in seconds since the epoch, `longest` in seconds. */
export const livesTooLong = (
  { iat, exp = Infinity }: { readonly iat?: number | undefined; readonly exp?: number | undefined },
  longest: number,
  now = Date.now() / 1000,
): boolean => exp > now + longest + SKEW || (iat !== undefined && exp - iat > longest + SKEW);

/** The longest life that a configuration gives. */
export const longestLife = ({
  accessTokenSeconds,
  serviceTokenSeconds,
}: {
  readonly accessTokenSeconds: number;
  readonly serviceTokenSeconds: number;
}): number => Math.max(accessTokenSeconds, serviceTokenSeconds);
