// The headers of refusals (docs/reference/api-conventions.md#challenges).
import type { ServerResponse } from 'node:http';

const REALM = 'Bearer realm="cairn"';

/**
 * `WWW-Authenticate` of a refusal; undefined if it has none. RFC 6750, 3.1 has two codes for what the gateway
 * distinguishes by `error` in the body.
 * @param metadata address of the resource's metadata (RFC 9728)
 */
export function challengeOf(status: number, metadata?: string): string | undefined {
  if (status === 401)
    return `${REALM}, error="invalid_token"${metadata === undefined ? '' : `, resource_metadata="${metadata}"`}`;
  return status === 403 ? `${REALM}, error="insufficient_scope"` : undefined;
}

/** What may be tried again says when, unless the refusal knows better. */
export function adviseRetry(res: ServerResponse, status: number): void {
  if ((status === 429 || status === 503) && !res.hasHeader('retry-after')) res.setHeader('retry-after', '1');
}
