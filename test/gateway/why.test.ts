// docs/reference/metadata.md#why: what brought something about, back to the request of the audit log, and what a request
// brought about; to callers as far as they see it.
import { randomUUID } from 'node:crypto';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';
import { askWhy, type Chain, ingestSample, keysOf, kindsOf, nodeOf, registerSample } from './why-testkit.ts';
import { allRuns, eventually, settledRun } from '../workflow/workflow-server.ts';

const SECRET = 'hush-hush';
let server: TestServer;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-why-'));
  const names = ['manual', 'hook', 'chained', 'polled', 'ticked'];
  for (const name of names) await writeFile(path.join(directory, `${name}.jsonl`), `{"id":"${name}:1"}\n`);
  const adapters = names.map(
    (name) =>
      `    - {name: ${name}, type: jsonl, entity_type: Sample, source: ${directory}/${name}.jsonl, map: {id: row.id, label: '"${name}"'}}`,
  );
  server = await startServer({
    transport: 'in-process',
    env: { HOOK_SECRET: SECRET },
    config: `observability: {audit_log: {backend: postgres}}
workflow:
  triggers:
    - {name: pull, type: manual, action: {type: ingest, adapter: manual}, on_success: pulled}
    - {name: after, type: internal_event, event: pulled, action: {type: ingest, adapter: chained}}
    - {name: lab, type: webhook, path: hooks/lab, secret_env: HOOK_SECRET, action: {type: ingest, adapter: hook}}
    - {name: seen, type: metadata_poll, poll: {entity_type: Sample, filter: 'data.label == "watched"', interval_seconds: 1, lookback_seconds: 60}, action: {type: ingest, adapter: polled}}
    - {name: clock, type: schedule, schedule: '* * * * * *', action: {type: ingest, adapter: ticked}}
  adapters:
${adapters.join('\n')}
`,
  });
  await registerSample(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const why = (subject: string, more: Record<string, unknown> = {}, key = server.key): Promise<Chain | null> =>
  askWhy(server, subject, more, key);

const ingest = (id: string, data: object): Promise<string> => ingestSample(server, id, data);
/** The chain once the audit record of its request is there. */
const audited = (subject: string, request: string): Promise<Chain | null> =>
  eventually(
    () => why(subject),
    (chain) => chain?.nodes.some(({ key, at }) => key === `request:${request}` && at !== null) === true,
  );

describe('from an entity back to what caused it', () => {
  test('a request, by its audit record; and the version before it', async () => {
    const [first, second] = [await ingest('a:1', { label: 'x' }), await ingest('a:1', { label: 'y' })];
    const chain = await audited('version:2:a:1', second);
    expect(kindsOf(chain)).toEqual(['VERSION', 'EVENT', 'VERSION', 'REQUEST', 'EVENT', 'REQUEST']);
    expect(chain?.nodes.filter(({ kind }) => kind === 'REQUEST').map(({ key }) => key)).toEqual([
      `request:${second}`,
      `request:${first}`,
    ]);
    expect(nodeOf(chain, 'REQUEST')).toMatchObject({
      name: 'POST /api/v1/metadata/ingest',
      actor: 'user:admin',
      depth: 2,
      details: { status: 200 },
    });
    expect(nodeOf(chain, 'EVENT')).toMatchObject({
      name: 'EntityUpdated',
      actor: 'user:admin',
      details: { entity_id: 'a:1', version: 2, request_id: second, context: { notes: 'because' } },
    });
    expect(chain?.links.map(({ kind }) => kind).sort()).toEqual([
      'FOLLOWS',
      'MADE',
      'MADE',
      'WROTE',
      'WROTE',
    ]);
    const whole = await why('entity:a:1');
    expect(keysOf(whole).slice(0, 3)).toEqual(['entity:a:1', 'version:2:a:1', 'version:1:a:1']);
    expect(new Set(keysOf(whole)).size).toBe(whole?.nodes.length);
  });

  test('why a field has its value: the events that set it, and no others', async () => {
    const first = await ingest('b:1', { label: 'x', note: 'n' });
    await ingest('b:1', { label: 'y' });
    const third = await ingest('b:1', { note: 'm' });
    const chain = await audited('field:note:b:1', third);
    expect(chain?.nodes[0]).toMatchObject({ kind: 'FIELD', details: { entity_id: 'b:1', value: 'm' } });
    expect(chain?.nodes.filter(({ kind }) => kind === 'REQUEST').map(({ key }) => key)).toEqual([
      `request:${third}`,
      `request:${first}`,
    ]);
    expect(chain?.links.filter(({ kind }) => kind === 'SET')).toHaveLength(2);
    expect(kindsOf(await why('field:unknown:b:1'))).toEqual(['FIELD']);
  });

  test('a run that was asked for, and one that it fired; and forward again', async () => {
    const { body, headers } = await server.rest('POST', '/api/v1/workflow/triggers/pull/run');
    const request = headers.get('x-request-id') ?? '';
    await settledRun(server, body.run_id);
    const [chained] = await eventually(
      () => allRuns(server, 'after'),
      (runs) => runs[0]?.status === 'success',
    );
    const chain = await audited('version:1:chained:1', request);
    expect(kindsOf(chain)).toEqual(['VERSION', 'EVENT', 'RUN', 'INTERNAL_EVENT', 'RUN', 'REQUEST']);
    expect(keysOf(chain).slice(2)).toEqual([
      `run:${chained?.run_id}`,
      `internal_event:pulled@${body.run_id}`,
      `run:${body.run_id}`,
      `request:${request}`,
    ]);
    const forward = await why(`request:${request}`, { direction: 'FORWARD' });
    expect(keysOf(forward)).toEqual(
      expect.arrayContaining([
        `run:${body.run_id}`,
        `run:${chained?.run_id}`,
        'version:1:chained:1',
        'version:1:manual:1',
      ]),
    );
    const { body: graph } = await server.graphql(
      `{ run(runId: "${body.run_id}") { causedBy requestId } entityHistory(entityId: "manual:1") { cause } entity(id: "manual:1") { history { cause timestamp } } }`,
    );
    expect(graph.data).toMatchObject({
      run: { causedBy: `request:${request}`, requestId: request },
      entityHistory: [{ cause: `run:${body.run_id}` }],
      entity: { history: [{ cause: `run:${body.run_id}` }] },
    });
  });

  test('a delivery of a webhook, a tick, and a version that was polled', async () => {
    const delivery = '{"a":1}';
    const { body, headers } = await server.rest('POST', '/api/v1/workflow/hooks/lab', {
      key: null,
      body: delivery,
      headers: { 'x-signature': `sha256=${createHmac('sha256', SECRET).update(delivery).digest('hex')}` },
    });
    await settledRun(server, body.run_id);
    const request = headers.get('x-request-id') ?? '';
    const chain = await audited('version:1:hook:1', request);
    expect(kindsOf(chain)).toEqual(['VERSION', 'EVENT', 'RUN', 'DELIVERY', 'REQUEST']);
    expect(nodeOf(chain, 'REQUEST')).toMatchObject({ name: 'POST /api/v1/workflow/hooks/lab' });

    const ticked = await eventually(
      () => why('version:1:ticked:1'),
      (found) => found !== null,
    );
    expect(kindsOf(ticked)).toEqual(['VERSION', 'EVENT', 'RUN', 'TICK']);
    expect(nodeOf(ticked, 'TICK')).toMatchObject({
      name: 'clock',
      at: expect.stringMatching(/\.000000Z$/),
      details: { trigger_name: 'clock', tick: nodeOf(ticked, 'TICK')?.at },
    });
    const [run] = keysOf(await why(nodeOf(ticked, 'TICK')?.key ?? '', { direction: 'FORWARD' })).slice(1);
    expect(run).toBe(nodeOf(ticked, 'RUN')?.key);

    const watched = await ingest('w:1', { label: 'watched' });
    const polled = await eventually(
      () => why('version:1:polled:1'),
      (found) => found?.nodes.some(({ key }) => key === `request:${watched}`) === true,
    );
    expect(kindsOf(polled)).toEqual(['VERSION', 'EVENT', 'RUN', 'POLL', 'EVENT', 'VERSION', 'REQUEST']);
    expect(keysOf(polled)[5]).toBe('version:1:w:1');
    expect(nodeOf(polled, 'POLL')).toMatchObject({
      name: 'seen',
      details: { cursor: expect.stringMatching(/Z$/), found: keysOf(polled)[4] },
    });
    expect(keysOf(await why('entity:w:1', { direction: 'FORWARD' }))).toContain('version:1:polled:1');
  });
});

test('what a caller does not see is not there, nor counted, nor a way to something else', async () => {
  const lead = await server.newKey({ role: 'project_lead', project: 'alpha' });
  const [own, foreign] = [
    await ingest('s:a', { label: 'x', project: 'alpha' }),
    await ingest('s:b', { label: 'x', project: 'beta' }),
  ];
  const { headers } = await server.graphql(
    `mutation { ingestEntities(entities: [{entityType: "Sample", id: "s:c", data: {project: "alpha"}}, {entityType: "Sample", id: "s:d", data: {project: "beta"}}]) { created } }`,
  );
  const both = headers.get('x-request-id') ?? '';
  for (const hidden of [
    'entity:s:b',
    'version:1:s:b',
    'field:label:s:b',
    'entity:none',
    'run:none',
    'production:none',
    'rule:none@1',
    `file:sha256:${'0'.repeat(64)}`,
    'nonsense',
    'event:soon',
    'event:2020-01-01T00:00:00.000000Z',
    'version:x:s:a',
    'request:none',
  ])
    expect([hidden, await why(hidden, {}, lead)]).toEqual([hidden, null]);
  const chain = await why('entity:s:a', {}, lead);
  expect(kindsOf(chain)).toEqual(['ENTITY', 'VERSION', 'EVENT', 'REQUEST']);
  // its audit record is for administrators
  expect(nodeOf(chain, 'REQUEST')).toEqual(
    expect.objectContaining({ key: `request:${own}`, name: own, actor: null, at: null }),
  );
  for (const request of [own, foreign, both]) {
    expect(await why(`request:${request}`, { direction: 'FORWARD' }, lead)).toBeNull();
    const key = await server.newKey({ role: 'admin', project: 'alpha' });
    expect(await why(`request:${request}`, { direction: 'FORWARD' }, key)).toBeNull();
  }
  expect(kindsOf(await why(`request:${both}`, { direction: 'FORWARD', depth: 1 }))).toEqual([
    'REQUEST',
    'EVENT',
    'EVENT',
  ]);
  // runs of every project wrote it: they are not a member's to see
  expect(kindsOf(await why('version:1:manual:1', {}, lead))).toEqual(['VERSION', 'EVENT']);
});

test('a request of which nothing is known but its id is none; one that did something is, recorded or not', async () => {
  const none = `request:${randomUUID()}`;
  for (const direction of ['BACKWARD', 'FORWARD']) expect(await why(none, { direction })).toBeNull();
  const request = `request:${await ingest('q:1', { label: 'x' })}`;
  for (const direction of ['BACKWARD', 'FORWARD'])
    expect(keysOf(await why(request, { direction, first: 1 }))).toEqual([request]);
  const { headers } = await server.rest('GET', '/api/v1/metadata/entities/q:1');
  const read = `request:${headers.get('x-request-id') ?? ''}`;
  for (const direction of ['BACKWARD', 'FORWARD'])
    await eventually(
      () => why(read, { direction }),
      (chain) => chain?.nodes[0]?.at != null,
    );
});

test('REST answers the same below entities and runs, and for any subject', async () => {
  const request = await ingest('r:1', { label: 'x' });
  const graph = await audited('entity:r:1', request);
  const { body } = await server.rest('GET', '/api/v1/metadata/entities/r:1/why?depth=10');
  expect(body.data).toEqual({ nodes: graph?.nodes, links: graph?.links, next_cursor: null });
  const version = await server.rest('GET', '/api/v1/metadata/entities/r:1/why?version=1&depth=1');
  expect(kindsOf(version.body.data)).toEqual(['VERSION', 'EVENT']);
  const field = await server.rest('GET', '/api/v1/metadata/entities/r:1/why?field=label&depth=1');
  expect(kindsOf(field.body.data)).toEqual(['FIELD', 'EVENT']);
  const any = await server.rest(
    'GET',
    `/api/v1/gateway/why?subject=request:${request}&direction=forward&limit=2`,
  );
  expect(any.body).toMatchObject({
    nodes: [{ kind: 'REQUEST' }, { kind: 'EVENT' }],
    links: [{ kind: 'WROTE' }],
    next_cursor: expect.any(String),
  });
  const [run] = await allRuns(server);
  const below = await server.rest('GET', `/api/v1/workflow/runs/${run?.run_id}/why?direction=forward`);
  expect(below.body.nodes[0]).toMatchObject({ key: `run:${run?.run_id}`, kind: 'RUN', depth: 0 });
  for (const target of [
    'metadata/entities/none/why',
    'workflow/runs/none/why',
    'artifact/productions/none/why',
    'gateway/why?subject=entity:none',
  ])
    expect((await server.rest('GET', `/api/v1/${target}`)).status).toBe(404);
});
