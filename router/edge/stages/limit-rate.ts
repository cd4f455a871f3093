// Stage 1: a request with a valid credential counts for its actor, any other for its address
// (docs/reference/gateway.md#rate-limits).
import type { ServerResponse } from 'node:http';
import { DomainError } from '../../../platform/errors.ts';
import { addressKey } from '../../../platform/intake/address-key.ts';
import type { Rate, RateLimits, Verdict } from '../rate-limits/rate-limiter.ts';
import type { Edge } from './edge-options.ts';
import { identify } from './identify.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

function refuse(res: ServerResponse, policy: 'actor' | 'ip', rate: Rate, verdict: Verdict): never {
  const { perSecond, burst } = rate;
  const { remaining, retryAfter } = verdict;
  const seconds = Math.max(1, retryAfter);
  res.setHeader('retry-after', String(seconds));
  res.setHeader('ratelimit', `"${policy}";r=${Math.max(0, remaining)};t=${seconds}`);
  res.setHeader('ratelimit-policy', `"${policy}";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`);
  throw refusalOf(rate, verdict);
}

/** The response headers for an exceeded limit. */
export const refusalOf = ({ perSecond }: Rate, { retryAfter }: Verdict): DomainError => {
  const seconds = Math.max(1, retryAfter);
  return new DomainError(
    'rate_limit_exceeded',
    `more than ${perSecond} requests per second; retry in ${seconds} s`,
    { limit: perSecond, retry_after: seconds },
  );
};

function take(ctx: EdgeRequestContext, limits: RateLimits): void | Promise<void> {
  const { identity } = ctx;
  const policy = identity === undefined ? 'ip' : 'actor';
  const rate = identity === undefined ? limits.perIp : limits.perActor;
  const verdict = limits.limiter.take(
    identity === undefined ? `ip ${addressKey(ctx.ip)}` : `actor ${identity.actor}`,
    rate,
  );
  if (verdict instanceof Promise) {
    return verdict.then((late) => {
      if (!late.allowed) refuse(ctx.res, policy, rate, late);
    });
  }
  if (!verdict.allowed) refuse(ctx.res, policy, rate, verdict);
}

/**
 * @throws DomainError `rate_limit_exceeded`, with `Retry-After`, `RateLimit` and `RateLimit-Policy` on the
 * answer
 */
export function limitRate(ctx: EdgeRequestContext, { rateLimits, credentials }: Edge): void | Promise<void> {
  if (rateLimits === undefined || ctx.match?.isProbe === true) return;
  const identified = identify(ctx, credentials);
  return identified === undefined ? take(ctx, rateLimits) : identified.then(() => take(ctx, rateLimits));
}
