// Gauges of the archive of the write-ahead log, which one process of the machine keeps and all report.
import type { ArchiveReport } from '../database/embedded/archive-state.ts';
import { AskedGauges } from './asked-gauges.ts';

export const archiveGauges = new AskedGauges({
  cairn_archive_failing: { help: 'Whether the write-ahead log is not archived: 1 if so.' },
  cairn_archive_lag_seconds: { help: 'How long ago the last moment was that can be restored.' },
});

export const archiveReadings = ({ status, archived_until: until }: ArchiveReport) => ({
  cairn_archive_failing: [{ value: Number(status === 'failing') }],
  cairn_archive_lag_seconds:
    until === null ? [] : [{ value: Math.max(0, (Date.now() - Date.parse(until)) / 1000) }],
});
