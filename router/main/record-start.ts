// Writes the changes that a start makes to keys and clients to the audit log: the first administrator's key,
// and clients that the configuration file has changed since the last start.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { isStandby } from '../../platform/database/standby.ts';
import type { Config } from '../../platform/config/load-config.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { AuditChange } from '../edge/audit/audit-record.ts';
import { operatorRecord } from '../edge/audit/operator.ts';
import { openAuditLog } from '../edge/audit/open-audit-log.ts';
import { adminKeyFile, ensureAdminKey, FIRST_ADMINISTRATOR } from '../api-keys/ensure-admin-key.ts';
import { DEFAULT_CLIENT } from '../tokens/clients.ts';
import { followClients } from '../tokens/configured-clients.ts';
import { revokeFamiliesOfOthers } from '../tokens/revocations.store.ts';

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
  const now = Date.now();
  audit?.record(operatorRecord({ path: occasion, status: 200, startedAt: now, endedAt: now, changes }));
  await audit?.close();
}

/**
 * Ends the tokens of clients that the configuration does not have (docs/reference/gateway.md#clients): at a start, and
 * once a reload has replaced what knew them, since that may have given tokens meanwhile.
 */
export async function endRemovedClients(pool: Pool, { auth }: Config, log: Logger): Promise<void> {
  try {
    if (await isStandby(pool)) return;
    await revokeFamiliesOfOthers(pool, [DEFAULT_CLIENT, ...auth.clients.map(({ clientId }) => clientId)]);
  } catch (err) {
    log.warn({ err }, 'the tokens of removed clients could not be ended: the next start ends them');
  }
}

/** Ensures that an administrator's key exists, and records the changes by the start; nothing at a standby. */
export async function recordStart(
  pool: Pool,
  config: Config,
  log: Logger,
  occasion: Occasion,
): Promise<{ readonly file: string; readonly created: boolean }> {
  if (await isStandby(pool)) return { file: adminKeyFile(config.database.dataDir), created: false };
  const { file, id } = await ensureAdminKey(pool, config.database.dataDir);
  const made: AuditChange[] =
    id === null
      ? []
      : [
          {
            action: 'api_key.create',
            subject: id,
            details: { owner: `user:${FIRST_ADMINISTRATOR}`, role: 'admin', project: null, expires: null },
          },
        ];
  const followed = await inTransaction(pool, (db) => followClients(db, config.auth.clients));
  // a reload may fail yet, and a preparation serves nobody
  if (occasion === 'start') await endRemovedClients(pool, config, log);
  await record(pool, config, log, occasion, [...made, ...followed]);
  return { file, created: id !== null };
}
