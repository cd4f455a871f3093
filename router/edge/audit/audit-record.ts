// What is kept of every request (docs/reference/gateway.md#audit-record), and the guard that keeps secrets
// out of it.

/** What became of a key, an account or a client: who did it is the record's actor. */
export interface AuditChange {
  /** `api_key.create`, `user.disable`, `sign_in.fail`, … */
  readonly action: string;
  /** `key_…`, `user:ada`, `client:importer`; never a secret. */
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Says of a request that is under way what it has changed. */
export type NoteChange = (requestId: string, by: string, change: AuditChange) => void;

export interface AuditRecord {
  /** When the request arrived, ISO 8601 UTC. */
  readonly timestamp: string;
  readonly request_id: string;
  readonly actor: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly latency_ms: number;
  readonly ip: string;
  /** The GraphQL operation's name. */
  readonly operation?: string;
  readonly changes?: readonly AuditChange[];
}

let second = NaN;
let untilSecond = '';

/**
 * A moment in milliseconds as ISO 8601 UTC. What comes before the milliseconds is kept while the second
 * lasts: requests come thousands a second.
 */
export function timestampOf(milliseconds: number): string {
  const whole = Math.floor(milliseconds / 1000);
  if (whole !== second) [second, untilSecond] = [whole, new Date(whole * 1000).toISOString().slice(0, 20)];
  return `${untilSecond}${String(Math.floor(milliseconds) - whole * 1000).padStart(3, '0')}Z`;
}

/** API keys, refresh tokens and JWTs, should somebody put one where it does not belong. */
const SECRET = /(sk_|rt_|eyJ)[\w.~+/=-]{16,}/g;
const MAX_PATH_LENGTH = 2048;
const MAX_NAME_LENGTH = 200;

const without = (text: string, longest: number): string => {
  const short = text.length > longest ? text.slice(0, longest) : text;
  return short.search(SECRET) < 0 ? short : short.replaceAll(SECRET, '$1…');
};

/** The record with everything that a client chose freely cut to length and free of credentials. */
export function withoutSecrets(record: AuditRecord): AuditRecord {
  const path = without(record.path, MAX_PATH_LENGTH);
  const operation = record.operation === undefined ? undefined : without(record.operation, MAX_NAME_LENGTH);
  if (path === record.path && operation === record.operation) return record;
  return { ...record, path, ...(operation === undefined ? {} : { operation }) };
}

/** Printable ASCII without quote and backslash: JSON has it as it is. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** Changes as JSON, free of credentials like everything else. */
export const changesText = (changes: readonly AuditChange[]): string =>
  JSON.stringify(changes).replaceAll(SECRET, '$1…');

/**
 * The record as a line of JSON. What cannot hold a quote or a backslash is not looked at for one: a server
 * writes a line for every request.
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
}: AuditRecord): string =>
  `{"timestamp":"${timestamp}","request_id":"${id}","actor":${quoted(actor)},"method":"${method}","path":${quoted(path)},"status":${status},"latency_ms":${latency},"ip":"${ip}"${operation === undefined ? '' : `,"operation":${quoted(operation)}`}${changes === undefined ? '' : `,"changes":${changesText(changes)}`}}\n`;
