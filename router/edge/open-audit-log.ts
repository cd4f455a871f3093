// The audit log that the configuration asks for (spec 1 «Configuration», `observability.audit_log`).
import type { Logger } from 'pino';
import type { Queryable } from '../../platform/queryable.ts';
import { createAuditLog, type AuditLog, type AuditSink } from './audit/audit-log.ts';
import { fileSink } from './audit/file-sink.ts';
import { postgresSink } from './audit/postgres-sink.ts';
import { stdoutSink } from './audit/stdout-sink.ts';

export interface AuditSettings {
  readonly enabled: boolean;
  readonly backend: 'file' | 'postgres' | 'stdout';
  readonly path: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
}

function sinkFor({ backend, path, maxBytes, maxFiles }: AuditSettings, db: Queryable): AuditSink {
  switch (backend) {
    case 'file': return fileSink({ path, rotateAt: maxBytes, keep: maxFiles });
    case 'postgres': return postgresSink(db);
    case 'stdout': return stdoutSink();
    default: throw new Error(`unknown audit backend ${String(backend satisfies never)}`);
  }
}

/** Undefined where it is switched off. */
export const openAuditLog = (settings: AuditSettings, db: Queryable, log: Logger): AuditLog | undefined =>
  settings.enabled ? createAuditLog(sinkFor(settings, db), log) : undefined;
