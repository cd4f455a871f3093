// Refuses requests that a proxy could interpret differently, before any other stage.
import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../../platform/errors.ts';
import { canonicalPath } from '../../../platform/canonical-path.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

/** Headers that must not occur twice, because it would be ambiguous which one counts. */
const SINGLE: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'x-api-key',
  'content-type',
  'content-length',
]);

/**
 * Whether all names have different lengths, so that none occurs twice; lengths that differ by 32 count as
 * equal.
 */
function differInLength(rawHeaders: readonly string[]): boolean {
  let lengths = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const bit = 1 << (rawHeaders[at] ?? '').length;
    if ((lengths & bit) !== 0) return false;
    lengths |= bit;
  }
  return true;
}

function assertSingle({ rawHeaders }: IncomingMessage): void {
  if (differInLength(rawHeaders)) return; // most requests: no name has to be compared
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) throw badRequest(`the header ${name} must be sent only once`);
    seen.add(name);
  }
}

/** Stage 0: request form, headers and path. @throws DomainError `invalid_request` */
export function checkRequest(ctx: EdgeRequestContext): void {
  const { req } = ctx;
  assertSingle(req);
  const isOld = req.httpVersionMajor === 1 && req.httpVersionMinor === 0;
  const { host, upgrade, expect, 'transfer-encoding': coding } = req.headers;
  if (host === undefined && !isOld) throw badRequest('the Host header is required');
  if (coding !== undefined && isOld) throw badRequest('HTTP/1.0 does not support Transfer-Encoding');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw badRequest('the only supported transfer coding is chunked');
  if (upgrade !== undefined && /(?:^|[\s,])h2c(?:$|[\s,])/i.test(upgrade))
    throw badRequest('upgrading to h2c is not supported');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw badRequest('this value of the Expect header is not supported');
  ctx.path = canonicalPath(ctx.path);
}
