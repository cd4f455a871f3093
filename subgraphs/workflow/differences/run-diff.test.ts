import { expect, test } from 'vitest';
import type { Run } from '../run-records/run.ts';
import { runDiffOf } from './run-diff.ts';

const RUN: Run = {
  runId: 'a',
  triggerName: 'nightly',
  triggerType: 'schedule',
  adapter: 'sheet',
  action: { type: 'resolve', criteria: { sample: 's1', depth: 1 } },
  cause: { tick: '2026-01-01T00:00:00Z' },
  causedBy: null,
  requestId: null,
  status: 'success',
  queuedAt: '2026-01-01T00:00:00.000000Z',
  startedAt: null,
  finishedAt: null,
  attempt: 1,
  recordsFetched: 3,
  recordsCreated: 1,
  recordsUpdated: 1,
  recordsSkipped: 1,
  recordsFailed: 0,
  errors: [],
  unresolved: [],
  produced: null,
  actor: 'service:triggers',
  project: null,
  asOf: null,
};

test('runs differ in what was to be done, why, and what came of it, not in their ids and times', () => {
  const other: Run = {
    ...RUN,
    runId: 'b',
    triggerName: null,
    action: { criteria: { depth: 1, sample: 's2' }, type: 'resolve' },
    cause: { actor: 'user:a', delivery: { digest: 'hidden' } },
    status: 'partial_success',
    queuedAt: '2026-02-01T00:00:00.000000Z',
    recordsFailed: 2,
    errors: [{ message: 'no such column' }, { message: 'no such column' }, 'odd'],
    unresolved: [{ entity_id: 'x', reason: 'artifact_timeout' }],
  };
  const { differences, isComplete } = runDiffOf(RUN, other, ({ runId, cause }) =>
    runId === 'b' ? { actor: 'user:a' } : cause,
  );
  expect(isComplete).toBe(true);
  expect(differences).toEqual([
    { path: ['trigger'], kind: 'REMOVED', before: 'nightly', after: null },
    { path: ['action', 'criteria', 'sample'], kind: 'CHANGED', before: 's1', after: 's2' },
    { path: ['cause', 'tick'], kind: 'REMOVED', before: '2026-01-01T00:00:00Z', after: null },
    { path: ['cause', 'actor'], kind: 'ADDED', before: null, after: 'user:a' },
    { path: ['status'], kind: 'CHANGED', before: 'success', after: 'partial_success' },
    { path: ['records', 'failed'], kind: 'CHANGED', before: 0, after: 2 },
    { path: ['errors', 'no such column'], kind: 'ADDED', before: null, after: 2 },
    { path: ['errors', '"odd"'], kind: 'ADDED', before: null, after: 1 },
    { path: ['unresolved', 'x'], kind: 'ADDED', before: null, after: 'artifact_timeout' },
  ]);
  expect(runDiffOf(RUN, { ...RUN, runId: 'c' }, ({ cause }) => cause).differences).toEqual([]);
});
