// Parses the parameters of an OAuth request, from JSON, a form, or a query, and its client, from there or
// from HTTP Basic.
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../platform/errors.ts';
import { parseJson } from '../../platform/json.ts';
import { assertPlainEncoding, type BodySource, mediaType, readBody } from '../../platform/read-body.ts';
import { hasNoNul } from '../../platform/queryable.ts';
import type { ClientClaim } from './clients.ts';
import { OAuthError } from './oauth-error.ts';

/** Parameters by name; empty ones count as absent (RFC 6749, 3.1). */
export type Parameters = ReadonlyMap<string, string>;

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const wrong = (message: string): OAuthError => new OAuthError('invalid_request', message);

function checked(entries: Iterable<readonly [string, unknown]>): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of entries) {
    if (value === null || value === undefined || value === '') continue;
    if (typeof value !== 'string') throw wrong(`${name} must be a string`);
    if (!hasNoNul(value)) throw wrong(`${name} contains characters that cannot be stored`);
    if (parameters.has(name)) throw wrong(`${name} is given more than once`);
    parameters.set(name, value);
  }
  return parameters;
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (fault) {
    if (fault instanceof DomainError && fault.code === 'validation_failed') throw wrong(fault.message);
    throw fault;
  }
}

/** Of a query string. @throws OAuthError `invalid_request` */
export const queryParameters = (search: string): Parameters => checked(new URLSearchParams(search));

/**
 * Of a body in either encoding; an empty body has none.
 * @throws OAuthError `invalid_request`, DomainError `unsupported_media_type`, `payload_too_large`,
 * `invalid_request`
 */
export async function bodyParameters(source: BodySource): Promise<Parameters> {
  const type = mediaType(source);
  const body = await readBody(source);
  if (body.length === 0) return new Map();
  if (type !== JSON_TYPE && type !== FORM)
    throw new DomainError('unsupported_media_type', `the body must be ${JSON_TYPE} or ${FORM}`);
  assertPlainEncoding(source);
  if (type === FORM) return checked(new URLSearchParams(body.toString('utf8')));
  const value = parsed(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('the body must be a JSON object');
  return checked(Object.entries(value));
}

/** @throws OAuthError `invalid_request` */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw wrong(`${name} is required`);
  return value;
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** Both halves are form-encoded before they are joined (RFC 6749, 2.3.1). */
function decoded(half: string): string {
  try {
    return decodeURIComponent(half.replaceAll('+', ' '));
  } catch (fault) {
    if (!(fault instanceof URIError)) throw fault;
    throw new OAuthError('invalid_client', 'the Basic credentials are not form-encoded');
  }
}

/** Whether the request uses HTTP Basic: then a refusal must name that scheme (RFC 6749, 5.2). */
export const usesBasic = ({ headers }: IncomingMessage): boolean =>
  /^basic(?: |$)/i.test(headers.authorization ?? '');

/**
 * The client and its secret, in one of the two ways.
 * @throws OAuthError `invalid_client`, `invalid_request`
 */
export function clientClaim(req: IncomingMessage, parameters: Parameters): ClientClaim {
  const [id, secret] = [parameters.get('client_id'), parameters.get('client_secret')];
  if (!usesBasic(req)) return { id, secret };
  const text = Buffer.from(BASIC.exec(req.headers.authorization ?? '')?.[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\u0000'))
    throw new OAuthError('invalid_client', 'the Basic credentials are malformed');
  if (secret !== undefined) throw wrong('the client uses two authentication methods at once');
  const basic = { id: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) };
  if (id !== undefined && id !== basic.id) throw wrong('client_id differs from the authenticated client');
  return basic;
}
