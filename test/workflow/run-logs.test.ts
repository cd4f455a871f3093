// docs/reference/workflow.md#run-logs: what a run did, line by line, by every way that shows it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEventStream } from '../../platform/read-event-stream.ts';
import { forget } from '../../subgraphs/workflow/runs/retention.store.ts';
import { run as command } from '../cli/command-line.ts';
import type { TestServer } from '../testkit/server.ts';
import { runLog, type ShownLine } from './run-logs-testkit.ts';
import { eventually, settledRun, workflowServer } from './workflow-server.ts';

const config = (adapter: string, trigger = ''): string => `workflow:
  triggers: [{name: pull, type: manual${trigger}, retry: {attempts: 1}, action: {type: ingest, adapter: a}}]
  adapters: [{name: a, entity_type: Sample, map: {id: row.id, n: "has(row.n) ? row.n : 1"}, ${adapter}}]
`;
const start = async (server: TestServer): Promise<string> =>
  String((await server.rest('POST', '/api/v1/workflow/triggers/pull/run')).body.run_id);
const linesOf = async (server: TestServer, runId: string, query = ''): Promise<readonly ShownLine[]> => {
  const { body } = await server.rest('GET', `/api/v1/workflow/runs/${runId}/log${query}`);
  return (body as { lines: ShownLine[] }).lines;
};
const cairn = (server: TestServer, ...args: string[]) =>
  command(args, { env: { CAIRN_URL: server.url, CAIRN_KEY: server.key } });
const messages = (lines: readonly ShownLine[]): string[] =>
  lines.map(({ level, message }) => `${level} ${message.replaceAll(/\d+\.\d\d s/g, '… s')}`);

async function folder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-run-logs-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** An API of pages that answers each when told. */
async function pagedSource(answer: (page: number, res: http.ServerResponse) => void) {
  const server = http
    .createServer(({ url = '' }, res) => {
      answer(Number(new URL(url, 'http://x').searchParams.get('page')), res);
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('the log of an ingest tells of its pages, batches and refused records, in GraphQL, REST and on the command line', async () => {
  const url = await pagedSource((page, res) => {
    res.end(
      JSON.stringify(page === 1 ? [{ id: 's1' }, { id: 's2', n: 'x' }] : page === 2 ? [{ id: 7 }] : []),
    );
  });
  await using server = await workflowServer(
    config(`type: http, url: "${url}", paging: {style: page, parameter: page}`),
  );
  const runId = await start(server);
  await settledRun(server, runId);
  const lines = await linesOf(server, runId);
  expect(messages(lines)).toEqual([
    'info attempt 1 begins',
    'info the adapter a (http) is read into Sample: all records',
    'info page 1 has 2 records, and took … s',
    'info page 2 has 1 records, and took … s',
    'info page 3 has 0 records, and took … s',
    'warn record 2 is refused: IngestError: field n must be an integer',
    expect.stringMatching(/^warn record 3 is refused: IngestError: field id must be/),
    'info records 1 to 3 are written in … s: 1 created, 0 changed, 0 unchanged, 2 refused',
    'info the source has ended after … s, with 3 records',
    'info attempt 1 ends after … s as partial_success: 3 read, 1 created, 0 changed, 0 unchanged, 2 failed',
  ]);
  expect(lines.map(({ number }) => number)).toEqual(lines.map((_, i) => i + 1));
  const times = lines.map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  const { body } = await server.rest('POST', '/graphql', {
    body: {
      query: `{ run(runId: "${runId}") { log(limit: 2, after: 3) { total lines { number attempt at level message } } } }`,
    },
  });
  expect(body).toEqual({ data: { run: { log: { total: 10, lines: lines.slice(3, 5) } } } });
  expect(await linesOf(server, runId, '?after=10')).toEqual([]);
  for (const query of ['limit=0', 'limit=1001', 'after=-1', 'after=x'])
    expect((await server.rest('GET', `/api/v1/workflow/runs/${runId}/log?${query}`)).status).toBe(400);
  const wrong = `{ run(runId: "${runId}") { log(after: -1) { total } } }`;
  expect((await server.rest('POST', '/graphql', { body: { query: wrong } })).text).toContain(
    'INVALID_REQUEST',
  );
  const printed = await cairn(server, 'runs', 'log', runId, '--after', '9');
  expect(printed).toMatchObject({ status: 0 });
  expect(printed.stdout).toMatch(/^\S+Z info {2}attempt 1 ends after .+\n$/);
});

test('lines are delivered as they are written, once each, and go on after the last one that came', async () => {
  const waiting: http.ServerResponse[] = [];
  const url = await pagedSource((page, res) => {
    if (page === 1) res.end('[{"id":"s1"}]');
    else waiting.push(res);
  });
  await using server = await workflowServer(
    config(`type: http, url: "${url}", paging: {style: page, parameter: page}`),
  );
  const runId = await start(server);
  const seen: ShownLine[] = [];
  for await (const line of runLog(server, runId)) {
    seen.push(line);
    if (line.message.startsWith('page 1')) break; // while the run goes on
  }
  expect(waiting).toHaveLength(1);
  const printing = cairn(server, 'runs', 'log', runId, '--follow', '--json');
  const rest = runLog(server, runId, { after: seen.at(-1)?.number ?? 0 });
  const next = rest.next(); // it waits
  for (const res of waiting) res.end('[]');
  const { value } = await next;
  if (value) seen.push(value);
  for await (const line of rest) seen.push(line);
  expect(seen).toEqual(await linesOf(server, runId));
  expect(seen.at(-1)?.message).toContain('as success: 1 read, 1 created');
  const { stdout, status } = await printing;
  expect([
    status,
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ]).toEqual([0, seen]);
});

test('a log is text, whole, and events with its numbers, by Accept', async () => {
  const waiting: http.ServerResponse[] = [];
  const url = await pagedSource((page, res) => {
    if (page === 1)
      res.end(JSON.stringify(Array.from({ length: 1100 }, (_, i) => ({ id: `s${i}`, n: 'x' }))));
    else waiting.push(res);
  });
  await using server = await workflowServer(
    config(`type: http, url: "${url}", paging: {style: page, parameter: page}`),
  );
  const runId = await start(server);
  const get = (accept: string, query = '', headers: Record<string, string> = {}) =>
    server.rest('GET', `/api/v1/workflow/runs/${runId}/log${query}`, { headers: { accept, ...headers } });
  const seen: ShownLine[] = [];
  const ids: string[] = [];
  const gone = new AbortController();
  const response = await fetch(`${server.url}/api/v1/workflow/runs/${runId}/log?after=1`, {
    headers: { 'x-api-key': server.key, accept: 'text/event-stream' },
    signal: gone.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  // the run goes on, and what has no body ends
  for (const [run, status] of [
    [runId, 200],
    [randomUUID(), 404],
  ] as const) {
    const head = await fetch(`${server.url}/api/v1/workflow/runs/${run}/log`, {
      method: 'HEAD',
      headers: { 'x-api-key': server.key, accept: 'text/event-stream' },
      signal: AbortSignal.timeout(20_000),
    });
    expect(head.status).toBe(status);
    if (status === 200) expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  }
  for await (const { event, data, id } of readEventStream(
    response.body as unknown as AsyncIterable<Uint8Array>,
  )) {
    if (event === 'complete') break;
    seen.push(JSON.parse(data) as ShownLine);
    ids.push(String(id));
    for (const res of waiting.splice(0)) res.end('[]'); // the log was followed while the run went on
  }
  gone.abort();
  const lines = [
    ...(await linesOf(server, runId, '?limit=1000')),
    ...(await linesOf(server, runId, '?after=1000')),
  ];
  expect(lines.length).toBeGreaterThan(1000);
  expect(seen).toEqual(lines.slice(1));
  expect(ids).toEqual(lines.slice(1).map(({ number }) => String(number)));

  const text = await get('text/plain');
  expect([text.status, text.headers.get('content-type'), text.headers.get('vary')]).toEqual([
    200,
    'text/plain; charset=utf-8',
    expect.stringContaining('Accept'),
  ]);
  const printed = await cairn(server, 'runs', 'log', runId);
  expect(text.text).toBe(printed.stdout);
  expect((await get('text/plain', `?after=${lines.length - 1}`)).text.split('\n')).toHaveLength(2);
  // another form, or none of these, is the page of JSON
  for (const accept of ['application/json', '*/*', 'text/html', 'text/plain;q=0.1, application/json'])
    expect((await get(accept, '?limit=1')).body, accept).toEqual({
      lines: lines.slice(0, 1),
      total: lines.length,
    });

  const after = await get('text/event-stream', '?after=1', { 'last-event-id': String(lines.length - 1) });
  expect(after.text.match(/^id: .*$/gm)).toEqual([`id: ${lines.length}`]);
  expect(after.text).toMatch(/event: complete\ndata:\n\n$/);
  expect((await get('text/event-stream', '', { 'last-event-id': 'x' })).status).toBe(400);
  expect((await get('text/event-stream', '?as_of=2026-01-01T00:00:00Z')).status).toBe(422);
});

test('what an adapter keeps secret is neither in the log nor in the errors of the run', async () => {
  const url = await pagedSource((_, res) => {
    res.writeHead(302, { location: `http://sid-t0ken@127.0.0.9/?api_key=hush-hush` }).end();
  });
  const module = path.join(await folder(), 'm.mjs');
  await writeFile(
    module,
    `export default { async *fetch({ options, note }) {
       note('asks with ' + options.api_token + '\\nand \\u0000 forged');
       yield { id: 's1' };
       throw new Error('401 for ' + options.api_token + ' at https://u:' + options.password + '@h.test/x?y=z');
     } };`,
  );
  await using server = await workflowServer(`workflow:
  triggers:
    - {name: pull, type: manual, retry: {attempts: 1}, action: {type: ingest, adapter: a}}
    - {name: module, type: manual, retry: {attempts: 1}, action: {type: ingest, adapter: m}}
  adapters:
    - {name: a, type: http, entity_type: Sample, url: "${url}?api_key=hush-hush", headers: {authorization: "Bearer sid-t0ken"}, map: {id: row.id}}
    - {name: m, type: module, module: "${module}", entity_type: Sample, options: {api_token: tok-3n, password: pw-x1}}
`);
  for (const trigger of ['pull', 'module']) {
    const { body } = await server.rest('POST', `/api/v1/workflow/triggers/${trigger}/run`);
    const runId = String(body.run_id);
    const run = await settledRun(server, runId);
    expect(run.status).toBe('failed');
    const shown = JSON.stringify([run.errors, await linesOf(server, runId)]);
    for (const secret of ['sid-t0ken', 'hush-hush', 'tok-3n', 'pw-x1']) expect(shown).not.toContain(secret);
    expect(shown).toContain(
      trigger === 'pull' ? 'redirects to another origin' : 'asks with *** and \ufffd forged',
    );
  }
});

test('the log of a run is for who sees the run, is as it was then as of a time, and goes with the run', async () => {
  const file = path.join(await folder(), 'a.jsonl');
  await writeFile(file, '{"id":"s1"}\n');
  await using server = await workflowServer(config(`type: jsonl, source: "${file}"`, ', project: apollo'));
  const runId = await start(server);
  const before = new Date().toISOString();
  await settledRun(server, runId);
  const foreign = await server.newKey({ role: 'project_lead', project: 'gemini' });
  const own = await server.newKey({ role: 'viewer', project: 'apollo' });
  const get = (key: string) => server.rest('GET', `/api/v1/workflow/runs/${runId}/log`, { key });
  expect([(await get(own)).status, (await get(foreign)).status]).toEqual([200, 404]);
  for (const accept of ['text/plain', 'text/event-stream']) {
    const as = (key: string) =>
      server.rest('GET', `/api/v1/workflow/runs/${runId}/log`, { key, headers: { accept } });
    expect([accept, (await as(own)).status, (await as(foreign)).status]).toEqual([accept, 200, 404]);
  }
  await expect(runLog(server, runId, { key: foreign }).next()).rejects.toThrow(`run not found: ${runId}`);
  await expect(runLog(server, 'none').next()).rejects.toThrow('run not found: none');
  expect(await linesOf(server, runId, `?as_of=${before}`)).toEqual([]);
  const after = new Date(Date.now() + 1).toISOString();
  await eventually(
    async () => Date.now(),
    (now) => now > Date.parse(after),
  );
  expect(await linesOf(server, runId, `?as_of=${after}`)).toEqual(await linesOf(server, runId));
  await server.database.pool.query(
    `UPDATE workflow.run SET finished_at = now() - interval '2 days', trigger_name = NULL`,
  );
  expect(await forget(server.database.pool, 'runs', 1)).toBe(1);
  const { rows } = await server.database.pool.query('SELECT FROM workflow.run_log');
  expect(rows).toEqual([]);
});
