// Reads a response: GraphQL's format, the gateway's error format, or neither.
import { AdapterError, ConfigError } from '../errors/errors.ts';
import { type Fault, isRecord } from '../errors/map-fault.ts';
import { UnavailableError } from '../errors/transport-errors.ts';

/** A response's status, full text and relevant headers. */
export interface HttpAnswer {
  readonly status: number;
  readonly isRedirect: boolean;
  readonly location: string | null;
  readonly text: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

export interface GraphqlAnswer {
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Empty where there was no error. */
  readonly faults: readonly Fault[];
  readonly warnings: readonly string[];
}

function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? null : Math.max(0, (until - Date.now()) / 1000);
}

export const readHttp = async (response: Response): Promise<HttpAnswer> => ({
  status: response.status,
  isRedirect: response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400),
  location: response.headers.get('location'),
  text: await response.text(),
  requestId: response.headers.get('x-request-id'),
  retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
});

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

function graphqlFault(error: unknown, { requestId, retryAfterSeconds }: HttpAnswer): Fault {
  const { message, extensions } = recordOf(error);
  const { code, details, requestId: named } = recordOf(extensions);
  return {
    message: typeof message === 'string' ? message : 'the server gives no reason',
    code: typeof code === 'string' ? code : 'INTERNAL_ERROR',
    details: recordOf(details),
    requestId: typeof named === 'string' ? named : requestId,
    retryAfterSeconds,
  };
}

/**
 * Reads an error of the gateway itself (docs/reference/api-conventions.md#gateway-error): `{error, message,
 * request_id, details}`.
 */
function gatewayFault(
  body: Readonly<Record<string, unknown>>,
  { requestId, retryAfterSeconds }: HttpAnswer,
): Fault | null {
  const { error, message, details } = body;
  if (typeof error !== 'string' || typeof message !== 'string') return null;
  return { message, code: error.toUpperCase(), details: recordOf(details), requestId, retryAfterSeconds };
}

const PLAIN: Readonly<Record<number, { readonly code: string; readonly does: string }>> = {
  413: { code: 'PAYLOAD_TOO_LARGE', does: 'does not accept a request of this size' },
  429: { code: 'RATE_LIMIT_EXCEEDED', does: 'limits the rate of requests' },
};
const UNAVAILABLE = new Set([502, 503, 504]);

/**
 * @throws ConfigError for a redirect, UnavailableError where a proxy reports it, AdapterError where the
 * response does not come from the platform
 */
export function readGraphql(answer: HttpAnswer, url: string): GraphqlAnswer {
  const { status, text, requestId } = answer;
  if (answer.isRedirect)
    throw new ConfigError(
      `${url} redirects${answer.location === null ? '' : ` to ${answer.location}`}: configure the client with that address`,
      { requestId },
    );
  const body = json(text);
  if (isRecord(body)) {
    const { data, errors } = body;
    const warnings = textsOf(recordOf(body['extensions'])['warnings']);
    if (Array.isArray(errors) && errors.length > 0)
      return {
        data: isRecord(data) ? data : null,
        faults: errors.map((error) => graphqlFault(error, answer)),
        warnings,
      };
    if (status === 200 && isRecord(data)) return { data, faults: [], warnings };
    const fault = gatewayFault(body, answer);
    if (fault) return { data: null, faults: [fault], warnings: [] };
  }
  const plain = PLAIN[status]; // from a proxy in front of the platform
  if (plain !== undefined) {
    const fault = {
      message: `${url} ${plain.does}`,
      code: plain.code,
      details: {},
      requestId,
      retryAfterSeconds: answer.retryAfterSeconds,
    };
    return { data: null, faults: [fault], warnings: [] };
  }
  if (UNAVAILABLE.has(status))
    throw new UnavailableError(`${url} returned status ${status}`, 'unknown', {
      requestId,
      details: { status },
    });
  throw new AdapterError(`${url} returned status ${status} without an answer of Cairn: check the address`, {
    requestId,
    details: { status },
  });
}
