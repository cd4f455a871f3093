// The exceptions of the way to the server: who is asking, whether they may, whether it answers at all.
import { type ErrorInfo, MetadataError } from './metadata-error.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** No credential, or one that is not valid, has expired or was revoked. */
export class UnauthorizedError extends MetadataError {
  override name = 'UnauthorizedError';
}

/** The credential is good, but its roles or projects do not reach that far. */
export class ForbiddenError extends MetadataError {
  override name = 'ForbiddenError';
  /** The lowest role that would do, where the role is what is missing. */
  readonly requiredRole: string | null;
  /** The project that the caller is not in, where that is the reason. */
  readonly project: string | null;

  constructor(message: string, info: ErrorInfo = {}) {
    super(message, info);
    this.requiredRole = text(this.details['required_role']);
    this.project = text(this.details['project']);
  }
}

/** What is there already stands against it. */
export class ConflictError extends MetadataError {
  override name = 'ConflictError';
}

/** The entity has another version than `ifVersion` says: somebody was faster. */
export class PreconditionFailedError extends ConflictError {
  override name = 'PreconditionFailedError';
  /** The version it has, where the server tells. */
  readonly currentVersion: number | null;

  constructor(message: string, info: ErrorInfo = {}) {
    super(message, info);
    const { version } = this.details;
    this.currentVersion = typeof version === 'number' ? version : null;
  }
}

/** Too many requests; those sent again by the client itself included. */
export class RateLimitedError extends MetadataError {
  override name = 'RateLimitedError';
  /** Seconds to wait, as the server asks for; null where it does not. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null, info: ErrorInfo = {}) {
    super(message, { code: 'RATE_LIMIT_EXCEEDED', ...info });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether a request that failed may have done its work all the same. */
export type Reached = 'no' | 'unknown';

/** The server, or a component behind it, does not answer, or not in time. */
export class UnavailableError extends MetadataError {
  override name = 'UnavailableError';
  /** `no`: nothing was sent, so nothing has happened. `unknown`: a write may have been made; read before writing it again. */
  readonly reached: Reached;

  constructor(message: string, reached: Reached, info: ErrorInfo = {}) {
    super(message, { code: 'UNREACHABLE', ...info });
    this.reached = reached;
  }
}
