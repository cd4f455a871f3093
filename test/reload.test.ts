// SIGHUP to a server of one process: another configuration, without a dropped request, a lost tick or a
// second process.
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchDirectory } from './testkit/scratch-space.ts';
import { type ServerProcess, startProcess } from './testkit/server-process.ts';

const CLIENTS = 4;
let directory: string;
let server: ServerProcess;

const triggersNamed = (name: string, schedule: string): string => `workflow:
  adapters: [{name: none, type: jsonl, source: ${path.join(directory, 'none.jsonl')}, entity_type: Thing, map: {id: row.id}}]
  triggers:
    - {name: ${name}, type: schedule, schedule: "${schedule}", action: {type: ingest, adapter: none}}
`;
const configure = (more: string): Promise<void> =>
  writeFile(
    path.join(directory, 'gateway.yaml'),
    `observability: {log_level: info}\nrate_limit: {enabled: false}\n${more}${triggersNamed('every-second', '* * * * * *')}`,
  );
const hangUp = (): void => {
  process.kill(server.pid, 'SIGHUP');
};
const taken = (): number => server.log().split('the configuration was reloaded').length - 1;
const refused = (): number => server.log().split('the configuration was not reloaded').length - 1;

beforeAll(async () => {
  directory = scratchDirectory('reload');
  await writeFile(path.join(directory, 'none.jsonl'), '');
  await configure('');
  server = await startProcess({
    dataDir: path.join(directory, 'data'),
    env: { CAIRN_CONFIG: path.join(directory, 'gateway.yaml') },
  });
});
afterAll(async () => {
  await server.end('SIGTERM');
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

const get = async (target: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + target, { headers: { 'x-api-key': server.key, ...headers } });

/** Times of the schedule's firings, in milliseconds. */
async function ticks(): Promise<number[]> {
  const asked = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ runs(limit: 1000) { runs { cause } } }' }),
  });
  const { data } = (await asked.json()) as { data: { runs: { runs: { cause: { tick: string } }[] } } };
  return data.runs.runs.map(({ cause }) => Date.parse(cause.tick));
}

/** Sends requests over one connection until `over`; returns the numbers of successes and failures. */
async function ask(over: AbortSignal): Promise<{ answered: number; failed: number }> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const counts = { answered: 0, failed: 0 };
  while (!over.aborted) {
    const status = await new Promise<number>((resolve) => {
      http
        .get(
          `${server.url}/api/v1/metadata/entities`,
          { agent, headers: { 'x-api-key': server.key } },
          (res) => {
            res.resume().on('end', () => {
              resolve(res.statusCode ?? 0);
            });
          },
        )
        .on('error', () => {
          resolve(0);
        });
    });
    counts[status === 200 ? 'answered' : 'failed']++;
    await sleep(5);
  }
  agent.destroy();
  return counts;
}

test('drops no request, ends streams, and answers by the new configuration; schedules go on, no second ticked twice', async () => {
  const over = new AbortController();
  const clients = Array.from({ length: CLIENTS }, () => ask(over.signal));
  const stream = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': server.key, accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'subscription { provenanceEvents { token } }' }),
  });
  for (const origin of ['https://one.example.org', 'https://two.example.org', 'https://three.example.org']) {
    const before = taken();
    await configure(`cors: {allowed_origins: ["${origin}"]}\n`);
    hangUp();
    await expect.poll(taken).toBe(before + 1);
    expect((await get('/livez', { origin })).headers.get('access-control-allow-origin')).toBe(origin);
    await sleep(1000);
  }
  await stream.text(); // it has ended
  over.abort();
  const counts = await Promise.all(clients);
  expect(counts.map(({ failed }) => failed)).toEqual(counts.map(() => 0));
  expect(counts.every(({ answered }) => answered > 0)).toBe(true);
  const reloaded = Date.now();
  await expect.poll(async () => Math.max(...(await ticks()))).toBeGreaterThan(reloaded);
  const all = await ticks();
  expect(new Set(all).size).toBe(all.length);
});

test('a configuration that cannot be reloaded is reported, and nothing changes', async () => {
  for (const [more, told] of [
    ['cors: {allowed_origins: 7}\n', /cors\.allowed_origins/],
    ['server: {workers: 3}\n', /server\.workers cannot change while the server runs/],
    ['server: {host: "0.0.0.0"}\n', /server\.host cannot change/],
  ] as const) {
    const before = refused();
    await configure(more);
    hangUp();
    await expect.poll(refused).toBe(before + 1);
    expect(server.log().split('was not reloaded').at(-1)).toMatch(told);
    expect((await get('/readyz')).status).toBe(200);
    expect(await (await get('/api/v1/gateway/metrics')).text()).toMatch(/^cairn_config_reload_failed 1$/m);
  }
});

test('SIGTERM after reloads ends the process with status 0', async () => {
  expect(await server.end('SIGTERM')).toBe(0);
});

test('a component by itself takes its configuration anew as well', async () => {
  await configure('');
  server = await startProcess({
    dataDir: path.join(directory, 'data'),
    args: ['start', 'workflow'],
    env: { CAIRN_CONFIG: path.join(directory, 'gateway.yaml') },
  });
  const triggers = async (): Promise<string[]> => {
    const answer = await fetch(`${server.url}/triggers`, {
      headers: {
        'x-platform-actor': 'user:ada',
        'x-platform-roles': 'viewer',
        'x-platform-projects': '*',
        'x-platform-request-id': randomUUID(),
      },
    });
    return Object.keys((await answer.json()) as Record<string, unknown>);
  };
  expect(await triggers()).toEqual(['every-second']);
  await writeFile(
    path.join(directory, 'gateway.yaml'),
    `observability: {log_level: info}\n${triggersNamed('every-hour', '0 0 * * * *')}`,
  );
  hangUp();
  await expect.poll(taken).toBe(1);
  expect(await triggers()).toEqual(['every-hour']);
});
