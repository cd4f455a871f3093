// Stage 1: a request with a valid credential counts for its actor, any other for its address, files of pages apart
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

/** Files that a page may have: what an address may ask for in pages without them, it may with them. */
const ASSETS_OF_A_PAGE = 40;

/** What a request counts for. */
interface Counted {
  readonly policy: 'actor' | 'ip';
  readonly key: string;
  readonly rate: Rate;
}

function countedFor({ match, identity, ip }: EdgeRequestContext, { perIp, perActor }: RateLimits): Counted {
  if (match?.isAsset === true) {
    const rate = {
      perSecond: perIp.perSecond * ASSETS_OF_A_PAGE,
      burst: perIp.burst * ASSETS_OF_A_PAGE,
    };
    return { policy: 'ip', key: `assets ${addressKey(ip)}`, rate };
  }
  return identity === undefined
    ? { policy: 'ip', key: `ip ${addressKey(ip)}`, rate: perIp }
    : { policy: 'actor', key: `actor ${identity.actor}`, rate: perActor };
}

function take(ctx: EdgeRequestContext, limits: RateLimits): void | Promise<void> {
  const { policy, key, rate } = countedFor(ctx, limits);
  const verdict = limits.limiter.take(key, rate);
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
