// docs/reference/workflow.md#action-failure-rules, docs/reference/workflow.md#adapters: runs of the whole
// platform, requested over HTTP.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { settledRun, workflowServer } from './workflow-server.ts';

const folder = async (
  files: Record<string, string>,
): Promise<{ dir: string; [Symbol.asyncDispose](): Promise<void> }> => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-adapter-'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
};
const adapter = (type: string, source: string, more = ''): string =>
  `{name: a, type: ${type}, entity_type: Sample, source: "${source}", map: {id: row.id, label: row.label, n: int(row.n)}${more}}`;
const config = (adapterText: string): string => `workflow:
  triggers:
    - {name: pull, type: manual, action: {type: ingest, adapter: a}}
    - {name: again, type: manual, action: {type: ingest, adapter: a, incremental: true}}
  adapters:
    - ${adapterText}
`;

const FILES = {
  'ok.csv': '\uFEFFid,label,n\ns1,"one, ü",1\ns2,two,2\n',
  'ok.tsv': 'id\tlabel\tn\ns1\tone, ü\t1\ns2\ttwo\t2\n',
  'ok.jsonl': '{"id":"s1","label":"one, ü","n":1}\n\n{"id":"s2","label":"two","n":2}',
  'ok.json': '{"page":{"items":[{"id":"s1","label":"one, ü","n":1},{"id":"s2","label":"two","n":2}]}}',
};

test.each([
  ['csv', ''],
  ['tsv', ''],
  ['jsonl', ''],
  ['json', ', records: page.items'],
])('%s: records become entities, a second pull changes nothing', async (type, more) => {
  await using files = await folder(FILES);
  await using server = await workflowServer(config(adapter(type, path.join(files.dir, `ok.${type}`), more)));
  const started = await server.rest('POST', '/api/v1/workflow/triggers/pull/run');
  expect(started).toMatchObject({
    status: 202,
    body: { run_id: expect.any(String), status: 'queued', trigger: 'pull' },
  });
  const run = await settledRun(server, started.body.run_id);
  expect(run).toMatchObject({
    status: 'success',
    records_fetched: 2,
    records_created: 2,
    records_updated: 0,
    records_skipped: 0,
    records_failed: 0,
    errors: [],
    cause: { actor: expect.any(String) },
  });
  expect((await server.rest('GET', '/api/v1/metadata/entities/s1')).body.data.data).toEqual({
    label: 'one, ü',
    n: 1,
  });
  expect((await server.rest('GET', '/api/v1/metadata/entities/s1/history')).body.data[0]).toMatchObject({
    actor: 'service:workflow',
    context: { run_id: started.body.run_id },
  });

  const second = await server.rest('POST', '/api/v1/workflow/runs', {
    body: { action: { type: 'ingest', adapter: 'a' }, context: { why: 'again' } },
  });
  expect(second).toMatchObject({
    status: 202,
    body: { status: 'queued', poll_url: `/api/v1/workflow/runs/${second.body.run_id}` },
  });
  expect(await settledRun(server, second.body.run_id)).toMatchObject({
    status: 'success',
    records_fetched: 2,
    records_skipped: 2,
    cause: { context: { why: 'again' } },
    trigger_name: null,
  });
  const { body } = await server.graphql('query($id: ID!) { run(runId: $id) { produced entities { id } } }', {
    id: started.body.run_id,
  });
  expect(body.data.run).toEqual({
    produced: [
      { entity_id: 's1', entity_type: 'Sample' },
      { entity_id: 's2', entity_type: 'Sample' },
    ],
    entities: [{ id: 's1' }, { id: 's2' }],
  });
  expect((await server.rest('GET', '/api/v1/workflow/triggers/pull')).body).toMatchObject({
    last_result: 'success',
    last_run: expect.any(String),
  });
});

test('records that cannot be read, mapped or stored fail alone, are listed, and the counts are exact', async () => {
  const lines = [
    ...Array.from({ length: 1200 }, (_, i) => JSON.stringify({ id: `s${i}`, label: 'x', n: i })),
    '{"id": broken',
    JSON.stringify({ id: 't1', label: 'x' }),
    JSON.stringify({ id: 't2', label: 5, n: 1 }),
    JSON.stringify({ id: 's0', label: 'other', n: 0 }),
    JSON.stringify({ id: 'a/b', label: 'x', n: 1 }),
    JSON.stringify({ id: 's1', label: 'x', n: 1 }),
  ];
  await using files = await folder({ 'bad.jsonl': lines.join('\n') });
  await using server = await workflowServer(config(adapter('jsonl', path.join(files.dir, 'bad.jsonl'))));
  const run = await settledRun(
    server,
    (await server.rest('POST', '/api/v1/workflow/triggers/pull/run')).body.run_id,
  );
  expect(run).toMatchObject({
    status: 'partial_success',
    records_fetched: 1206,
    records_created: 1200,
    records_updated: 1,
    records_skipped: 1,
    records_failed: 4,
  });
  expect(run.errors.map((error: { type: string; record: number }) => [error.record, error.type])).toEqual([
    [1201, 'AdapterTransformError'],
    [1202, 'AdapterTransformError'],
    [1203, 'IngestError'],
    [1205, 'IngestError'],
  ]);
});

test('a source that cannot be fetched, or breaks off, fails the run; what came before stays', async () => {
  const source = http
    .createServer((req, res) => {
      if (req.url === '/missing') return void res.writeHead(404).end();
      res.writeHead(200);
      res.write(
        Array.from({ length: 600 }, (_, i) => `${JSON.stringify({ id: `s${i}`, label: 'x', n: i })}\n`).join(
          '',
        ),
      );
      setTimeout(() => res.destroy(), 300);
    })
    .listen(0, '127.0.0.1');
  await once(source, 'listening');
  const at = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  for (const [target, counts] of [
    ['/missing', { records_fetched: 0, records_failed: 0 }],
    ['/broken', { records_fetched: 600, records_created: 500, records_failed: 100 }],
  ] as const) {
    await using server = await workflowServer(config(adapter('jsonl', at + target)));
    const run = await settledRun(
      server,
      (await server.rest('POST', '/api/v1/workflow/triggers/pull/run')).body.run_id,
    );
    expect(run).toMatchObject({ status: 'failed', ...counts });
    expect(run.errors.at(-1)).toMatchObject({ type: 'AdapterFetchError' });
  }
  source.closeAllConnections();
  source.close();
});

test('an incremental pull asks for what changed since the last complete run began; the first asks for everything', async () => {
  const asked: string[] = [];
  const source = http
    .createServer((req, res) => {
      asked.push(req.url ?? '');
      res.end('[]');
    })
    .listen(0, '127.0.0.1');
  await once(source, 'listening');
  await using server = await workflowServer(
    config(
      adapter('json', `http://127.0.0.1:${(source.address() as AddressInfo).port}/list?since={since}&all=1`),
    ),
  );
  const first = await settledRun(
    server,
    (await server.rest('POST', '/api/v1/workflow/triggers/again/run')).body.run_id,
  );
  await settledRun(server, (await server.rest('POST', '/api/v1/workflow/triggers/again/run')).body.run_id);
  expect(asked).toEqual(['/list?all=1', `/list?since=${encodeURIComponent(first.started_at)}&all=1`]);
  // the trigger has another adapter now: the former one's result does not apply
  await server.database.pool.query("UPDATE workflow.run SET adapter = 'another'");
  await settledRun(server, (await server.rest('POST', '/api/v1/workflow/triggers/again/run')).body.run_id);
  expect(asked.at(-1)).toBe('/list?all=1');
  source.close();
});

test('who may not run triggers is refused; unknown triggers, adapters and actions are told apart', async () => {
  await using server = await workflowServer(config(adapter('csv', '/nowhere.csv')));
  const key = await server.newKey({ role: 'viewer' });
  expect(await server.rest('POST', '/api/v1/workflow/triggers/pull/run', { key })).toMatchObject({
    status: 403,
    body: { error: 'insufficient_role' },
  });
  expect(await server.rest('POST', '/api/v1/workflow/triggers/none/run')).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  });
  expect(
    await server.rest('POST', '/api/v1/workflow/triggers/pull/run', { body: 'x'.repeat(1024 * 1024 + 1) }),
    'a body that nobody wants',
  ).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
  expect((await server.rest('GET', '/api/v1/workflow/runs')).body.total).toBe(0);
  expect(await server.rest('POST', '/api/v1/workflow/triggers/pull/run', { body: {} })).toMatchObject({
    status: 202,
  });
  const submit = (body: unknown) => server.rest('POST', '/api/v1/workflow/runs', { body });
  expect(await submit({ action: { type: 'ingest', adapter: 'none' } })).toMatchObject({
    status: 422,
    body: { error: 'validation_failed' },
  });
  for (const action of [
    undefined,
    null,
    'ingest',
    {},
    { type: 'ingest' },
    { type: 'ingest', adapter: 'a', extra: 1 },
    { type: 'resolve' },
  ]) {
    expect(await submit({ action }), JSON.stringify(action)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  }
  const action = { type: 'ingest', adapter: 'a' };
  for (const [name, more] of Object.entries({ project: 'p1', contxt: { project: 'p1' } }))
    expect(await submit({ action, [name]: more })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: { field: name } },
    });
  const scoped = await server.newKey({ role: 'analyst', project: 'p1' });
  expect(
    await server.rest('POST', '/api/v1/workflow/runs', {
      key: scoped,
      body: { action: { type: 'ingest', adapter: 'a' }, context: { project: 'p2' } },
    }),
  ).toMatchObject({ status: 403, body: { error: 'project_scope_denied' } });
});
