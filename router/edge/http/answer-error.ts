// Answers a request with an error in the gateway's shape (docs/reference/api-conventions.md#gateway-error).
import type { ServerResponse } from 'node:http';
import { type DomainError, type ErrorDetails } from '../../../platform/errors.ts';
import { adviseRetry, challengeOf } from './refusal-headers.ts';

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

/** Clients of GA4GH read other members (docs/reference/api-conventions.md#drs-answers). */
const BELOW_DRS = /^(?:\/api\/v1\/metadata)?\/ga4gh\/drs\/v1\//;

/** OAuth clients, too (docs/reference/gateway.md#oauth-errors). */
const OAUTH = /^\/api\/v1\/gateway\/auth\/(?:token(?:\/\w+)?|device)$/;

/** What clients of other protocols read of an error, beside the gateway's members. */
function membersFor(path: string, { message, status }: DomainError): Record<string, unknown> {
  if (BELOW_DRS.test(path)) return { msg: message, status_code: status };
  return OAUTH.test(path) ? { error_description: message } : {};
}

/**
 * Sends the error; if the response has begun already, closes the connection.
 * @param metadata address of the resource's metadata (RFC 9728)
 * @param path of the request
 */
export function answerError(
  res: ServerResponse,
  error: DomainError,
  requestId: string,
  metadata?: string,
  path = '',
): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = JSON.stringify({ ...errorBody(error, requestId), ...membersFor(path, error) });
  res.statusCode = error.status;
  res.removeHeader('content-encoding');
  res.removeHeader('etag');
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(body));
  res.setHeader('cache-control', 'no-store');
  const authenticate = challengeOf(error.status, metadata);
  if (authenticate !== undefined) res.setHeader('www-authenticate', authenticate);
  adviseRetry(res, error.status);
  res.end(body);
}
