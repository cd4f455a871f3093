// docs/reference/workflow.md#internal-events: runs that follow a run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { allRuns, eventually, settledRun, workflowServer } from './workflow-server.ts';

test("success and partial success emit on_success to every subscriber; a failed fetch emits on_failure; a subscriber's failure stays its own", async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-chain-'));
  await writeFile(path.join(dir, 'good.csv'), 'id,n\ns1,1\n');
  await writeFile(path.join(dir, 'half.csv'), 'id,n\ns1,1\ns2,one\n');
  await using server = await workflowServer(`workflow:
  triggers:
    - {name: good, type: manual, action: {type: ingest, adapter: good}, on_success: came, on_failure: {emit: broke}}
    - {name: half, type: manual, action: {type: ingest, adapter: half}, on_success: {emit: came}, on_failure: {emit: broke}}
    - {name: bad, type: manual, action: {type: ingest, adapter: bad}, on_success: came, on_failure: {emit: broke}}
    - {name: quiet, type: manual, action: {type: ingest, adapter: good}, on_success: nobody-listens}
    - {name: first, type: internal_event, event: came, action: {type: ingest, adapter: good}, on_success: further}
    - {name: second, type: internal_event, event: came, action: {type: ingest, adapter: bad}}
    - {name: third, type: internal_event, event: further, action: {type: ingest, adapter: good}}
    - {name: mourner, type: internal_event, event: broke, action: {type: ingest, adapter: good}}
  adapters:
${['good', 'half', 'bad'].map((name) => `    - {name: ${name}, type: csv, entity_type: Sample, source: ${path.join(dir, `${name}.csv`)}, map: {id: row.id, n: int(row.n)}}`).join('\n')}
`);
  const fire = async (name: string) =>
    settledRun(server, (await server.rest('POST', `/api/v1/workflow/triggers/${name}/run`)).body.run_id);
  const settled = (count: number) =>
    eventually(
      () => allRuns(server),
      (runs) => runs.length === count && runs.every((run) => !['queued', 'running'].includes(run.status)),
    );
  const causeOf = async (runId: string) =>
    (await server.rest('GET', `/api/v1/workflow/runs/${runId}`)).body.cause;
  const named = (runs: Awaited<ReturnType<typeof allRuns>>) =>
    runs.map((run) => [run.trigger_name, run.status]).sort();

  const good = await fire('good');
  const chain = await settled(4);
  expect(named(chain)).toEqual([
    ['first', 'success'],
    ['good', 'success'],
    ['second', 'failed'],
    ['third', 'success'],
  ]);
  const first = chain.find((run) => run.trigger_name === 'first');
  const third = chain.find((run) => run.trigger_name === 'third');
  expect(await causeOf(first.run_id)).toEqual({ event: 'came', run_id: good.run_id });
  expect(await causeOf(third.run_id)).toEqual({ event: 'further', run_id: first.run_id });

  expect((await fire('half')).status).toBe('partial_success');
  expect(named((await settled(8)).slice(4))).toEqual([
    ['first', 'success'],
    ['half', 'partial_success'],
    ['second', 'failed'],
    ['third', 'success'],
  ]);
  expect((await fire('bad')).status).toBe('failed');
  expect(named((await settled(10)).slice(8))).toEqual([
    ['bad', 'failed'],
    ['mourner', 'success'],
  ]);
  expect((await fire('quiet')).status).toBe('success');
  await settled(11);
  await rm(dir, { recursive: true });
});
