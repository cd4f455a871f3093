// Opens the configured audit log (docs/reference/gateway.md#observability-keys).
import type { Logger } from 'pino';
import type { Queryable } from '../../../platform/queryable.ts';
import { createAuditLog, type AuditLog, type AuditSink } from './audit-log.ts';
import { fileSink } from './file-sink.ts';
import { postgresSink } from './postgres-sink.ts';
import { stdoutSink } from './stdout-sink.ts';

export interface AuditSettings {
  readonly enabled: boolean;
  readonly backend: 'file' | 'postgres' | 'stdout';
  readonly path: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Of the backend `postgres`; undefined where all are kept. */
  readonly retentionDays?: number | undefined;
}

/** Opened on the first write. */
export function sinkFor({ backend, path, maxBytes, maxFiles }: AuditSettings, db: Queryable): AuditSink {
  switch (backend) {
    case 'file':
      return fileSink({ path, rotateAt: maxBytes, keep: maxFiles });
    case 'postgres':
      return postgresSink(db);
    case 'stdout':
      return stdoutSink();
    default:
      throw new Error(`unknown audit backend ${String(backend satisfies never)}`);
  }
}

/**
 * Undefined if it is off. `elsewhere` receives the records of sinks that only one process can write: a file,
 * or a stream.
 */
export const openAuditLog = (
  settings: AuditSettings,
  db: Queryable,
  log: Logger,
  elsewhere?: AuditSink,
): AuditLog | undefined => {
  if (!settings.enabled) return undefined;
  return createAuditLog(
    elsewhere !== undefined && settings.backend !== 'postgres' ? elsewhere : sinkFor(settings, db),
    log,
  );
};
