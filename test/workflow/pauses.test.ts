// docs/reference/workflow.md#pausing: with two processes over one database.
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DatabaseClock } from '../../subgraphs/workflow/jobs/database-clock.ts';
import { tickJobs } from '../../subgraphs/workflow/schedules/tick-jobs.ts';
import { triggerDefinition } from '../../subgraphs/workflow/trigger-model/trigger-definition.ts';
import { endPause, insertPause } from '../../subgraphs/workflow/triggers/pauses.store.ts';
import { rememberTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';
import { freshDatabase } from '../testkit/database.ts';
import type { Answer, TestServer } from '../testkit/server.ts';
import { type ServerProcess, startProcess } from '../testkit/server-process.ts';
import { ingest, log, scope } from './retries-testkit.ts';
import { allRuns, eventually, settledRun, workflowServer } from './workflow-server.ts';

const SECRET = 'a secret of the laboratory';
const CONFIG = `workflow:
  triggers:
    - {name: second, type: schedule, schedule: '* * * * * *', action: {type: ingest, adapter: sheet}, on_success: pulled, on_failure: {emit: pulled}}
    - {name: after, type: internal_event, event: pulled, action: {type: ingest, adapter: sheet}}
    - {name: hook, type: webhook, path: hooks/lab, secret_env: LAB_SECRET, when: 'event.n > 0', action: {type: ingest, adapter: sheet}}
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, interval_seconds: 1, filter: 'label == "new"'}, action: {type: ingest, adapter: sheet}}
    - {name: nightly, type: schedule, schedule: '0 3 * * *', project: lab, action: {type: ingest, adapter: sheet}}
    - {name: by-hand, type: manual, action: {type: ingest, adapter: sheet}}
  adapters:
    - {name: sheet, type: jsonl, entity_type: Sample, source: none.jsonl, map: {id: row.id}}
`;

let server: TestServer;
let other: ServerProcess;
let dataDir: string;
beforeAll(async () => {
  server = await workflowServer(CONFIG, { LAB_SECRET: SECRET });
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-pauses-'));
  const file = path.join(dataDir, 'gateway.yaml');
  await writeFile(file, CONFIG);
  await writeFile(path.join(dataDir, 'admin-key'), server.key);
  other = await startProcess({
    dataDir,
    env: { DATABASE_URL: server.database.url, CAIRN_CONFIG: file, LAB_SECRET: SECRET },
  });
});
afterAll(async () => {
  await other.end('SIGTERM');
  await server[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

const post = (target: string, body?: unknown, key = server.key): Promise<Answer> =>
  server.rest('POST', `/api/v1/workflow/triggers/${target}`, {
    key,
    ...(body === undefined ? {} : { body }),
  });

/** Through the other process. */
const elsewhere = async (method: string, target: string, body?: unknown): Promise<Answer['body']> => {
  const answer = await fetch(`${other.url}/api/v1/workflow/triggers/${target}`, {
    method,
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.json();
};

const verdicts = async (name: string): Promise<string[]> =>
  (
    (await server.rest('GET', `/api/v1/workflow/triggers/${name}/observations?limit=1000`)).body
      .observations as { verdict: string }[]
  ).map(({ verdict }) => verdict);

const started = async (name: string): Promise<number> =>
  (await allRuns(server, name)).filter(({ status }) => status !== 'skipped').length;

test('a schedule that one process pauses fires in none, and what was due is not caught up with when it is resumed', async () => {
  await eventually(
    () => started('second'),
    (n) => n > 1,
  );
  const paused = await elsewhere('POST', 'second/pause', { reason: 'service of the sequencer' });
  expect(paused).toMatchObject({
    name: 'second',
    status: 'paused',
    pause: { actor: 'user:admin', reason: 'service of the sequencer' },
    next_firing: null,
  });
  const before = await started('second');
  await eventually(
    () => verdicts('second'),
    (all) => all.filter((verdict) => verdict === 'paused').length >= 3,
  );
  expect(await started('second')).toBe(before);
  // pausing it again changes nothing, and a person may run it all the same
  const again = await post('second/pause', { reason: 'another' });
  expect(again.body.pause).toEqual(paused.pause);
  const { body } = await post('second/run');
  await settledRun(server, body.run_id);
  const resumed = await post('second/resume');
  const skipped = (await allRuns(server, 'second')).filter(({ status }) => status === 'skipped').length;
  expect(resumed.body).toMatchObject({ status: 'scheduled', next_firing: expect.any(String) });
  expect(resumed.body).not.toHaveProperty('pause');
  await eventually(
    () => started('second'),
    (n) => n > before + 1,
  );
  const ticks = (await allRuns(server, 'second')).filter(
    ({ queued_at: at, status }) => status !== 'skipped' && String(at) > String(paused.pause.at),
  );
  expect(skipped).toBeGreaterThanOrEqual(3);
  expect((await elsewhere('GET', 'second')).status).toBe('scheduled');
  expect(ticks.length).toBeGreaterThan(0);
  await elsewhere('POST', 'second/pause');
});

test('an event starts no run of a paused subscriber', async () => {
  await post('second/pause');
  await post('after/pause');
  const before = await started('after');
  const { body } = await post('second/run');
  await settledRun(server, body.run_id);
  expect((await verdicts('after'))[0]).toBe('paused');
  expect(await started('after')).toBe(before);
  await post('after/resume');
  const next = await elsewhere('POST', 'second/run');
  await settledRun(server, next.run_id);
  expect((await verdicts('after'))[0]).toBe('fired');
});

test('a delivery to a paused webhook is skipped and kept, one sent again afterwards runs, and a duplicate is told of its run', async () => {
  const deliver = (body: string): Promise<Answer> =>
    server.rest('POST', '/api/v1/workflow/hooks/lab', {
      key: null,
      body,
      headers: { 'x-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` },
    });
  const accepted = await deliver('{"n":1}');
  expect(accepted.body.status).toBe('accepted');
  await elsewhere('POST', 'hook/pause');
  expect((await deliver('{"n":2}')).body).toEqual({ run_id: null, status: 'skipped' });
  expect((await deliver('{"n":1}')).body).toEqual({ run_id: accepted.body.run_id, status: 'duplicate' });
  expect((await deliver('{"n":0}')).body).toEqual({ run_id: null, status: 'skipped' });
  expect((await verdicts('hook')).slice(0, 3)).toEqual(['condition_false', 'duplicate', 'paused']);
  await elsewhere('POST', 'hook/resume');
  expect((await deliver('{"n":2}')).body.status).toBe('accepted');
});

test('a poll goes on from where it was: what changed while it was paused fires afterwards, once', async () => {
  const put = (id: string) =>
    server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Sample', id, data: { label: 'new' } },
    });
  await put('s1');
  await eventually(
    () => started('seen'),
    (n) => n === 1,
  );
  await post('seen/pause');
  await put('s2');
  await sleep(3500); // three intervals, in two processes
  expect(await started('seen')).toBe(1);
  await elsewhere('POST', 'seen/resume');
  await eventually(
    () => started('seen'),
    (n) => n === 2,
  );
  await sleep(2000);
  expect(await started('seen')).toBe(2);
});

test('a manual trigger cannot be paused; an unknown one is not found', async () => {
  expect(await post('by-hand/pause')).toMatchObject({ status: 409 });
  expect(await post('nowhere/pause')).toMatchObject({ status: 404 });
  expect(await post('nowhere/resume')).toMatchObject({ status: 404 });
  for (const [reason, status] of [
    [7, 400],
    ['x'.repeat(1001), 400],
    ['a\u0000b', 422],
  ] as const)
    expect(await post('hook/pause', { reason })).toMatchObject({ status });
  expect((await post('hook/resume')).body.status).toBe('listening');
});

test('leads pause triggers of their project, administrators all; others are refused, and do not see the reason', async () => {
  const [lead, analyst, viewer] = await Promise.all([
    server.newKey({ role: 'project_lead', project: 'lab' }),
    server.newKey({ role: 'analyst', project: 'lab' }),
    server.newKey({ role: 'viewer', project: 'other' }),
  ]);
  const mayRun = async (key: string) =>
    (
      await server.graphql(
        '{ a: trigger(name: "nightly") { mayRun } b: trigger(name: "hook") { mayRun } }',
        {},
        { key },
      )
    ).body.data;
  expect(await Promise.all([server.key, analyst, viewer].map(mayRun))).toEqual([
    { a: { mayRun: true }, b: { mayRun: true } },
    { a: { mayRun: true }, b: { mayRun: true } },
    { a: { mayRun: false }, b: { mayRun: false } },
  ]);
  const stranger = await server.newKey({ role: 'project_lead', project: 'other' });
  expect(await mayRun(stranger)).toEqual({ a: { mayRun: false }, b: { mayRun: true } });
  const mayPause = async (key: string) =>
    (
      await server.graphql(
        '{ a: trigger(name: "nightly") { mayPause } b: trigger(name: "hook") { mayPause } c: trigger(name: "by-hand") { mayPause } }',
        {},
        { key },
      )
    ).body.data;
  const may = (...[a, b, c]: boolean[]) => ({ a: { mayPause: a }, b: { mayPause: b }, c: { mayPause: c } });
  expect(await mayPause(server.key)).toEqual(may(true, true, false));
  expect(await mayPause(lead)).toEqual(may(true, false, false));
  expect(await mayPause(analyst)).toEqual(may(false, false, false));
  for (const [target, key] of [
    ['nightly/pause', analyst],
    ['nightly/pause', stranger],
    ['hook/pause', lead],
    ['hook/resume', lead],
  ] as const)
    expect(await post(target, undefined, key)).toMatchObject({
      status: 403,
      body: { error: 'insufficient_role' },
    });
  expect(await post('nightly/pause', { reason: 'private' }, lead)).toMatchObject({
    status: 200,
    body: { status: 'paused', pause: { reason: 'private' } },
  });
  const seen = await server.rest('GET', '/api/v1/workflow/triggers/nightly', { key: viewer });
  expect(seen.body).toMatchObject({ status: 'paused', pause: { reason: null } });
  expect(await post('nightly/resume', undefined, lead)).toMatchObject({ status: 200 });
});

test('a pause outlasts a change of the definition; ticks of a pause that no process saw are not caught up with, even with catch_up: all', async () => {
  await using database = await freshDatabase({ poolSize: 5 });
  const { pool } = database;
  const hourly = trigger(scope).parse({
    name: 'tick',
    type: 'schedule',
    schedule: '0 * * * *',
    catch_up: 'all',
    action: ingest,
  });
  const remember = (definition: unknown) =>
    rememberTriggers(pool, [{ name: 'tick', type: 'schedule', definition, status: 'scheduled' }]);
  await remember(triggerDefinition(hourly));
  await pool.query(
    `UPDATE workflow.trigger SET updated_at = date_trunc('hour', now()) - interval '4 hours 1 minute'`,
  );
  await insertPause(pool, 'tick', 'user:admin', null);
  const clock = new DatabaseClock(pool);
  await clock.measure();
  const look = () =>
    tickJobs({ db: pool, transact: (work) => inTransaction(pool, work), triggers: [hourly], log }).perform(
      'tick',
      clock,
    );
  const statuses = async () =>
    (await pool.query<{ status: string }>('SELECT status FROM workflow.run')).rows.map(
      ({ status }) => status,
    );
  await remember({ changed: true });
  await remember(triggerDefinition(hourly));
  await pool.query(
    `UPDATE workflow.trigger SET updated_at = date_trunc('hour', now()) - interval '2 hours 1 minute'`,
  );
  await look();
  expect(new Set(await statuses())).toEqual(new Set(['skipped']));
  const many = (await statuses()).length;
  await pool.query('DELETE FROM workflow.firing');
  await endPause(pool, 'tick');
  await look();
  expect((await statuses()).length).toBe(many);
});
