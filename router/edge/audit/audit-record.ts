// What is kept of every request (contract 1.5), and the guard that keeps secrets out of it.

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
}

/** API keys, refresh tokens and JWTs, should somebody put one where it does not belong. */
const SECRET = /(sk_|rt_|eyJ)[\w.~+/=-]{16,}/g;
const LONGEST_PATH = 2048;
const LONGEST_NAME = 200;

const without = (text: string, longest: number): string => {
  const short = text.length > longest ? text.slice(0, longest) : text;
  return short.search(SECRET) < 0 ? short : short.replaceAll(SECRET, '$1…');
};

/** The record with everything that a client chose freely cut to length and free of credentials. */
export const withoutSecrets = (record: AuditRecord): AuditRecord => ({
  ...record,
  path: without(record.path, LONGEST_PATH),
  ...(record.operation === undefined ? {} : { operation: without(record.operation, LONGEST_NAME) }),
});
