// Audit records as rows of gateway.audit_record, one statement per batch.
import type { Queryable } from '../../../platform/queryable.ts';
import { changesText } from './audit-record.ts';
import type { AuditSink } from './audit-log.ts';

/** PostgreSQL's text cannot contain U+0000; a client's path or operation name may. */
const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd');

export function postgresSink(db: Queryable): AuditSink {
  return {
    async write(records) {
      await db.query(
        `INSERT INTO gateway.audit_record (timestamp, request_id, actor, method, path, status, latency_ms, ip, operation_name, changes, cause)
         SELECT * FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int[], $7::float8[], $8::text[], $9::text[], $10::json[], $11::text[])`,
        [
          records.map((r) => r.timestamp),
          records.map((r) => r.request_id),
          records.map((r) => storable(r.actor)),
          records.map((r) => r.method),
          records.map((r) => storable(r.path)),
          records.map((r) => r.status),
          records.map((r) => r.latency_ms),
          records.map((r) => r.ip),
          records.map((r) => (r.operation === undefined ? null : storable(r.operation))),
          records.map((r) =>
            r.changes === undefined ? null : changesText(r.changes).replaceAll('\\u0000', '\\ufffd'),
          ),
          records.map((r) => r.cause ?? null),
        ],
      );
    },
    close: () => Promise.resolve(),
  };
}
