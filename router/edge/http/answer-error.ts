// Answers a request with an error in the gateway's shape (docs/reference/api-conventions.md#gateway-error,
// docs/reference/api-conventions.md#challenges for the headers).
import type { ServerResponse } from 'node:http';
import { type DomainError, type ErrorDetails } from '../../../platform/errors.ts';

const REALM = 'Bearer realm="cairn"';

/** RFC 6750, 3.1 has two codes for what the gateway distinguishes by `error` in the body. */
function challenge(status: number, metadata: string | undefined): string | undefined {
  if (status === 401)
    return `${REALM}, error="invalid_token"${metadata === undefined ? '' : `, resource_metadata="${metadata}"`}`;
  return status === 403 ? `${REALM}, error="insufficient_scope"` : undefined;
}

/**
 * The top-level members of `component_unavailable`
 * (docs/reference/api-conventions.md#unavailable-components).
 */
const unavailability = ({
  component = null,
  upstream_status = null,
}: ErrorDetails): Record<string, unknown> => ({ component, upstream_status });

/** The error as a response body. */
export const errorBody = (error: DomainError, requestId: string): Record<string, unknown> => ({
  error: error.code,
  message: error.message,
  request_id: requestId,
  details: error.details,
  ...(error.code === 'component_unavailable' ? unavailability(error.details) : {}),
});

/**
 * Sends the error; if the response has begun already, closes the connection.
 * @param metadata address of the resource's metadata (RFC 9728)
 */
export function answerError(
  res: ServerResponse,
  error: DomainError,
  requestId: string,
  metadata?: string,
): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(error, requestId));
  res.statusCode = error.status;
  res.removeHeader('content-encoding');
  res.removeHeader('etag');
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(body));
  res.setHeader('cache-control', 'no-store');
  const authenticate = challenge(error.status, metadata);
  if (authenticate !== undefined) res.setHeader('www-authenticate', authenticate);
  if ((error.status === 429 || error.status === 503) && !res.hasHeader('retry-after'))
    res.setHeader('retry-after', '1');
  res.end(body);
}
