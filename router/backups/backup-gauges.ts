// The gauges of backups, which all servers of the deployment tell alike.
import { AskedGauges, type Readings } from '../../platform/metrics/asked-gauges.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { countBackups, lastCompleted } from './backups.store.ts';

export const backupGauges = new AskedGauges({
  cairn_backup_last_success_timestamp_seconds: {
    help: 'When the last backup that completed was begun, in seconds since 1970; 0 if there is none.',
  },
  cairn_backup_last_success_bytes: {
    help: 'What the last backup that completed holds: compressed rows, and the files of the store.',
  },
  cairn_backups: {
    help: 'Backups on record.',
    labels: ['status'],
  },
});

type Name =
  'cairn_backup_last_success_timestamp_seconds' | 'cairn_backup_last_success_bytes' | 'cairn_backups';

export async function backupReadings(db: Queryable): Promise<Readings<Name>> {
  const [last, counts] = await Promise.all([lastCompleted(db), countBackups(db)]);
  return {
    cairn_backup_last_success_timestamp_seconds: [{ value: last?.seconds ?? 0 }],
    cairn_backup_last_success_bytes: [{ value: last?.bytes ?? 0 }],
    cairn_backups: Object.entries(counts).map(([status, value]) => ({ labels: { status }, value })),
  };
}
