// SQL that ends what belonged to the processes of the moment of a backup, so that it does not go on where it was restored
// (docs/reference/backups.md#what-a-restored-instance-goes-on-with). As the owner.
import type pg from 'pg';

/** Each is one statement; the reasons stand in the reference. */
const SETTLED: readonly string[] = [
  // changes go on after the last one, wherever this server's clock stands
  `SELECT setval('workflow.change_clock', (extract(epoch FROM max(until)) * 1000000)::bigint) FROM workflow.past_state HAVING max(until) IS NOT NULL`,
  `SELECT setval('artifact.change_clock', (extract(epoch FROM max(until)) * 1000000)::bigint) FROM artifact.past_state HAVING max(until) IS NOT NULL`,
  // processes that are gone: their runs and productions are found interrupted, and go on
  'DELETE FROM workflow.engine',
  `UPDATE workflow.run SET lease_expires_at = least(lease_expires_at, clock_timestamp()) WHERE lease_expires_at IS NOT NULL`,
  `UPDATE artifact.production SET lease_expires_at = least(lease_expires_at, clock_timestamp()) WHERE lease_expires_at IS NOT NULL`,
  'UPDATE workflow.agenda_jobs SET locked_at = NULL WHERE locked_at IS NOT NULL',
  // parts of unfinished uploads are files of the servers' machines, not of the store
  'DELETE FROM artifact.upload_part',
  'DELETE FROM artifact.upload WHERE finished_at IS NULL',
  'DELETE FROM gateway.rate_bucket',
  // indexes that were made because they were often used are made again
  'DELETE FROM metadata.field_index',
];

const SESSIONS: readonly string[] = [
  'UPDATE gateway.token_family SET revoked_at = coalesce(revoked_at, clock_timestamp())',
  'UPDATE gateway.refresh_token SET revoked_at = coalesce(revoked_at, clock_timestamp())',
  `INSERT INTO gateway.revoked_jti (jti, expires_at) SELECT jti, expires_at FROM gateway.access_token ON CONFLICT DO NOTHING`,
  'DELETE FROM gateway.portal_session',
  'DELETE FROM gateway.sign_in_link',
  'DELETE FROM gateway.device_code',
  'DELETE FROM gateway.authorization_code',
];

export async function settle(db: pg.ClientBase): Promise<void> {
  for (const sql of SETTLED) await db.query(sql);
}

/** Ends sign-ins; accounts and API keys stay. */
export async function endSessions(db: pg.ClientBase): Promise<void> {
  for (const sql of SESSIONS) await db.query(sql);
}

/** Pauses the triggers that are not paused: for a copy, beside an instance that goes on. */
export async function pauseTriggers(db: pg.ClientBase, by: string): Promise<void> {
  await db.query(
    `INSERT INTO workflow.trigger_pause (trigger_name, paused_by, reason) SELECT name, $1, 'restored from a backup' FROM workflow.trigger
     ON CONFLICT (trigger_name) DO UPDATE SET paused_at = clock_timestamp(), paused_by = excluded.paused_by, reason = excluded.reason, resumed_at = NULL
     WHERE trigger_pause.resumed_at IS NOT NULL`,
    [by],
  );
}
