// docs/reference/workflow.md#trigger-definition, docs/reference/workflow.md#trigger-status.
import { expect, test } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import { workflowRows } from '../../rest-compat/routes/workflow.routes.ts';
import { viewer } from '../testkit/callers.ts';
import { serveRows } from '../testkit/serve-rows.ts';
import { workflowBench } from './workflow-bench.ts';

const seen = {
  lastSeen: (names: readonly string[]) =>
    Promise.resolve(new Map(names.map((name) => [name, '2026-02-01T00:00:00.000001Z']))),
};

test('every configured trigger is listed by name, with what it waits for', async () => {
  await using bench = await workflowBench();
  const { triggers } = await bench.ask('{ triggers { name type status lastRun lastResult cursor } }');
  expect(triggers).toEqual([
    {
      name: 'after-samples',
      type: 'internal_event',
      status: 'listening',
      lastRun: null,
      lastResult: null,
      cursor: null,
    },
    { name: 'by-hand', type: 'manual', status: 'idle', lastRun: null, lastResult: null, cursor: null },
    { name: 'from-lab', type: 'webhook', status: 'listening', lastRun: null, lastResult: null, cursor: null },
    {
      name: 'new-samples',
      type: 'metadata_poll',
      status: 'polling',
      lastRun: null,
      lastResult: null,
      cursor: null,
    },
    { name: 'nightly', type: 'schedule', status: 'scheduled', lastRun: null, lastResult: null, cursor: null },
  ]);
});

test('while metadata is unavailable, triggers are answered without their cursors; other errors are reported', async () => {
  const failing = (code: 'component_unavailable' | 'upstream_timeout' | 'validation_failed') => ({
    lastSeen: () => Promise.reject(new DomainError(code, 'metadata says no')),
  });
  for (const code of ['component_unavailable', 'upstream_timeout'] as const) {
    await using bench = await workflowBench({ cursors: failing(code) });
    expect(await bench.ask('{ poll: trigger(name: "new-samples") { name cursor } }')).toEqual({
      poll: { name: 'new-samples', cursor: null },
    });
  }
  await using bench = await workflowBench({ cursors: failing('validation_failed') });
  await expect(bench.ask('{ poll: trigger(name: "new-samples") { cursor } }')).rejects.toThrow(
    'metadata says no',
  );
});

test('the stored status of a trigger is shown with microseconds, and only polling triggers have a cursor', async () => {
  await using bench = await workflowBench({ cursors: seen });
  await bench.sql(`INSERT INTO workflow.trigger (name, type, definition, status, last_run_at, last_result)
    VALUES ('nightly', 'schedule', '{}', 'scheduled', '2026-01-31T10:30:00.123456+01:00', 'partial_success')`);
  const { nightly, poll } = await bench.ask(
    '{ nightly: trigger(name: "nightly") { lastRun lastResult cursor } poll: trigger(name: "new-samples") { cursor } }',
  );
  expect(nightly).toEqual({
    lastRun: '2026-01-31T09:30:00.123456Z',
    lastResult: 'partial_success',
    cursor: null,
  });
  expect(poll).toEqual({ cursor: '2026-02-01T00:00:00.000001Z' });
});

test('a status that was remembered of a trigger of another type says nothing of it', async () => {
  await using bench = await workflowBench();
  await bench.sql(
    `INSERT INTO workflow.trigger (name, type, definition, status) VALUES ('by-hand', 'schedule', '{}', 'scheduled')`,
  );
  expect((await bench.ask('{ trigger(name: "by-hand") { status } }')).trigger.status).toBe('idle');
});

test('a trigger that is no longer configured is not listed', async () => {
  await using bench = await workflowBench();
  await bench.sql(
    `INSERT INTO workflow.trigger (name, type, definition, status) VALUES ('gone', 'manual', '{}', 'idle')`,
  );
  expect((await bench.ask('{ trigger(name: "gone") { name } }')).trigger).toBeNull();
});

test("definitions are shown in the specification's spelling", async () => {
  await using bench = await workflowBench();
  const { triggers } = await bench.ask('{ triggers { name definition } }');
  const definitions = Object.fromEntries(
    triggers.map((t: { name: string; definition: unknown }) => [t.name, t.definition]),
  );
  expect(definitions['nightly']).toEqual({
    name: 'nightly',
    type: 'schedule',
    schedule: '0 3 * * *',
    timezone: 'UTC',
    action: { type: 'ingest', adapter: 'samples', incremental: true },
    on_success: 'samples-in',
  });
  expect(definitions['after-samples']).toEqual({
    name: 'after-samples',
    type: 'internal_event',
    event: 'samples-in',
    on_failure: { emit: 'no-report' },
    action: { type: 'resolve', entity_type: 'Report', criteria: { kind: 'daily' }, parameters: {} },
  });
  expect(definitions['new-samples'].poll).toEqual({
    entity_type: 'Sample',
    filter: 'data.qc == "pass"',
    interval_seconds: 60,
    lookback_seconds: 3600,
  });
});

test("no definition shows a webhook's secret", async () => {
  await using bench = await workflowBench();
  const { trigger } = await bench.ask('{ trigger(name: "from-lab") { definition } }');
  expect(trigger.definition).toMatchObject({
    type: 'webhook',
    path: '/hooks/lab',
    when: 'event.done',
    idempotency_window_seconds: 300,
  });
  expect(JSON.stringify(trigger)).not.toMatch(/hush|secret/);
});

test('the runs of all triggers of a list are read and counted in one statement each', async () => {
  await using bench = await workflowBench();
  await bench.seed(
    { id: 'r1' },
    { id: 'r2', trigger: 'by-hand' },
    { id: 'r3', queuedAt: '2026-01-31T10:00:00Z' },
  );
  const { triggers } = await bench.ask(
    '{ triggers { name runs(limit: 1) { total nextCursor runs { runId } } } }',
  );
  const byName = Object.fromEntries(triggers.map((t: { name: string; runs: unknown }) => [t.name, t.runs]));
  expect(byName['nightly']).toEqual({ total: 2, nextCursor: expect.any(String), runs: [{ runId: 'r3' }] });
  expect(byName['by-hand']).toEqual({ total: 1, nextCursor: null, runs: [{ runId: 'r2' }] });
  expect(byName['from-lab']).toEqual({ total: 0, nextCursor: null, runs: [] });
  expect(bench.statements).toHaveLength(3); // triggers, their pages, their totals
});

test('GET /triggers answers an object keyed by name, GET /triggers/{name} one of them', async () => {
  await using bench = await workflowBench({ cursors: seen });
  await using rest = await serveRows(bench.component, workflowRows, viewer);
  const all = await rest.get('/triggers');
  expect(all).toEqual({
    status: 200,
    body: {
      nightly: {
        status: 'scheduled',
        last_run: null,
        last_result: null,
        next_firing: expect.stringMatching(/T03:00:00\.000000Z$/),
      },
      'by-hand': { status: 'idle', last_run: null, last_result: null },
      'after-samples': { status: 'listening', last_run: null, last_result: null },
      'from-lab': { status: 'listening', last_run: null, last_result: null },
      'new-samples': {
        status: 'polling',
        last_run: null,
        last_result: null,
        cursor: '2026-02-01T00:00:00.000001Z',
      },
    },
  });
  expect(await rest.get('/triggers/nightly')).toMatchObject({
    status: 200,
    body: { name: 'nightly', type: 'schedule', status: 'scheduled', definition: { schedule: '0 3 * * *' } },
  });
  expect(await rest.get('/triggers/nope')).toMatchObject({
    status: 404,
    body: { error: 'not_found', message: 'trigger not found: nope', details: {} },
  });
});
