// The gauge of backups, which all servers of the deployment tell alike.
import { AskedGauges } from '../../platform/metrics/asked-gauges.ts';

export const backupGauges = new AskedGauges({
  cairn_backup_last_success_timestamp_seconds: {
    help: 'When the last backup that completed was begun, in seconds since 1970; 0 if there is none.',
  },
});

export const backupReadings = (seconds: number | null) => ({
  cairn_backup_last_success_timestamp_seconds: [{ value: seconds ?? 0 }],
});
