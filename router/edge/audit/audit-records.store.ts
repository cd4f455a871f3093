// SQL that reads audit records, the newest first.
import { instantSql, type Queryable } from '../../../platform/queryable.ts';

/** Null for any. */
export interface AuditFilter {
  readonly actor: string | null;
  readonly requestId: string | null;
  readonly method: string | null;
  readonly pathPrefix: string | null;
  readonly minStatus: number | null;
  readonly maxStatus: number | null;
  /** Of a change that the request made, or its beginning: `api_key`, `api_key.create`. */
  readonly action: string | null;
  /** From this instant on. */
  readonly since: string | null;
  /** Before this instant. */
  readonly until: string | null;
}

export interface ReadRecord {
  readonly id: string;
  readonly timestamp: string;
  readonly requestId: string;
  readonly actor: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly latencyMs: number;
  readonly ip: string;
  readonly operation: string | null;
  readonly changes: unknown;
  readonly cause: string | null;
}

export interface AuditPlace {
  readonly timestamp: string;
  readonly id: string;
}

/** Each condition that is asked for, so that its index is taken. */
function conditions(filter: AuditFilter, after: AuditPlace | null, values: unknown[]): string {
  const place = (value: unknown, type: string): string => `$${values.push(value)}::${type}`;
  const all: string[] = [];
  const when = (value: unknown, type: string, sql: (placed: string) => string): void => {
    if (value !== null) all.push(sql(place(value, type)));
  };
  when(filter.actor, 'text', (v) => `actor = ${v}`);
  when(filter.requestId, 'uuid', (v) => `request_id = ${v}`);
  when(filter.method, 'text', (v) => `method = ${v}`);
  when(filter.pathPrefix, 'text', (v) => `starts_with(path, ${v})`);
  when(filter.minStatus, 'int', (v) => `status >= ${v}`);
  when(filter.maxStatus, 'int', (v) => `status <= ${v}`);
  when(filter.since, 'timestamptz', (v) => `timestamp >= ${v}`);
  when(filter.until, 'timestamptz', (v) => `timestamp < ${v}`);
  when(
    filter.action,
    'text',
    (v) =>
      `changes IS NOT NULL AND EXISTS (SELECT FROM json_array_elements(changes) c WHERE c ->> 'action' = ${v} OR starts_with(c ->> 'action', ${v} || '.'))`,
  );
  if (after !== null)
    all.push(`(timestamp, id) < (${place(after.timestamp, 'timestamptz')}, ${place(after.id, 'bigint')})`);
  return all.length === 0 ? 'true' : all.join(' AND ');
}

const COLUMNS = `id::text AS id, ${instantSql('timestamp')} AS timestamp, request_id::text AS "requestId", actor, method, path, status,
       latency_ms AS "latencyMs", ip, operation_name AS operation, changes, cause`;

/** The first record of each of the requests. */
export async function listRecordsOf(db: Queryable, requests: readonly string[]): Promise<ReadRecord[]> {
  const { rows } = await db.query<ReadRecord>(
    `SELECT DISTINCT ON (request_id) ${COLUMNS} FROM gateway.audit_record WHERE request_id = ANY($1::uuid[])
     ORDER BY gateway.audit_record.request_id, gateway.audit_record.timestamp`,
    [requests],
  );
  return rows;
}

export async function listRecords(
  db: Queryable,
  filter: AuditFilter,
  after: AuditPlace | null,
  limit: number,
): Promise<readonly ReadRecord[]> {
  const values: unknown[] = [];
  const where = conditions(filter, after, values);
  const { rows } = await db.query<ReadRecord>(
    `SELECT ${COLUMNS}
     FROM gateway.audit_record WHERE ${where} ORDER BY gateway.audit_record.timestamp DESC, gateway.audit_record.id DESC LIMIT $${values.push(limit)}`,
    values,
  );
  return rows;
}
