// Triggers that cannot do their work are seen: state, last error, metric, and the component's health
// (docs/reference/workflow.md#trigger-status).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../testkit/server.ts';
import { eventually, workflowServer } from './workflow-server.ts';

let server: TestServer;
let folder: string;

const EVERY = 'schedule: "* * * * * *"';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-triggers-'));
  await writeFile(path.join(folder, 'rows.csv'), 'id,label\na,b\n');
  server = await workflowServer(`
observability: {health: {cache_seconds: 0}}
workflow:
  adapters:
    - {name: gone, type: csv, source: ${folder}/nowhere/rows.csv, entity_type: Sample, map: {id: row.id}}
    - {name: misfit, type: csv, source: ${folder}/rows.csv, entity_type: Sample, map: {id: row.id, n: "int(row.label)"}}
    - {name: sheet, type: csv, source: ${folder}/rows.csv, entity_type: Sample, map: {id: row.id, label: row.label}}
  triggers:
    - {name: unknown-type, type: metadata_poll, poll: {entity_type: Nowhere, interval_seconds: 1}, action: {type: ingest, adapter: sheet}}
    - {name: folder-missing, type: schedule, ${EVERY}, action: {type: ingest, adapter: gone}}
    - {name: expression-fails, type: schedule, ${EVERY}, action: {type: ingest, adapter: misfit}}
    - {name: action-fails, type: schedule, ${EVERY}, action: {type: resolve, entity_type: Nothing, criteria: {a: b}}}
    - {name: works, type: schedule, ${EVERY}, action: {type: ingest, adapter: sheet}}
`);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const status = async (name: string) =>
  (await server.rest('GET', `/api/v1/workflow/triggers/${name}`)).body as Record<string, unknown>;

test.each([
  ['unknown-type', 'degraded', /Nowhere/, null],
  ['folder-missing', 'scheduled', /runs have failed.*ENOENT/, /ENOENT/],
  ['expression-fails', 'scheduled', /runs have failed/, /./],
  ['action-fails', 'scheduled', /runs have failed.*Nothing/, /Nothing/],
])('%s is %s, and says what is wrong', async (name, state, problem, lastError) => {
  const entry = await eventually(
    () => status(name),
    (one) => typeof one['problem'] === 'string',
    60_000,
  );
  expect(entry['status']).toBe(state);
  expect(entry['problem']).toMatch(problem);
  if (lastError === null) expect(entry['last_error']).toBeUndefined();
  else expect(entry['last_error']).toMatch(lastError);
});

test('a poll that cannot work is an observation, once', async () => {
  const { body } = await server.rest('GET', '/api/v1/workflow/triggers/unknown-type/observations');
  expect(body).toMatchObject({
    observations: [
      {
        kind: 'tick',
        verdict: 'condition_error',
        reason: 'unknown entity type: Nowhere',
        subject: { tick: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) as string },
        times: 1,
      },
    ],
    next_cursor: null,
  });
});

test('one that works is not, health names the component, and metrics each trigger', async () => {
  const works = await eventually(
    () => status('works'),
    (one) => one['last_result'] === 'success',
    60_000,
  );
  expect([works['status'], works['problem'], works['last_error']]).toEqual([
    'scheduled',
    undefined,
    undefined,
  ]);
  const { body } = await server.rest('GET', '/api/v1/gateway/health');
  expect(body).toMatchObject({
    components: { workflow: { status: 'degraded', detail: 'triggers_degraded' } },
  });
  const text = await eventually(
    async () => (await server.rest('GET', '/api/v1/gateway/metrics')).text,
    (metrics) => metrics.includes('cairn_triggers{state="degraded"} 4'),
    30_000,
  );
  for (const name of ['unknown-type', 'folder-missing', 'expression-fails', 'action-fails'])
    expect(text).toContain(`cairn_trigger_degraded{trigger="${name}"} 1`);
  expect(text).toContain('cairn_trigger_degraded{trigger="works"} 0');
  expect(Number(/cairn_poll_lag_seconds\{trigger="unknown-type"\} (\S+)/.exec(text)?.[1])).toBeGreaterThan(0);
});

test('one success ends it', async () => {
  await writeFile(path.join(folder, 'rows.csv'), 'id,label\na,1\n');
  const entry = await eventually(
    () => status('expression-fails'),
    (one) => one['problem'] === undefined,
    60_000,
  );
  expect([entry['problem'], entry['last_error']]).toEqual([undefined, undefined]);
});
