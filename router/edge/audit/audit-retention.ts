// Deletes audit records that are older than `observability.audit_log.retention_days`, once an hour
// (docs/reference/gateway.md#retention-of-audit-records).
import type { Logger } from 'pino';
import { everyHour } from '../../../platform/hourly.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { AuditLog } from './audit-log.ts';
import { operatorRecord } from './operator.ts';

/** Records of one statement, so that nobody waits for it. */
const AT_ONCE = 5000;

/** Deletes at most so many; returns their number. */
async function forgetRecords(db: Queryable, days: number, most: number): Promise<number> {
  const { rows } = await db.query<{ gone: number }>('SELECT gateway.forget_audit_records($1, $2) AS gone', [
    days,
    most,
  ]);
  return rows[0]?.gone ?? 0;
}

export interface AuditRetentionOptions {
  readonly db: Queryable;
  readonly days: number;
  /** Takes a record of what was deleted. */
  readonly audit: Pick<AuditLog, 'record'>;
  readonly log: Logger;
  readonly everyMs?: number;
}

/** Several processes may do so at once: a record is deleted by one. Returns a function that ends it. */
export function startAuditRetention({
  db,
  days,
  audit,
  log,
  everyMs,
}: AuditRetentionOptions): () => Promise<void> {
  const forget = async (goesOn: () => boolean): Promise<void> => {
    const startedAt = Date.now();
    let records = 0;
    try {
      for (let gone = AT_ONCE; gone === AT_ONCE && goesOn();) {
        gone = await forgetRecords(db, days, AT_ONCE);
        records += gone;
      }
    } catch (err) {
      log.warn({ err }, 'old audit records could not be deleted');
    }
    if (records === 0) return;
    const changes = [{ action: 'audit.forget', subject: 'audit', details: { records, days } }];
    audit.record(operatorRecord({ path: 'retention', status: 200, startedAt, endedAt: Date.now(), changes }));
    log.info({ records, days }, 'audit records beyond the configured retention period were deleted');
  };
  return everyHour(forget, everyMs);
}
