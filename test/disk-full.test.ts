// A disk that becomes full, with the product as it is started: writes are refused while there is still room for what
// PostgreSQL has begun, reads go on, and both return without a restart.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from './testkit/server-process.ts';

const disk = mkdtempSync(path.join(os.tmpdir(), 'cairn-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=360m,mode=755', 'cairn-test', disk], {
  encoding: 'utf8',
});
const isMounted = mounted.status === 0;
if (!isMounted) console.warn(`skipped: no file system can be mounted here: ${mounted.stderr}`);
const running: ServerProcess[] = [];

afterAll(async () => {
  for (const server of running) await server.end('SIGKILL');
  if (isMounted) {
    // PostgreSQL has its files open until it has ended
    const until = Date.now() + 20_000;
    while (spawnSync('umount', [disk]).status !== 0 && Date.now() < until) await sleep(100);
  }
  rmSync(disk, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

async function ask(server: ServerProcess, method: string, address: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(server.url + address, {
    method,
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    text: await answer.text(),
  };
}
const write = (server: ServerProcess, id: string): Promise<Answer> =>
  ask(server, 'POST', '/api/v1/metadata/ingest', {
    entity_type: 'Thing',
    id,
    data: { text: id.repeat(100) },
  });
const readiness = async (server: ServerProcess): Promise<unknown> =>
  JSON.parse((await ask(server, 'GET', '/readyz')).text);

/** Fills what is left, as another program would; returns what gives the room back. */
function fill(name: string): () => void {
  const file = path.join(disk, name);
  spawnSync('sh', ['-c', `cat /dev/zero > ${file}`]); // until there is no space left
  return () => rmSync(file, { force: true });
}

/** In an empty folder of the disk: a second try must not meet what the first has left. */
async function started(dataDir: string): Promise<ServerProcess> {
  for (const server of running.splice(0)) await server.end('SIGKILL');
  // an embedded PostgreSQL ends a little after its server, and writes until then
  for (const name of readdirSync(disk))
    rmSync(path.join(disk, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  const config = path.join(disk, 'gateway.yaml');
  writeFileSync(config, 'database: {disk_reserve: 64 MiB}\nobservability: {health: {cache_seconds: 0}}\n');
  const server = await startProcess({ dataDir, env: { CAIRN_CONFIG: config } });
  running.push(server);
  await ask(server, 'POST', '/api/v1/metadata/schemas', {
    name: 'Thing',
    version: '1',
    fields: [{ name: 'text', field_type: 'string' }],
  });
  expect((await write(server, 'first')).status).toBe(200);
  return server;
}

test.skipIf(!isMounted)(
  'nothing is 500 on a full disk: writes are 503 and reads go on, until there is room again',
  async () => {
    const server = await started(path.join(disk, 'data'));
    expect(await readiness(server)).toEqual({ status: 'ready', writes: 'open' });

    const acknowledged = ['first'];
    let isFull = false;
    const writing = Array.from({ length: 8 }, async (_, writer) => {
      const refusals: Answer[] = [];
      for (let n = 0; refusals.length < 5; n++) {
        const id = `${writer}-${n}`;
        const answer = await write(server, id);
        if (answer.status === 200) acknowledged.push(id);
        else refusals.push(answer);
        if (isFull) await sleep(20);
      }
      return refusals;
    });
    await sleep(300);
    const free = fill('others');
    isFull = true;
    for (const { status, retryAfter, text } of (await Promise.all(writing)).flat()) {
      expect([status, retryAfter], text).toEqual([503, '1']);
      expect(JSON.parse(text)).toMatchObject({ error: 'component_unavailable' });
      expect(text).toMatch(/disk is full/);
    }

    await expect.poll(() => readiness(server)).toEqual({ status: 'ready', writes: 'disk_full' });
    expect((await ask(server, 'GET', '/livez')).status).toBe(200);
    expect(JSON.parse((await ask(server, 'GET', '/api/v1/gateway/health')).text)).toMatchObject({
      status: 'degraded',
      components: { metadata: { detail: 'writes_disk_full' } },
    });
    for (const id of acknowledged.slice(-20))
      expect((await ask(server, 'GET', `/api/v1/metadata/entities/${id}`)).status).toBe(200);

    // what is tried every second or two is not told each time, with what disk the log may be on: once a minute for each cause
    const told = (): number =>
      (server.log().match(/queued \w+ could not be claimed|jobs could not be maintained/g) ?? []).length;
    const before = told();
    await sleep(8000);
    expect(server.log()).toContain('queued runs could not be claimed');
    expect(told() - before).toBeLessThan(4);

    free();
    await expect.poll(() => readiness(server)).toEqual({ status: 'ready', writes: 'open' });
    expect((await write(server, 'afterwards')).status).toBe(200);
    const { text } = await ask(server, 'GET', '/api/v1/metadata/entities?entity_type=Thing&limit=1');
    expect(JSON.parse(text)).toMatchObject({ data: { total: acknowledged.length + 1 } });
    expect(await server.end('SIGTERM')).toBe(0);
  },
);

test.skipIf(!isMounted)(
  'a PostgreSQL that ended because it could not write its log starts again when there is room',
  async () => {
    const dataDir = path.join(disk, 'other');
    const server = await started(dataDir);
    const free = fill('others');
    await expect.poll(() => readiness(server)).toEqual({ status: 'ready', writes: 'disk_full' });
    await sleep(600); // what the reserve held is free now
    const freeAll = fill('more');
    const of = (name: string): string => readFileSync(path.join(dataDir, 'postgres', name), 'utf8');
    const client = new pg.Client(
      `postgresql://cairn_superuser:${of('cairn_superuser-password')}@${of('address')}/cairn`,
    );
    client.on('error', () => undefined); // the server ends
    await client.connect();
    await client.query('SET default_transaction_read_only = off');
    const use = async (): Promise<void> => {
      for (let n = 0; n < 10; n++) await client.query('SELECT txid_current(); SELECT pg_switch_wal()');
    };
    await expect(use()).rejects.toThrow(/No space left on device|terminat/);
    await client.end().catch(() => undefined);

    await expect.poll(async () => (await write(server, 'refused')).status).toBe(503);
    expect((await ask(server, 'GET', '/livez')).status).toBe(200);
    free();
    freeAll();
    await expect.poll(() => readiness(server)).toEqual({ status: 'ready', writes: 'open' });
    expect((await write(server, 'afterwards')).status).toBe(200);
    expect((await ask(server, 'GET', '/api/v1/metadata/entities/first')).status).toBe(200);
  },
);
