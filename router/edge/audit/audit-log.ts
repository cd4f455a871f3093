// Buffers audit records, passes them to the sink in batches, and counts lost ones.
import type { Logger } from 'pino';
import { type AuditRecord, type NoteChange, timestampOf, withoutSecrets } from './audit-record.ts';
import { PendingChanges } from './pending-changes.ts';

/** Destination of audit records. */
export interface AuditSink {
  /** Writes the records in order. If it rejects, the whole batch counts as lost. */
  write(records: readonly AuditRecord[]): Promise<void>;
  close(): Promise<void>;
}

export interface AuditLog {
  /** Never throws and returns at once. */
  record(record: AuditRecord): void;
  /** Adds a change to the request's record. */
  readonly note: NoteChange;
  /** Number of records lost since the start. */
  readonly lost: number;
  /** The error of the last batch, if it was lost. */
  readonly failure: string | undefined;
  /** Waits until all records so far are written or lost. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds for which records are collected. */
const DELAY = 25;
/** Maximum records of one batch. */
const BATCH = 2000;
/** Maximum buffered records while the sink is slow; further ones are lost. */
const MAX_WAITING = 50_000;

export function createAuditLog(sink: AuditSink, log: Logger): AuditLog {
  const waiting: AuditRecord[] = [];
  let lost = 0;
  let failure: string | undefined;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const lose = (count: number, cause: unknown): void => {
    if (failure === undefined) log.error({ err: cause }, 'audit records are being lost');
    lost += count;
    failure = cause instanceof Error ? cause.message : String(cause);
  };
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        await sink.write(batch);
        failure = undefined;
      } catch (cause) {
        lose(batch.length, cause);
      }
    }
    writing = undefined;
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // without anything to wait for, it would end before it is stored, and stay stored
    if (writing === undefined && waiting.length > 0) writing = drain();
    return writing ?? Promise.resolve();
  };

  const keep = (record: AuditRecord): void => {
    if (waiting.length >= MAX_WAITING) return lose(1, new Error('the audit sink is too slow'));
    waiting.push(withoutSecrets(record));
    if (timer === undefined && writing === undefined) timer = setTimeout(() => void flush(), DELAY);
  };
  const pending = new PendingChanges((requestId, actor, changes) => {
    keep({
      timestamp: timestampOf(Date.now()),
      request_id: requestId,
      actor,
      method: 'NONE',
      path: '',
      status: 499,
      latency_ms: 0,
      ip: 'unknown',
      changes,
    });
  });

  return {
    record(record) {
      const changes = pending.take(record.request_id);
      keep(changes === undefined ? record : { ...record, changes });
    },
    note: (requestId, by, change) => {
      pending.add(requestId, by, change);
    },
    get lost() {
      return lost;
    },
    get failure() {
      return failure;
    },
    flush,
    async close() {
      pending.giveUpAll();
      await flush();
      await sink.close();
    },
  };
}
