// Writes the changes that a start makes to keys and clients to the audit log: the first administrator's key,
// and clients that the configuration file has changed since the last start.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { AuditChange } from '../edge/audit/audit-record.ts';
import { timestampOf } from '../edge/audit/audit-record.ts';
import { operator } from '../edge/audit/operator.ts';
import { openAuditLog } from '../edge/audit/open-audit-log.ts';
import { ensureAdminKey } from '../api-keys/ensure-admin-key.ts';
import { followClients } from '../tokens/configured-clients.ts';

/** The path of the record. */
export type Occasion = 'start' | 'init' | 'reload';

async function record(
  pool: Pool,
  { observability }: Config,
  log: Logger,
  occasion: Occasion,
  changes: readonly AuditChange[],
): Promise<void> {
  const audit = changes.length === 0 ? undefined : openAuditLog(observability.auditLog, pool, log);
  audit?.record({
    timestamp: timestampOf(Date.now()),
    request_id: randomUUID(),
    actor: operator(),
    method: 'CLI',
    path: occasion,
    status: 200,
    latency_ms: 0,
    ip: 'local',
    changes,
  });
  await audit?.close();
}

/** Ensures that an administrator's key exists, and records the changes by the start. */
export async function recordStart(
  pool: Pool,
  config: Config,
  log: Logger,
  occasion: Occasion,
): Promise<{ readonly file: string; readonly created: boolean }> {
  const { file, id } = await ensureAdminKey(pool, config.database.dataDir);
  const made: AuditChange[] =
    id === null
      ? []
      : [
          {
            action: 'api_key.create',
            subject: id,
            details: { owner: 'user:admin', role: 'admin', project: null, expires: null },
          },
        ];
  const followed = await inTransaction(pool, (db) => followClients(db, config.auth.clients));
  await record(pool, config, log, occasion, [...made, ...followed]);
  return { file, created: id !== null };
}
