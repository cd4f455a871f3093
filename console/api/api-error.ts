// Errors of the API in one form, with what to do about them.
import { isData } from './json.ts';

interface More {
  readonly advice?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override name = 'ApiError';
  /** In lower case, as in REST. */
  readonly code: string;
  readonly advice: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;

  constructor(code: string, message: string, { advice, details = {}, requestId, cause }: More = {}) {
    super(message, { cause });
    this.code = code;
    this.advice = advice ?? ADVICE[code];
    this.details = details;
    this.requestId = requestId;
  }
}

/** Anything thrown, as an error that can be shown. */
export const asApiError = (thrown: unknown): ApiError =>
  thrown instanceof ApiError
    ? thrown
    : new ApiError('console', thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });

const ADVICE: Readonly<Record<string, string>> = {
  missing_token: 'Sign in to go on.',
  invalid_token: 'Sign in again to go on.',
  insufficient_role: 'Your role does not allow this. An administrator can give you another.',
  project_scope_denied: 'This belongs to a project that you are not a member of.',
  precondition_failed: 'Somebody has changed it in the meantime. Look at the change, then edit again.',
  rate_limit_exceeded: 'Wait a few seconds, then try again.',
  component_unavailable: 'A component does not answer at the moment. See Administration, Health.',
  upstream_timeout: 'It took too long. Narrow the request, or try again.',
  internal_error: 'This is a fault of the server. Its log has more under the id of the request.',
};

interface GraphqlError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly requestId?: string;
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The error in an answer, in any of the API's forms; undefined without one. */
export function errorOf(status: number, answer: unknown): ApiError | undefined {
  if (isData(answer) && Array.isArray(answer['errors']) && answer['errors'].length > 0) {
    const [first, ...others] = answer['errors'] as readonly GraphqlError[]; // the form that GraphQL prescribes
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return new ApiError(
      (first?.extensions?.code ?? 'unknown').toLowerCase(),
      `${first?.message ?? 'The request failed'}${more}`,
      { details: first?.extensions?.details ?? {}, requestId: first?.extensions?.requestId },
    );
  }
  if (status < 400) return undefined;
  const body = isData(answer) ? answer : {};
  const { error, message, request_id: id, details } = body;
  const inner = isData(error) ? error : {};
  return new ApiError(
    typeof error === 'string' ? error : `http_${status}`,
    textOf(message) ?? textOf(inner['message']) ?? `The server answered ${status}.`,
    {
      details: isData(details) ? details : {},
      requestId: typeof id === 'string' ? id : undefined,
    },
  );
}
