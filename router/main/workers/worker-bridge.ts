// The tasks that a worker delegates to its primary: the audit file, and the metrics of all workers.
import type { AuditSink } from '../../edge/audit/audit-log.ts';
import type { Calls } from './calls.ts';

export interface WorkerBridge {
  /**
   * Destination of audit records of the backends `file` and `stdout`: one process writes them, so that lines
   * stay complete and files are rotated once.
   */
  readonly audit: AuditSink;
  /** The metrics of all workers, in the text exposition format. */
  metricsText(): Promise<string>;
}

const TIMEOUT_MS = 10_000;

export const bridgeTo = (primary: Calls): WorkerBridge => ({
  audit: {
    async write(records) {
      await primary.call('audit', records, TIMEOUT_MS);
    },
    close: async () => undefined,
  },
  metricsText: async () => String(await primary.call('metrics', undefined, TIMEOUT_MS)),
});
