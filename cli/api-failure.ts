// What the platform's error responses say, in each of their formats, and why there is no response.
import { isObject } from '../platform/json-object.ts';
import { systemErrorCode } from '../platform/system-error-code.ts';
import { Failure } from './failure.ts';

/** An error response of the platform. */
export class ApiFailure extends Failure {
  override name = 'ApiFailure';
  readonly status: number;

  /**
   * @param error the platform's error code; empty where the response only has a status (metadata's envelope)
   */
  constructor(status: number, error: string, message: string, more: Readonly<Record<string, unknown>>) {
    super(`${message} (${[status, error].join(' ').trim()})`, {
      status,
      ...(error === '' ? {} : { error }),
      ...more,
    });
    this.status = status;
  }
}

/** Converts the response to a GraphQL document that was not executed, with each error on a separate line. */
function graphqlFailure(status: number, errors: readonly unknown[]): ApiFailure {
  const faults = errors.map((error) => (isObject(error) ? error : {}));
  const first = faults[0]?.['extensions'];
  const { code, requestId } = isObject(first) ? first : {};
  return new ApiFailure(
    status,
    typeof code === 'string' ? code : '',
    faults.map(({ message }) => String(message)).join('\n'),
    { request_id: requestId, errors },
  );
}

/**
 * Reads all error formats: GraphQL's (`errors` is a list), the gateway's (`error` is a code) and the metadata
 * envelope's (`error` is an object).
 */
export function failureOf(status: number, body: unknown): ApiFailure {
  if (!isObject(body))
    return new ApiFailure(status, 'no_json', 'the answer does not come from Cairn: check the address', {});
  if (Array.isArray(body['errors'])) return graphqlFailure(status, body['errors']);
  if (isObject(body['error'])) {
    const meta = isObject(body['meta']) ? body['meta'] : {};
    return new ApiFailure(status, '', String(body['error']['message']), { request_id: meta['request_id'] });
  }
  const violations =
    isObject(body['details']) && Array.isArray(body['details']['violations'])
      ? body['details']['violations']
      : [];
  const listed = violations.map(
    (violation: unknown) =>
      `\n  ${isObject(violation) && typeof violation['message'] === 'string' ? violation['message'] : JSON.stringify(violation)}`,
  );
  return new ApiFailure(status, String(body['error']), String(body['message']) + listed.join(''), {
    request_id: body['request_id'],
    details: body['details'],
  });
}

/** OpenSSL's and Node's codes for a certificate that they do not accept. */
const NOT_ACCEPTED = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;
/** What an issuer that is known would mend. */
const UNKNOWN_ISSUER = /SELF_SIGNED|UNABLE_TO/;

/** @throws Failure for a request without a response */
export const unreachable =
  ({ url }: { readonly url: string }) =>
  (cause: unknown): never => {
    if (cause instanceof Failure) throw cause;
    const code = systemErrorCode(cause) ?? '';
    const message = cause instanceof Error ? cause.message : String(cause);
    if (NOT_ACCEPTED.test(code))
      throw new Failure(
        `the certificate of ${url} is not accepted: ${message} (${code})${UNKNOWN_ISSUER.test(code) ? '. NODE_EXTRA_CA_CERTS may name a file with the certificate of its issuer' : ''}`,
        { error: 'certificate', url },
        { cause },
      );
    if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
      throw new Failure(`${url} does not speak TLS: use http`, { error: 'no_tls', url }, { cause });
    throw new Failure(
      `${url} does not respond (${code || message}). Is the server running? "cairn start" starts one on this machine.`,
      { error: 'unreachable', url },
      { cause },
    );
  };
