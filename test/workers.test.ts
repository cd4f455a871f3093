// `server.workers: n`: several processes behind one port are one deployment
// (docs/reference/gateway.md#workers).
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KeptConnection, keptConnection } from './testkit/kept-connection.ts';
import { scratchDirectory } from './testkit/scratch-space.ts';
import { type ServerProcess, startProcess } from './testkit/server-process.ts';

const WORKERS = 4;
const CONNECTIONS = 16;
/** Numbers of workers, and of connections, while all workers are replaced. */
const FEWER_WORKERS = 2;
const FEWER = 6;
/** Pause between two requests of one connection: starting workers need some of the processor. */
const PAUSE_MS = 40;
const ENTITIES = '/api/v1/metadata/entities';

let directory: string;
let server: ServerProcess;

const configure = (more: string, workers = WORKERS, listening = ''): Promise<void> =>
  writeFile(
    path.join(directory, 'gateway.yaml'),
    `server: {port: 0, workers: ${workers}${listening}}\nobservability: {log_level: info}\n${more}`,
  );

/** Every worker that the log has named, alive or not. */
const pids = (): number[] => [
  ...new Set(
    [...server.log().matchAll(/workers?=\[?([\d,]+)/g)].flatMap(([, list = '']) =>
      list.split(',').map(Number),
    ),
  ),
];
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // there is no such process
  }
};
const living = (): number[] => pids().filter(isAlive);

const client = (): KeptConnection => keptConnection(server.url);

/**
 * Sends requests on every connection in sequence while `during` lasts; returns the failures by connection,
 * and the number of successes.
 */
async function underLoad(
  clients: readonly KeptConnection[],
  during: () => Promise<void>,
): Promise<{ failures: number[]; answered: number }> {
  let over = false;
  let answered = 0;
  const loops = clients.map(async ({ ask }) => {
    let failures = 0;
    while (!over) {
      const status = await ask(ENTITIES, server.key).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 200) answered++;
      else failures++;
      await sleep(PAUSE_MS);
    }
    return failures;
  });
  try {
    await during();
  } finally {
    over = true;
  }
  return { failures: await Promise.all(loops), answered };
}

const post = (target: string, body: unknown): Promise<Response> =>
  fetch(server.url + target, {
    method: 'POST',
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

beforeAll(async () => {
  directory = scratchDirectory('workers');
  await configure('');
  server = await startProcess({
    dataDir: path.join(directory, 'data'),
    env: { CAIRN_CONFIG: path.join(directory, 'gateway.yaml'), CAIRN_PORT: '0' },
  });
});

afterAll(async () => {
  await server.end('SIGKILL');
  await sleep(500); // the embedded database stops with its last user
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

test('all workers are counted in one set of metrics and write one audit file, a line for each request', async () => {
  expect(living()).toHaveLength(WORKERS);
  const clients = Array.from({ length: CONNECTIONS }, client);
  for (const { ask } of clients) expect((await ask(`${ENTITIES}?limit=1`, server.key)).status).toBe(200);
  const labels = `{method="GET",path_prefix="${ENTITIES}",status="200"}`;
  const metrics = async () => (await clients[0]?.ask('/api/v1/gateway/metrics', server.key))?.text;
  // a worker that is held up is waited for so long, and counted at the next look
  await expect.poll(metrics).toContain(`gateway_requests_total${labels} ${CONNECTIONS}\n`);
  await expect
    .poll(metrics)
    .toContain(
      `gateway_request_duration_seconds_count{method="GET",path_prefix="${ENTITIES}"} ${CONNECTIONS}\n`,
    );
  const file = path.join(directory, 'data', 'audit.jsonl');
  const lines = async (): Promise<string[]> =>
    (await readFile(file, 'utf8')).split('\n').filter((line) => line.includes(ENTITIES));
  await expect.poll(async () => (await lines()).length).toBe(CONNECTIONS);
  expect(
    new Set((await lines()).map((line) => (JSON.parse(line) as { request_id: string }).request_id)).size,
  ).toBe(CONNECTIONS);
  for (const one of clients) one.end();
});

test('a key that is revoked is refused by every worker within two seconds', async () => {
  const made = (await (
    await post('/api/v1/gateway/auth/api-keys', { label: 'short-lived', role: 'viewer' })
  ).json()) as { id: string; secret: string };
  const clients = Array.from({ length: CONNECTIONS }, client);
  for (const { ask } of clients) expect((await ask(ENTITIES, made.secret)).status).toBe(200);
  const revoked = await fetch(`${server.url}/api/v1/gateway/auth/api-keys/${made.id}`, {
    method: 'DELETE',
    headers: { 'x-api-key': server.key },
  });
  expect(revoked.status).toBe(200);
  await sleep(2000);
  for (const one of clients) {
    const { status, text } = await one.ask(ENTITIES, made.secret);
    expect([status, (JSON.parse(text) as { error: string }).error]).toEqual([401, 'revoked_token']);
    one.end();
  }
});

test('kill -9 of one worker drops what was under way on its own connections, and another takes its place', async () => {
  const clients = Array.from({ length: CONNECTIONS }, client);
  const [victim = 0] = living();
  const { failures } = await underLoad(clients, async () => {
    await sleep(500);
    process.kill(victim, 'SIGKILL');
    await expect.poll(server.log).toContain('a worker has replaced one that had ended');
    await sleep(500);
  });
  expect(isAlive(victim)).toBe(false);
  expect(living()).toHaveLength(WORKERS);
  const dropped = failures.filter((n) => n > 0).length;
  // a connection lost its one request, and another process served the next one
  expect(Math.max(...failures)).toBeLessThanOrEqual(1);
  expect(dropped).toBeLessThan(CONNECTIONS); // so other processes serve as well
  for (const one of clients) one.end();
});

const reloadFailed = async (): Promise<string | undefined> => {
  const metrics = await fetch(`${server.url}/api/v1/gateway/metrics`);
  return /^cairn_config_reload_failed (\d)$/m.exec(await metrics.text())?.[1];
};

test('SIGHUP under load drops nothing and brings the new configuration, fewer workers included; one with faults is told and not taken', async () => {
  const clients = Array.from({ length: FEWER }, client);
  const before = living();
  await configure('graphql: {introspection: maybe}\n');
  const hangUp = (): void => {
    process.kill(server.pid, 'SIGHUP');
  };
  const { failures, answered } = await underLoad(clients, async () => {
    hangUp();
    await expect.poll(server.log).toMatch(/the configuration was not reloaded[^]*graphql\.introspection/);
    expect(living()).toEqual(before);
    expect(await reloadFailed()).toBe('1');
    await configure('cors: {max_age: 7}\n', WORKERS, ', host: "127.0.0.2"');
    hangUp();
    await expect
      .poll(server.log)
      .toMatch(/the configuration was not reloaded[^]*server\.host cannot change while the server runs/);
    expect(living()).toEqual(before);
    await configure('cors: {allowed_origins: ["https://app.example.org"]}\n', FEWER_WORKERS);
    hangUp();
    await expect.poll(server.log, { timeout: 200_000 }).toContain('all workers use the new configuration');
  });
  expect(await reloadFailed()).toBe('0');
  expect(failures).toEqual(clients.map(() => 0));
  expect(answered).toBeGreaterThan(FEWER);
  expect(before.filter(isAlive)).toEqual([]);
  expect(living()).toHaveLength(FEWER_WORKERS);
  const { headers } = await fetch(server.url + ENTITIES, {
    headers: { 'x-api-key': server.key, origin: 'https://app.example.org' },
  });
  expect(headers.get('access-control-allow-origin')).toBe('https://app.example.org');
  for (const one of clients) one.end();
});

test('SIGTERM lets what is in flight end, exits 0 and leaves no process', async () => {
  const workers = living();
  const inFlight = fetch(server.url + ENTITIES, { headers: { 'x-api-key': server.key } });
  await sleep(20);
  expect(await server.end('SIGTERM')).toBe(0);
  expect((await inFlight).status).toBe(200);
  expect(workers).toHaveLength(FEWER_WORKERS);
  expect(workers.filter(isAlive)).toEqual([]);
});
