// Defines the base class of the client's errors: message, code and request id.

/** Properties of an error beside its message. */
export interface ErrorInfo {
  /** A code of the platform's closed list (`NOT_FOUND`, `VALIDATION_FAILED`, …) or of the client. */
  readonly code?: string | undefined;
  /** The id of the failed request in the server's logs. */
  readonly requestId?: string | null | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** Base of all exceptions (docs/reference/metadata.md#client-exceptions). No error contains a credential. */
export class MetadataError extends Error {
  override name = 'MetadataError';
  /**
   * A code for decisions in programs: one of the platform's closed list, or `CONFIG`, `ADAPTER`,
   * `UNREACHABLE`, `TIMEOUT`, `LOCAL_VALIDATION`.
   */
  readonly code: string;
  /** Null where there was no response. */
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    { code = 'INTERNAL_ERROR', requestId = null, details = {}, cause }: ErrorInfo = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}
