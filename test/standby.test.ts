// The built product over a standby of PostgreSQL: it reads what the primary has, refuses writes, and writes from when the
// standby is promoted, without a restart (docs/operations.md#standbys).
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type ServerProcess, startProcess } from './testkit/server-process.ts';
import { mortalPostgres } from './workflow/mortal-postgres.ts';

interface Told {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function ask({ url, key }: ServerProcess, target: string, body?: unknown): Promise<Told> {
  const answer = await fetch(`${url}${target}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Told['body'] };
}

const register = (server: ServerProcess, name: string): Promise<Told> =>
  ask(server, '/api/v1/metadata/schemas', {
    name,
    version: '1.0.0',
    fields: [{ name: 'a', field_type: 'string' }],
  });
const ingest = (server: ServerProcess, entity_type: string, id: string): Promise<Told> =>
  ask(server, '/api/v1/metadata/ingest', { entity_type, id, data: { a: id } });

test('a process on a standby reads, refuses writes, and writes when the standby is promoted', async () => {
  await using primary = await mortalPostgres();
  const space = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-standby-'));
  onTestFinished(() => {
    fs.rmSync(space, { recursive: true, force: true });
  });
  const [first, second] = [path.join(space, 'first'), path.join(space, 'second')];
  const one = await startProcess({ dataDir: first, env: { DATABASE_URL: primary.url } });
  try {
    expect((await register(one, 'Before')).status).toBe(200);
    expect((await ingest(one, 'Before', 'before:1')).status).toBe(200);
    await using standby = await mortalPostgres(primary);
    fs.mkdirSync(second);
    fs.copyFileSync(path.join(first, 'admin-key'), path.join(second, 'admin-key'));
    const other = await startProcess({ dataDir: second, env: { DATABASE_URL: standby.url } });
    try {
      expect((await ask(other, '/api/v1/metadata/entities/before:1')).status).toBe(200);
      expect((await ask(other, '/readyz')).body).toEqual({ status: 'ready', writes: 'read_only' });
      expect(await ingest(other, 'Before', 'before:2')).toMatchObject({
        status: 503,
        body: { error: 'component_unavailable' },
      });

      // what the primary is told, the standby's process knows within seconds: it cannot be notified
      await register(one, 'After');
      await ingest(one, 'After', 'after:1');
      await expect
        .poll(async () => (await ask(other, '/api/v1/metadata/entities?entity_type=After')).status, {
          timeout: 120_000,
        })
        .toBe(200);

      expect((await ask(other, '/api/v1/artifact/staleness')).status).toBe(200);
      await sleep(1000); // until what it would note of these requests
      expect(other.log()).not.toMatch(/last use of API keys|could not be noted/);

      await primary.kill('SIGKILL');
      const admin = new pg.Client(standby.url);
      await admin.connect();
      await admin.query('SELECT pg_promote()');
      await admin.end();
      await expect.poll(async () => (await ingest(other, 'After', 'after:2')).status).toBe(200);
      await expect.poll(other.log).toContain('this process writes now');
      expect((await ask(other, '/readyz')).body).toEqual({ status: 'ready', writes: 'open' });
    } finally {
      await other.end('SIGTERM');
    }
  } finally {
    await one.end('SIGKILL');
  }
});
