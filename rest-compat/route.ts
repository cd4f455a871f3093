// One REST endpoint as a row: the REST request and response, and the GraphQL operation that answers it.
import type { ReceivedPart } from '../platform/component.ts';
import { badRequest } from '../platform/errors.ts';
import type { Caller } from '../platform/identity.ts';
import type { Method } from '../platform/request-context.ts';
import type { Dialect } from './dialects.ts';
import type { Parameters, Values } from './parameters.ts';
import type { Preference } from './preferences.ts';
import type { RowTable } from './row-table.ts';
import type { RequestContext } from '../platform/request-context.ts';
import type { SentFile } from './send-file.ts';

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
  /** The value of a preference of the row that the request has, null where it has none. */
  readonly preferred: (name: string) => string | null;
}

export const PRECONDITIONS = ['if-match', 'if-none-match'] as const;
export type Precondition = (typeof PRECONDITIONS)[number];

/** How a row brings content. */
export interface UploadRow {
  /** Media types of the body, for OpenAPI. */
  readonly mediaTypes: readonly string[];
  /** The part that the request brings; null for none. @throws DomainError */
  readonly part: (value: never, input: RestRouteInput<string, Parameters>) => ReceivedPart | null;
  /** Whether the body is the whole file: what has come of it is not kept if it ends early. */
  readonly isWhole?: boolean;
}

/** A subscription whose blocks are lines of JSON, each an item of the row's list. */
export interface LinesRow {
  readonly operation: string;
  /** Response key of its root field. */
  readonly pick: string;
}

/** A line of a log, as a row's documents select it. */
export interface LogLine {
  readonly number: number;
  readonly at: string;
  readonly level: string;
  readonly message: string;
}

/** A log whose pages begin `after` a line: answered as text, whole, and as events, while it grows. */
export interface LogRow {
  /** The subscription of lines after one. */
  readonly operation: string;
  /** Response key of its root field. */
  readonly pick: string;
  /** Its variables but `after`. */
  readonly variables: (params: Readonly<Record<string, string>>) => Record<string, unknown>;
  /** The lines of the row's payload. */
  readonly linesOf: (payload: never) => readonly LogLine[];
}

export interface RestRoute {
  readonly method: Method;
  /** Below the component's prefix, placeholders in braces: `/entities/{entity_id}`. */
  readonly path: string;
  readonly summary: string;
  /** Whether it is another path of an endpoint, which OpenAPI describes at its first. */
  readonly isAlias?: boolean;
  /** A GraphQL document with one operation; its aliases are the REST names. */
  readonly operation: string;
  /**
   * A document with a larger selection that replaces `operation` if the query parameter is given, so that the
   * usual one stays fast.
   */
  readonly expandedOperation?: { readonly parameter: string; readonly operation: string };
  /** Response key of the root field whose value is the payload. */
  readonly pick: string;
  readonly query: Parameters;
  /** Whether it accepts parameters of any name, such as fields. */
  readonly takesAny?: boolean;
  /** Preconditions of a write that it heeds: `If-None-Match` as `*`. Of others a warning tells. */
  readonly heeds?: readonly Precondition[];
  /** Wishes of `Prefer` that it grants (RFC 7240). */
  readonly preferences?: readonly Preference[];
  /** Whether a JSON body is read: `required`, `optional`, or not at all. */
  readonly body?: 'required' | 'optional';
  /** JSON Schema of the body, for OpenAPI, and for warnings about members that it does not name. */
  readonly bodySchema?: Readonly<Record<string, unknown>>;
  /** Whether its operation judges every member of the body. */
  readonly passesWholeBody?: true;
  /**
   * What the body asks for that its row's permission does not allow yet: refused before the body's faults are told.
   * @throws DomainError `insufficient_role`, `project_scope_denied`
   */
  readonly authorise?: (body: unknown, caller: Caller) => void;
  /** Whether its body is held to the bulk limit instead of the usual one (docs/reference/api-conventions.md#body-limits). */
  readonly hasBulkLimit?: boolean;
  /**
   * The actor in the body: only used for callers that are not otherwise identified
   * (docs/reference/metadata.md#the-acting-caller).
   * @throws DomainError
   */
  readonly actor?: (body: unknown) => string | null;
  /** Converts the request to the operation's variables. @throws DomainError */
  readonly variables: (input: RestRouteInput<string, Parameters>) => Record<string, unknown>;
  /** Converts the payload; a row without it can pass JSON text through. */
  readonly shape?: (value: never) => unknown;
  /** JSON Schema of the payload if `shape` changes it; else it is derived from the document. */
  readonly responseSchema?: Readonly<Record<string, unknown>>;
  /** The default status of a success, if not 200. */
  readonly successStatus?: number;
  /** The status of one success; `successStatus` if absent. */
  readonly status?: (value: never) => number;
  /** Further statuses that `status` may return, for OpenAPI. */
  readonly otherStatuses?: readonly number[];
  /** The subject of the 404 message when the payload is null. */
  readonly absent?: (params: Readonly<Record<string, string>>) => string;
  /** How its answer is a table, for clients that ask for one (docs/reference/metadata.md#tables). */
  readonly table?: RowTable;
  /** Whether the operation is a subscription whose blocks of lines are answered as a file. */
  readonly isExport?: boolean;
  /** Whose results it streams to clients that accept `application/x-ndjson`, by its own parameters. */
  readonly lines?: LinesRow;
  readonly log?: LogRow;
  /** Whether its body is many rows, which are written in batches and answered one by one. */
  readonly isBulk?: boolean;
  /** `public`: no credential is needed; it is answered as to a reader in no project. */
  readonly access?: 'public';
  /**
   * The stored file that a payload names: the answer is its content
   * (docs/reference/api-conventions.md#files).
   * @throws DomainError
   */
  readonly file?: (value: never) => SentFile;
  /** How the request brings the content of a file, for the upload that the payload names. */
  readonly upload?: UploadRow;
  /** Headers of every answer, and what is checked before anything is read. @throws DomainError */
  readonly begin?: (ctx: RequestContext) => void;
  /** Headers of a success. */
  readonly headers?: (value: never) => Readonly<Record<string, string>>;
  /** The crate whose metadata a payload is: the answer is an archive of it, under this name. */
  readonly crate?: (params: Readonly<Record<string, string>>) => string;
  /** The component whose operation it is, if not its own: then only the router answers it. */
  readonly of?: 'artifact' | 'gateway';
  /** The format of its answers, if not its component's. */
  readonly dialect?: Dialect;
}

/** Creates a row; the types of its path and query are checked here and erased afterwards. */
export function route<const Path extends string, Q extends Parameters = Record<never, never>>(
  row: Omit<RestRoute, 'path' | 'query' | 'variables'> & {
    path: Path;
    query?: Q;
    variables: (input: RestRouteInput<ParamNames<Path>, Q>) => Record<string, unknown>;
  },
): RestRoute {
  // The handler provides exactly what path and query name.
  return { ...row, query: row.query ?? {}, variables: row.variables as unknown as RestRoute['variables'] };
}

/** A body's object, for rows whose body is a JSON object. @throws DomainError `invalid_request` */
export function objectBody(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('the body must be a JSON object');
  return body as Record<string, unknown>; // The checks above ensure a JSON object.
}
