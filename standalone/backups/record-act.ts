// Writes backups and restores to the audit log of the instance.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { openAuditLog } from '../../router/edge/audit/open-audit-log.ts';
import { operatorRecord } from '../../router/edge/audit/operator.ts';
import { stdoutSink } from '../../router/edge/audit/stdout-sink.ts';

interface Act {
  readonly command: 'backup' | 'restore';
  /** The backup's id. */
  readonly subject: string;
  readonly startedAt: number;
  readonly details: Readonly<Record<string, unknown>>;
}

export async function recordAct(
  { config, log }: { readonly config: Config; readonly log: Logger },
  db: Queryable,
  { command, subject, startedAt, details }: Act,
): Promise<void> {
  const settings = config.observability.auditLog;
  // standard output is the backup's, or the command's answer
  const audit = openAuditLog(
    settings,
    db,
    log,
    settings.backend === 'stdout' ? stdoutSink(process.stderr) : undefined,
  );
  const changes = [{ action: `instance.${command}`, subject, details }];
  audit?.record(operatorRecord({ path: command, status: 200, startedAt, endedAt: Date.now(), changes }));
  await audit?.close();
}
