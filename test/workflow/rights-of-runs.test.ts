// docs/reference/workflow.md#rights, docs/reference/workflow.md#access-to-deliveries: a run has at most its
// submitter's rights, and is only visible to callers that could have run it; bodies of webhooks are visible
// to administrators and leads.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestServer } from '../testkit/server.ts';
import { eventually, settledRun, workflowServer } from './workflow-server.ts';

const SECRET = 'hush';
let server: TestServer;
let dir: string;
const keys: Record<string, string> = {};
/** A source that answers on command. */
const slow = { url: '', waiting: [] as (() => void)[] };
const source = http.createServer((_, res) => {
  slow.waiting.push(() => {
    res.end('{"id":"late","label":"x","project":"alpha"}\n');
  });
});

beforeAll(async () => {
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
  slow.url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/late.jsonl`;
  dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-rights-'));
  server = await workflowServer(
    `workflow:
  triggers:
    - {name: pull, type: manual, action: {type: ingest, adapter: mixed}, on_success: pulled}
    - {name: after, type: internal_event, event: pulled, action: {type: ingest, adapter: mixed}}
    - {name: of-beta, type: manual, project: beta, action: {type: ingest, adapter: mixed}}
    - {name: hook, type: webhook, path: hooks/all, secret_env: LAB, when: 'event.n > 3', action: {type: ingest, adapter: none}}
    - {name: hook-alpha, type: webhook, project: alpha, path: hooks/alpha, secret_env: LAB, when: 'event.n > 3', action: {type: ingest, adapter: none}}
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, filter: 'label == "poll me"', interval_seconds: 1}, action: {type: resolve, entity_type: Sample, criteria: {label: made}}}
    - {name: pulls, type: metadata_poll, poll: {entity_type: Sample, filter: 'label == "poll me"', interval_seconds: 1}, action: {type: ingest, adapter: mixed}}
  adapters:
    - {name: mixed, type: jsonl, entity_type: Sample, source: ${dir}/mixed.jsonl, map: {id: row.id, label: row.label, project: row.project}}
    - {name: none, type: csv, entity_type: Sample, source: /nowhere.csv, map: {id: row.id}}
    - {name: slow, type: jsonl, entity_type: Sample, source: "${slow.url}", map: {id: row.id, label: row.label, project: row.project}}
`,
    { LAB: SECRET },
  );
  const put = (data: unknown) =>
    server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Sample', data } });
  await put({ id: 'b1', label: 'secret of beta', project: 'beta' });
  await put({ id: 'a1', label: 'of alpha', project: 'alpha' });
  await writeFile(
    path.join(dir, 'mixed.jsonl'),
    [
      { id: 'b1', label: 'secret of beta', project: 'beta' },
      { id: 'a1', label: 'of alpha', project: 'alpha' },
      { id: 'a2', label: 'new', project: 'alpha' },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  );
  for (const [name, role, project] of [
    ['alice', 'analyst', 'alpha'],
    ['bob', 'analyst', 'beta'],
    ['lead', 'project_lead', 'alpha'],
    ['viewer', 'viewer', undefined],
    ['analyst', 'analyst', undefined],
    ['narrow', 'admin', 'beta'],
  ] as const) {
    keys[name] = await server.newKey({ role, label: name, ...(project === undefined ? {} : { project }) });
  }
});
afterAll(async () => {
  source.closeAllConnections();
  source.close();
  await server[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

const as = (name: string, method: string, target: string, body?: unknown): Promise<Answer> =>
  server.rest(method, `/api/v1/workflow${target}`, {
    key: keys[name] ?? null,
    ...(body === undefined ? {} : { body }),
  });
const submit = (name: string, adapter: string, context?: unknown): Promise<Answer> =>
  as(name, 'POST', '/runs', {
    action: { type: 'ingest', adapter },
    ...(context === undefined ? {} : { context }),
  });
const deliver = (hook: string, body: string): Promise<Answer> =>
  server.rest('POST', `/api/v1/workflow/hooks/${hook}`, {
    key: null,
    body,
    headers: { 'x-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` },
  });

test('a run that was submitted, or a trigger that was run by hand, does no more than its submitter might, and counts nothing else', async () => {
  for (const start of [() => submit('alice', 'mixed'), () => as('alice', 'POST', '/triggers/pull/run')]) {
    const {
      body: { run_id: id },
      status,
    } = await start();
    expect(status).toBe(202);
    const run = await settledRun(server, id);
    expect(run).toMatchObject({ status: 'partial_success', records_fetched: 3, records_failed: 1 });
    expect(JSON.stringify(run.errors)).not.toContain('secret');
  }
  const all = await submit('analyst', 'mixed');
  expect(await settledRun(server, all.body.run_id)).toMatchObject({ status: 'success', records_failed: 0 });
  const narrowed = await submit('analyst', 'mixed', { project: 'alpha' });
  expect(await settledRun(server, narrowed.body.run_id)).toMatchObject({
    status: 'partial_success',
    records_failed: 1,
  });
});

test("a run tells nobody whether a guess about another project's data is right", async () => {
  const guess = async (label: string) => {
    await writeFile(
      path.join(dir, 'mixed.jsonl'),
      `${JSON.stringify({ id: 'b1', label, project: 'beta' })}\n`,
    );
    return settledRun(server, (await submit('alice', 'mixed')).body.run_id);
  };
  const [there, nowhere] = [await guess('secret of beta'), await guess('a wrong one')];
  const told = ({
    status,
    records_fetched: fetched,
    records_created: created,
    records_updated: updated,
    records_skipped: skipped,
    records_failed: failed,
    errors,
  }: Answer['body']) => ({ status, fetched, created, updated, skipped, failed, errors });
  expect(told(there)).toEqual(told(nowhere));
});

test('runs are shown, counted, followed and cancelled by those alone who are in every project that they acted in', async () => {
  const {
    body: { run_id: id },
  } = await submit('alice', 'mixed');
  await settledRun(server, id);
  expect((await as('alice', 'GET', `/runs/${id}`)).status).toBe(200);
  expect((await as('lead', 'GET', `/runs/${id}`)).status).toBe(200);
  expect((await as('bob', 'GET', `/runs/${id}`)).status).toBe(404);
  expect((await as('bob', 'POST', `/runs/${id}/cancel`)).status).toBe(404);
  const log = await as('bob', 'GET', '/runs?limit=1000');
  expect([log.body.total, log.body.runs]).toEqual([0, []]);
  const asked = await server.graphql(
    'query($id: ID!) { run(runId: $id) { status } runs { total } triggers { runs { total } } }',
    { id },
    { key: keys['bob'] ?? '' },
  );
  expect(asked.body.data).toMatchObject({ run: null, runs: { total: 0 } });
  expect(asked.body.data.triggers.every((one: { runs: { total: number } }) => one.runs.total === 0)).toBe(
    true,
  );
  const followed = await server.graphql(
    'subscription($id: ID!) { runProgress(runId: $id) { status } }',
    { id },
    { key: keys['bob'] ?? '', headers: { accept: 'text/event-stream' } },
  );
  expect(followed.text).toContain('NOT_FOUND');
  const own = await server.graphql(
    '{ entities(entityType: "Sample", limit: 100) { items { id runs { runId } } } }',
    {},
    { key: keys['bob'] ?? '' },
  );
  expect(own.body.data.entities.items.flatMap((one: { runs: unknown[] }) => one.runs)).toEqual([]);

  const whole = await submit('analyst', 'mixed'); // acted in all projects
  await settledRun(server, whole.body.run_id);
  for (const name of ['alice', 'bob', 'lead', 'narrow'])
    expect((await as(name, 'GET', `/runs/${whole.body.run_id}`)).status, name).toBe(404);
  expect((await as('viewer', 'GET', `/runs/${whole.body.run_id}`)).status).toBe(200);
});

test('a trigger of a project acts in it, and is run by its members', async () => {
  await writeFile(
    path.join(dir, 'mixed.jsonl'),
    [
      { id: 'b1', label: 'secret of beta', project: 'beta' },
      { id: 'a1', label: 'of alpha', project: 'alpha' },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  );
  expect(await as('alice', 'POST', '/triggers/of-beta/run')).toMatchObject({
    status: 403,
    body: { error: 'project_scope_denied' },
  });
  const run = await settledRun(server, (await as('bob', 'POST', '/triggers/of-beta/run')).body.run_id);
  expect(run).toMatchObject({ records_fetched: 2, records_failed: 1 });
  expect((await as('bob', 'GET', `/runs/${run.run_id}`)).status).toBe(200);
  expect((await as('analyst', 'GET', '/triggers/of-beta')).body.definition).toMatchObject({
    project: 'beta',
  });
});

test('a run that follows another has no more rights than it', async () => {
  const {
    body: { run_id: id },
  } = await as('alice', 'POST', '/triggers/pull/run');
  await settledRun(server, id);
  const next = await eventually(
    async () => (await as('viewer', 'GET', '/triggers/after/runs')).body.runs as Answer['body'][],
    (runs) => runs.every((run) => !['queued', 'running'].includes(String(run.status))),
  ); // it was queued at the end of that run, so it is the newest
  expect(next[0]).toMatchObject({ records_failed: 1, status: 'partial_success' });
  expect((await as('alice', 'GET', `/runs/${next[0].run_id}`)).status).toBe(200);
  expect((await as('bob', 'GET', `/runs/${next[0].run_id}`)).status).toBe(404);
});

test('a poll resolves for an entity in its project, and ingests in all', async () => {
  await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', data: { id: 'a9', label: 'poll me', project: 'alpha' } },
  });
  for (const [trigger, shown] of [
    ['seen', 1],
    ['pulls', 0],
  ] as const) {
    await eventually(
      async () => (await as('viewer', 'GET', `/triggers/${trigger}/runs`)).body.total as number,
      (total) => total === 1,
    );
    expect((await as('alice', 'GET', `/triggers/${trigger}/runs`)).body.total, trigger).toBe(shown);
    expect((await as('bob', 'GET', `/triggers/${trigger}/runs`)).body.total, trigger).toBe(0);
  }
});

test("a run whose submitter's key was revoked, or that gives less now, does nothing more", async () => {
  const { body: key } = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
    body: { label: 'short', role: 'analyst', project: 'alpha' },
  });
  const {
    body: { run_id: id },
  } = await server.rest('POST', '/api/v1/workflow/runs', {
    key: key.secret,
    body: { action: { type: 'ingest', adapter: 'slow' } },
  });
  await eventually(
    async () => slow.waiting.length,
    (waiting) => waiting === 1,
  );
  expect((await server.rest('DELETE', `/api/v1/gateway/auth/api-keys/${key.id}`)).status).toBe(200);
  slow.waiting.splice(0).forEach((send) => {
    send();
  });
  expect(await settledRun(server, id)).toMatchObject({
    status: 'failed',
    records_created: 0,
    errors: [{ type: 'RightsLost' }],
  });
  expect((await server.rest('GET', '/api/v1/metadata/entities/late')).status).toBe(404);
});

test("bodies of webhooks, and what is made of them, are for administrators and the leads of the trigger's project", async () => {
  for (const hook of ['all', 'alpha'])
    for (const body of ['{"n":9,"patient":"Ada"}', '{"n":1,"patient":"Bo"}'])
      expect((await deliver(hook, body)).status).toBe(200);
  const evaluate = (name: string, hook: string) =>
    as(name, 'POST', `/triggers/${hook}/evaluate`, { condition: 'event.patient == "Ada"' });
  const seen = async (name: string, hook: string): Promise<Answer['body'][]> =>
    (await as(name, 'GET', `/triggers/${hook}/observations`)).body.observations;
  for (const [name, all, alpha] of [
    ['viewer', 403, 403],
    ['analyst', 403, 403],
    ['alice', 403, 403],
    ['bob', 403, 403],
    ['lead', 403, 200],
    ['narrow', 403, 403],
    ['nobody', 401, 401],
  ] as const) {
    expect([
      name,
      (await evaluate(name, 'hook')).status,
      (await evaluate(name, 'hook-alpha')).status,
    ]).toEqual([name, all, alpha]);
    if (name === 'nobody') continue;
    expect((await seen(name, 'hook')).length, name).toBe(0);
    expect((await seen(name, 'hook-alpha')).length > 0, name).toBe(alpha === 200);
    const graph = await server.graphql(
      '{ evaluateTrigger(name: "hook", condition: "event.patient == \\"Ada\\"") { wouldFire trials { seen } } triggers { name observations { observations { seen subject } } } }',
      {},
      { key: keys[name] ?? '' },
    );
    expect(graph.body.errors[0].extensions.code).toBe('INSUFFICIENT_ROLE');
    if (name !== 'lead') expect(graph.text, name).not.toMatch(/event\.n|sha256/);
  }
  expect(
    (await server.rest('POST', '/api/v1/workflow/triggers/hook/evaluate', { body: {} })).body,
  ).toMatchObject({ would_fire: 1 });
  const delivery = (
    await server.rest('GET', '/api/v1/workflow/triggers/hook-alpha/observations?verdict=fired')
  ).body.observations[0];
  for (const name of ['analyst', 'alice', 'bob', 'narrow'])
    expect((await as(name, 'POST', `/deliveries/${delivery.delivery_id}/redeliver`)).status, name).toBe(403);
  expect((await as('lead', 'POST', `/deliveries/${delivery.delivery_id}/redeliver`)).body).toMatchObject({
    status: 'accepted',
  });
  const causeFor = async (key: string): Promise<unknown> =>
    (await server.rest('GET', `/api/v1/workflow/runs/${delivery.run.run_id}`, { key })).body.cause;
  expect(await causeFor(server.key)).toMatchObject({
    delivery: { digest: expect.stringMatching(/^sha256:/) },
  });
  for (const name of ['viewer', 'alice'])
    expect(JSON.stringify(await causeFor(keys[name] ?? '')), name).not.toContain('sha256');
});
