// The base of every error that the client throws on purpose: what went wrong, by which word, in which request.

/** What an error says beside its message. */
export interface ErrorInfo {
  /** A word of the platform's closed list (`NOT_FOUND`, `VALIDATION_FAILED`, …) or of the client's own. */
  readonly code?: string | undefined;
  /** The request at fault, as the server's logs name it. */
  readonly requestId?: string | null | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** Base of all exceptions (spec 2 «Errors»). No error holds a credential. */
export class MetadataError extends Error {
  override name = 'MetadataError';
  /** A word to decide by: of the platform's closed list, or `CONFIG`, `ADAPTER`, `UNREACHABLE`, `TIMEOUT`, `LOCAL_VALIDATION`. */
  readonly code: string;
  /** Null where no server has answered. */
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
