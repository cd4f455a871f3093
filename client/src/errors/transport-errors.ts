// Defines the exceptions for authentication, authorization, conflicts, rate limits and availability.
import { type ErrorInfo, MetadataError } from './metadata-error.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The request has no credential, or one that is invalid, expired or revoked. */
export class UnauthorizedError extends MetadataError {
  override name = 'UnauthorizedError';
}

/** The credential is valid, but its roles or projects are not sufficient. */
export class ForbiddenError extends MetadataError {
  override name = 'ForbiddenError';
  /** The lowest sufficient role, where a role is missing. */
  readonly requiredRole: string | null;
  /** The project, where the caller is not a member of it. */
  readonly project: string | null;

  constructor(message: string, info: ErrorInfo = {}) {
    super(message, info);
    this.requiredRole = text(this.details['required_role']);
    this.project = text(this.details['project']);
  }
}

/** The request conflicts with existing data. */
export class ConflictError extends MetadataError {
  override name = 'ConflictError';
}

/** The entity's version differs from `ifVersion`: another write came first. */
export class PreconditionFailedError extends ConflictError {
  override name = 'PreconditionFailedError';
  /** The entity's current version, where the server reports it. */
  readonly currentVersion: number | null;

  constructor(message: string, info: ErrorInfo = {}) {
    super(message, info);
    const { version } = this.details;
    this.currentVersion = typeof version === 'number' ? version : null;
  }
}

/** Too many requests, including the client's own retries. */
export class RateLimitedError extends MetadataError {
  override name = 'RateLimitedError';
  /** Seconds to wait, as requested by the server; null where it does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null, info: ErrorInfo = {}) {
    super(message, { code: 'RATE_LIMIT_EXCEEDED', ...info });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether a failed request may have taken effect. */
export type Reached = 'no' | 'unknown';

/** The server, or a component behind it, does not respond, or not in time. */
export class UnavailableError extends MetadataError {
  override name = 'UnavailableError';
  /**
   * `no`: nothing was sent, so nothing was changed. `unknown`: a write may have been made; read before
   * repeating it.
   */
  readonly reached: Reached;

  constructor(message: string, reached: Reached, info: ErrorInfo = {}) {
    super(message, { code: 'UNREACHABLE', ...info });
    this.reached = reached;
  }
}
