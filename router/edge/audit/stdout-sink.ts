// Audit records as JSON lines on standard output.
import type { Writable } from 'node:stream';
import { type AuditRecord, lineOf } from './audit-record.ts';
import type { AuditSink } from './audit-log.ts';

export const jsonLines = (records: readonly AuditRecord[]): string => records.map(lineOf).join('');

export function stdoutSink(stream: Writable = process.stdout): AuditSink {
  return {
    write: (records) =>
      new Promise((resolve, reject) => {
        stream.write(jsonLines(records), (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
    close: () => Promise.resolve(),
  };
}
