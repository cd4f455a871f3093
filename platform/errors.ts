// Defines the error codes and how each API reports them: HTTP status, GraphQL code, REST code.
import { storeProblem } from './store-away.ts';

/**
 * All error codes that may cross a service boundary, with the HTTP status that REST clients receive. Sources:
 * docs/reference/api-conventions.md#error-codes, docs/reference/gateway.md#oauth-errors, RFC 6749, RFC 8628.
 * The GraphQL code (`extensions.code`) is the same word in capitals.
 */
export const STATUS_BY_CODE = {
  invalid_request: 400,
  missing_token: 401,
  invalid_token: 401,
  expired_token: 401,
  revoked_token: 401,
  insufficient_role: 403,
  project_scope_denied: 403,
  signature_invalid: 403,
  not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  misdirected_request: 421,
  validation_failed: 422,
  locked: 423,
  rate_limit_exceeded: 429,
  checksum_mismatch: 460,
  internal_error: 500,
  component_unavailable: 503,
  runner_unavailable: 503,
  upstream_timeout: 504,
} as const;

export type ErrorCode = keyof typeof STATUS_BY_CODE;

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(STATUS_BY_CODE, code);

/** `not_found` → `NOT_FOUND`, as in the `extensions.code` of a GraphQL error. */
export const graphqlCode = (code: ErrorCode): string => code.toUpperCase();

/** The inverse of {@link graphqlCode}; undefined for an unknown code. */
export function errorCodeOf(code: unknown): ErrorCode | undefined {
  const lower = typeof code === 'string' ? code.toLowerCase() : undefined;
  return isErrorCode(lower) ? lower : undefined;
}

/**
 * Details of an error that the caller may see beside its message: `details` in REST, `extensions.details` in
 * GraphQL.
 */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The only error that is thrown deliberately. Any other error is an internal error: its message is hidden
 * from clients, and it is logged with its cause.
 */
export class DomainError extends Error {
  override name = 'DomainError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return STATUS_BY_CODE[this.code];
  }

  /** graphql-js copies the `extensions` of a thrown error, so services need no knowledge of GraphQL. */
  get extensions(): { code: string; details?: ErrorDetails } {
    const code = graphqlCode(this.code);
    return Object.keys(this.details).length > 0 ? { code, details: this.details } : { code };
  }
}

export const notFound = (what: string, id: string): DomainError =>
  new DomainError('not_found', `${what} not found: ${id}`);
export const invalid = (message: string, details?: ErrorDetails): DomainError =>
  new DomainError('validation_failed', message, details);
export const badRequest = (message: string, details?: ErrorDetails): DomainError =>
  new DomainError('invalid_request', message, details);
/** Why work is ended whose caller has gone. Nobody reads it, and it is no fault that belongs into the log. */
export class ClientGone extends DomainError {
  constructor() {
    super('invalid_request', 'the client has disconnected');
  }
}

/**
 * A write was sent to `component`, and nobody said what has become of it (docs/reference/api-conventions.md#unknown-outcomes).
 */
export const outcomeUnknown = (component: string, status: number | null, cause: unknown): DomainError =>
  new DomainError(
    'component_unavailable',
    `${component === 'store' ? 'the store' : `the component ${component}`} gave no answer: what was to be written may have been written, or not`,
    { component, upstream_status: status, outcome: 'unknown' },
    { cause },
  );

/**
 * Converts anything thrown to the error that a caller sees: a DomainError is unchanged, an unreachable store
 * becomes `component_unavailable`, anything else becomes `internal_error` without its message.
 */
export function masked(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  const problem = storeProblem(thrown);
  if (problem !== undefined)
    return new DomainError(
      'component_unavailable',
      problem,
      { component: 'store', upstream_status: null },
      { cause: thrown },
    );
  return new DomainError('internal_error', 'internal error', {}, { cause: thrown });
}
