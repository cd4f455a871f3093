// Audit records of what an account of this machine does without a request.
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { type AuditChange, type AuditRecord, timestampOf } from './audit-record.ts';

/** The operating system account of this process. */
export const operator = (): string => `os:${os.userInfo().username}`;

interface Operation {
  /** `start`, `users add`. */
  readonly path: string;
  readonly status: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly changes: readonly AuditChange[];
}

export const operatorRecord = ({ path, status, startedAt, endedAt, changes }: Operation): AuditRecord => ({
  timestamp: timestampOf(startedAt),
  request_id: randomUUID(),
  actor: operator(),
  method: 'CLI',
  path,
  status,
  latency_ms: endedAt - startedAt,
  ip: 'local',
  changes,
});
