// One REST endpoint as a row: what REST callers see on the left, the GraphQL operation that answers it on the
// right.
import { badRequest } from '../platform/errors.ts';
import type { Method } from '../platform/request-context.ts';
import type { Dialect } from './dialects.ts';
import type { Parameters, Values } from './parameters.ts';

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

export interface RestRouteInput<P extends string, Q extends Parameters> {
  readonly params: Readonly<Record<P, string>>;
  readonly query: Values<Q>;
  /** Query parameters that the row does not name. */
  readonly rest: Readonly<Record<string, readonly string[]>>;
  /** The JSON body; undefined where the row takes none or none was sent. */
  readonly body: unknown;
  /** A request header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}

export interface RestRoute {
  readonly method: Method;
  /** Below the component's prefix, placeholders in braces: `/entities/{entity_id}`. */
  readonly path: string;
  readonly summary: string;
  /** A GraphQL document with one operation; aliases do the REST spelling. */
  readonly operation: string;
  /**
   * A document that asks for more, in place of `operation` where the query parameter is given: the usual one
   * stays as fast as it is.
   */
  readonly expandedOperation?: { readonly parameter: string; readonly operation: string };
  /** Response key of the root field whose value is the payload. */
  readonly pick: string;
  readonly query: Parameters;
  /** Whether it reads parameters of any name, such as fields. */
  readonly takesAny?: boolean;
  /** Whether a JSON body is read: `required`, `optional`, or none at all. */
  readonly body?: 'required' | 'optional';
  /** JSON Schema of the body, for OpenAPI. */
  readonly bodySchema?: Readonly<Record<string, unknown>>;
  /** `bulk` raises the body limit to the bulk limit (docs/reference/api-conventions.md#body-limits). */
  readonly bulk?: boolean;
  /**
   * Whom the body names as the actor: heeded of nobody whose identity is known
   * (docs/reference/metadata.md#the-acting-caller).
   * @throws DomainError
   */
  readonly actor?: (body: unknown) => string | null;
  /** Turns the request into the operation's variables. @throws DomainError */
  readonly variables: (input: RestRouteInput<string, Parameters>) => Record<string, unknown>;
  /** Reshapes the payload; a row without it can pass finished JSON text through. */
  readonly shape?: (value: never) => unknown;
  /** JSON Schema of the payload where `shape` changes it; else it is derived from the document. */
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /** The usual status of a success, where it is not 200. */
  readonly successStatus?: number;
  /** The status of one success; `successStatus` where there is none. */
  readonly status?: (value: never) => number;
  /** What `status` may say beside `successStatus`, for OpenAPI. */
  readonly otherStatuses?: readonly number[];
  /** What is absent when the payload is null: the message of the 404. */
  readonly absent?: (params: Readonly<Record<string, string>>) => string;
  /** `public`: no credential is needed; it is answered as to somebody who may read and is in no project. */
  readonly access?: 'public';
  /** The shapes of its answers, where they are not its component's. */
  readonly dialect?: Dialect;
}

/** Writes a row with its path's and query's types checked, then forgets them. */
export function route<const Path extends string, Q extends Parameters = Record<never, never>>(
  row: Omit<RestRoute, 'path' | 'query' | 'variables'> & {
    path: Path;
    query?: Q;
    variables: (input: RestRouteInput<ParamNames<Path>, Q>) => Record<string, unknown>;
  },
): RestRoute {
  // the handler fills exactly what path and query name
  return { ...row, query: row.query ?? {}, variables: row.variables as unknown as RestRoute['variables'] };
}

/** A body's object, for rows whose body is a JSON object. @throws DomainError `invalid_request` */
export function objectBody(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('the body must be a JSON object');
  return body as Record<string, unknown>; // the checks above leave a JSON object
}
