// The audit record of a request (docs/reference/gateway.md#audit-record), and the guard that keeps secrets
// out of it.

/** A change of a key, an account or a client, by the record's actor. */
export interface AuditChange {
  /** `api_key.create`, `user.disable`, `sign_in.fail`, … */
  readonly action: string;
  /** `key_…`, `user:ada`, `client:importer`; never a secret. */
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Reports a change by a request in progress. */
export type NoteChange = (requestId: string, by: string, change: AuditChange) => void;

export interface AuditRecord {
  /** Time of the request's arrival, ISO 8601 UTC. */
  readonly timestamp: string;
  readonly request_id: string;
  readonly actor: string;
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly status: number;
  readonly latency_ms: number;
  readonly ip: string;
  /** The GraphQL operation's name. */
  readonly operation?: string;
  readonly changes?: readonly AuditChange[];
  /** The run or production on whose behalf a service made the request. */
  readonly cause?: string;
}

let second = NaN;
let untilSecond = '';

/**
 * Milliseconds since the epoch as ISO 8601 UTC. The part before the milliseconds is cached for a second, as
 * there are thousands of requests per second.
 */
export function timestampOf(milliseconds: number): string {
  const whole = Math.floor(milliseconds / 1000);
  if (whole !== second) [second, untilSecond] = [whole, new Date(whole * 1000).toISOString().slice(0, 20)];
  return `${untilSecond}${String(Math.floor(milliseconds) - whole * 1000).padStart(3, '0')}Z`;
}

/** API keys, refresh tokens and JWTs, in case one is sent in the wrong place. */
const SECRET = /(sk_|rt_|eyJ)[\w.~+/=-]{16,}/g;
const MAX_PATH_LENGTH = 2048;
const MAX_NAME_LENGTH = 200;

const without = (text: string, longest: number): string => {
  const short = text.length > longest ? text.slice(0, longest) : text;
  return short.search(SECRET) < 0 ? short : short.replaceAll(SECRET, '$1…');
};

/** The record with all client-controlled texts truncated and free of credentials. */
export function withoutSecrets(record: AuditRecord): AuditRecord {
  const path = without(record.path, MAX_PATH_LENGTH);
  const operation = record.operation === undefined ? undefined : without(record.operation, MAX_NAME_LENGTH);
  if (path === record.path && operation === record.operation) return record;
  return { ...record, path, ...(operation === undefined ? {} : { operation }) };
}

/** Printable ASCII without quote and backslash, which JSON does not escape. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** Changes as JSON, free of credentials. */
export const changesText = (changes: readonly AuditChange[]): string =>
  JSON.stringify(changes).replaceAll(SECRET, '$1…');

/**
 * The record as a line of JSON. Fields that cannot contain a quote or a backslash are not escaped, because a
 * line is written for every request.
 */
export const lineOf = ({
  timestamp,
  request_id: id,
  actor,
  method,
  path,
  status,
  latency_ms: latency,
  ip,
  operation,
  changes,
  cause,
}: AuditRecord): string =>
  `{"timestamp":"${timestamp}","request_id":"${id}","actor":${quoted(actor)},"method":"${method}","path":${quoted(path)},"status":${status},"latency_ms":${latency},"ip":"${ip}"${operation === undefined ? '' : `,"operation":${quoted(operation)}`}${changes === undefined ? '' : `,"changes":${changesText(changes)}`}${cause === undefined ? '' : `,"cause":"${cause}"`}}\n`;
