// Runs whose metadata is away, and runs that are stopped or cancelled.
import { expect, test } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import type { Execute } from '../../subgraphs/workflow/deps.ts';
import { eventually } from './workflow-server.ts';
import { bench, accepts, file } from './engine-testkit.ts';

test('metadata that cannot be reached fails the run; what was under way counts as failed', async () => {
  await using lines = await file(700);
  let calls = 0;
  await using it = await bench(async (...sent) => {
    if (++calls > 1) throw new DomainError('component_unavailable', 'metadata is unavailable');
    return accepts(...sent);
  }, lines.path);
  const engine = await it.engine();
  await it.queue(1);
  const [run] = await eventually(it.runs, (all) => all[0]?.status === 'failed');
  expect(run).toMatchObject({
    records_fetched: 700,
    records_failed: 200,
    errors: [{ type: 'MetadataUnavailable' }],
  });
  await engine.close();
});

test('a record that makes its whole batch refused is found; the others are written', async () => {
  await using lines = await file(100);
  await using it = await bench(async (document, variables, signal) => {
    const sent = variables['entities'] as { data: { id: string } }[];
    if (sent.some(({ data }) => data.id === 's77'))
      throw new DomainError('invalid_request', 'cannot be stored');
    return accepts(document, variables, signal);
  }, lines.path);
  const engine = await it.engine();
  await it.queue(1);
  const [run] = await eventually(it.runs, (all) => all[0]?.status === 'partial_success');
  expect(run).toMatchObject({
    records_fetched: 100,
    records_failed: 1,
    errors: [{ type: 'IngestError', record: 78 }],
  });
  await engine.close();
});

test('when the process stops, a run that does not end fails; one that was only queued waits for the next process', async () => {
  await using lines = await file(1);
  const never: Execute = (_document, _variables, signal) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(new Error('gone'));
      });
    });
  await using it = await bench(never, lines.path, { graceMs: 200 });
  const engine = await it.engine();
  await it.queue(5);
  await eventually(it.runs, (all) => all.filter((run) => run.status === 'running').length === 4);
  await engine.close();
  const runs = await it.runs();
  expect(runs.filter((run) => run.status === 'failed' && run.errors[0]?.type === 'Stopped')).toHaveLength(4);
  expect(runs.filter((run) => run.name === 'pull' && run.status === 'queued')).toHaveLength(1);
});

test('a cancelled run stops: its worker lets go at the next heartbeat', async () => {
  await using lines = await file(1);
  let gone = false;
  const never: Execute = (_document, _variables, signal) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        gone = true;
        reject(new Error('gone'));
      });
    });
  await using it = await bench(never, lines.path, { leaseMs: 300 });
  const engine = await it.engine();
  await it.queue(1);
  const [run] = await eventually(it.runs, (all) => all[0]?.status === 'running');
  const { cancelRun } = await import('../../subgraphs/workflow/run-records/run-queue.store.ts');
  expect(
    await cancelRun(it.database.pool, run?.id ?? '', { type: 'Cancelled', message: 'x' }),
  ).not.toBeNull();
  await eventually(
    async () => gone,
    (is) => is,
  );
  expect((await it.runs()).map(({ name, status, errors }) => [name, status, errors[0]?.type])).toEqual([
    ['pull', 'failed', 'Cancelled'],
  ]);
  await engine.close();
});
