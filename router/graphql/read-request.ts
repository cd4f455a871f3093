// Reads a GraphQL request (GraphQL over HTTP): JSON by POST, search parameters by GET. One operation per
// request.
import { badRequest } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type JsonValue, parseJson } from '../../platform/json.ts';
import { readJson } from '../../platform/read-body.ts';

export interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Maximum bytes for callers that may only read: queries need no more, and parsing larger JSON blocks others
 * noticeably.
 */
const READERS_BYTES = 1024 * 1024;

export const mostBytesOf = ({ roles }: Pick<Identity, 'roles'>): number =>
  roles.every((role) => role === 'viewer') ? READERS_BYTES : Number.POSITIVE_INFINITY;

const NO_VARIABLES: Readonly<Record<string, unknown>> = {};

export type JsonObject = { readonly [key: string]: JsonValue };

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws DomainError `invalid_request` naming the parameter with a wrong type */
export function requestOf({
  query,
  operationName,
  variables,
  extensions,
}: Readonly<Record<string, JsonValue | undefined>>): GraphqlRequest {
  if (typeof query !== 'string' || query === '') throw badRequest('`query` must be a GraphQL document');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw badRequest('`operationName` must be a string');
  if (variables !== undefined && variables !== null && !isObject(variables))
    throw badRequest('`variables` must be an object');
  if (extensions !== undefined && extensions !== null && !isObject(extensions))
    throw badRequest('`extensions` must be an object');
  return { query, operationName: operationName ?? undefined, variables: variables ?? NO_VARIABLES };
}

/**
 * @throws DomainError `invalid_request`, `payload_too_large`, `unsupported_media_type`, `validation_failed`
 */
export async function readPost(ctx: RequestContext): Promise<GraphqlRequest> {
  const { req, res, ip, caller, bodyLimit } = ctx;
  const body = await readJson(
    { req, res, ip, caller, bodyLimit: Math.min(bodyLimit, mostBytesOf(caller)) },
    { required: true },
  );
  if (Array.isArray(body))
    throw badRequest('a request must contain one operation: batches are not supported');
  if (!isObject(body)) throw badRequest('the body must be a JSON object');
  return requestOf(body);
}

const once = (parameters: URLSearchParams, name: string): string | undefined => {
  const values = parameters.getAll(name);
  if (values.length > 1) throw badRequest(`\`${name}\` may be given only once`);
  return values[0];
};

const json = (text: string | undefined): JsonValue | undefined =>
  text === undefined || text === '' ? undefined : parseJson(text);

/** @throws DomainError `invalid_request`, `validation_failed` */
export function readGet({ search }: Pick<RequestContext, 'search'>): GraphqlRequest {
  const parameters = new URLSearchParams(search);
  const [query, operationName] = [once(parameters, 'query'), once(parameters, 'operationName')];
  return requestOf({
    query,
    operationName,
    variables: json(once(parameters, 'variables')),
    extensions: json(once(parameters, 'extensions')),
  });
}
