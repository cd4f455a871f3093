// A backup is recorded in the database that it is of, and administrators read the records (docs/reference/backups.md#records).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { type Instance, startInstance } from '../archive/archive-testkit.ts';
import { makeHistory } from '../archive/random-history.ts';
import { asSuperuser } from '../testkit/database.ts';
import type { TestServer } from '../testkit/server.ts';
import { backUp, emptyPlace, restoreTo, type Scratch, scratchFolder, serve } from './backup-testkit.ts';

interface Recorded {
  readonly id: string;
  readonly kind: string;
  readonly destination: string;
  readonly encrypted: boolean;
  readonly host: string;
  readonly actor: string;
  readonly status: string;
  readonly error: string | null;
  readonly bytes: number | null;
  readonly position: string | null;
  readonly lost_files: number | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly restored_at: string | null;
}
interface List {
  readonly backups: readonly Recorded[];
  readonly next_cursor: string | null;
  readonly last_completed_at: string | null;
  readonly archive: unknown;
}

let first: Instance & AsyncDisposable;
let folder: Scratch;
beforeAll(async () => {
  first = await startInstance();
  folder = await scratchFolder();
  await makeHistory(first, 7, 30);
});
afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
const at = (name: string): string => path.join(folder.dir, name);

async function list(query = '', server: Pick<TestServer, 'rest'> = first): Promise<List> {
  const { status, body, text } = await server.rest('GET', `/api/v1/gateway/backups${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body as List;
}
const newest = async (server: Pick<TestServer, 'rest'> = first): Promise<Recorded> => {
  const [record] = (await list('?limit=1', server)).backups;
  if (record === undefined) throw new Error('there is no record');
  return record;
};
const metric = async (
  server: Pick<TestServer, 'rest'>,
  name = 'cairn_backup_last_success_timestamp_seconds',
): Promise<number> => {
  const { text } = await server.rest('GET', '/api/v1/gateway/metrics');
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
};
const forget = () => asSuperuser('DELETE FROM gateway.backup', first.databaseName);

test('without a backup there is none, and the metric is 0', async () => {
  await forget();
  expect(await list()).toEqual({ backups: [], next_cursor: null, last_completed_at: null, archive: null });
  expect(await metric(first)).toBe(0);
});

test('one that completes is recorded; what is restored from it says so, and is not running', async () => {
  const place = at('whole');
  const { manifest, isRecorded } = await backUp(first.config, place, { passphrase: 'correct horse battery' });
  expect(isRecorded).toBe(true);
  const record = await newest();
  const rows = manifest.sections.flatMap(({ parts }) => parts.map(({ bytes }) => bytes));
  expect(record).toMatchObject({
    id: manifest.id,
    kind: 'directory',
    destination: place,
    encrypted: true,
    host: os.hostname(),
    actor: `os:${os.userInfo().username}`,
    status: 'completed',
    error: null,
    bytes: rows.reduce((sum, bytes) => sum + bytes, manifest.files.bytes),
    position: String(manifest.position),
    lost_files: 0,
    restored_at: null,
  });
  expect((record.finished_at ?? '') > record.started_at).toBe(true);
  expect((await list()).last_completed_at).toBe(record.started_at);
  const { body } = await first.graphql(
    '{ backups { lastCompletedAt backups { id kind status startedAt } } }',
  );
  expect(body.data.backups).toMatchObject({
    lastCompletedAt: record.started_at,
    backups: [{ id: manifest.id, kind: 'directory', status: 'completed', startedAt: record.started_at }],
  });

  await using empty = await emptyPlace();
  await restoreTo(empty, place, { passphrase: 'correct horse battery' });
  await using second = await serve(empty, first);
  const restored = await newest(second);
  expect(restored).toEqual({ ...record, finished_at: null, restored_at: expect.any(String) });
  // seconds of the double with microseconds
  expect(await metric(second)).toBeCloseTo(new Date(record.started_at).getTime() / 1000, 2);
  expect(await metric(second, 'cairn_backup_last_success_bytes')).toBe(record.bytes);
  expect(await metric(second, 'cairn_backups{status="completed"}')).toBe(1);
  expect(await metric(second, 'cairn_backups{status="failed"}')).toBe(0);
});

test('one that fails says why, also where its place takes nothing, or a signal ends it', async () => {
  await writeFile(at('there.tar'), 'x');
  await expect(backUp(first.config, at('there.tar'))).rejects.toThrow('is there already');
  expect(await newest()).toMatchObject({
    kind: 'file',
    destination: at('there.tar'),
    status: 'failed',
    error: expect.stringContaining('is there already'),
    bytes: null,
    finished_at: expect.any(String),
  });
  const aborting = new AbortController();
  aborting.abort(new Error('SIGTERM: the backup was not written'));
  await expect(backUp(first.config, at('aborted'), {}, { signal: aborting.signal })).rejects.toThrow(
    'SIGTERM',
  );
  expect(await newest()).toMatchObject({ status: 'failed', error: 'SIGTERM: the backup was not written' });
  await expect(backUp(first.config, 's3://who:hush@bucket.invalid/prefix?key=hush')).rejects.toThrow();
  const { destination, error } = await newest();
  expect(destination).toBe('s3://bucket.invalid/prefix');
  expect(`${destination} ${error}`).not.toContain('hush');
});

test(
  'one that is killed is running until its session ends, and failed from then on',
  { timeout: 120_000 },
  async () => {
    await forget();
    const { store } = first.config.artifact;
    if (store.type !== 'file') throw new Error('it has a directory');
    const yaml = at('killed.yaml');
    await writeFile(yaml, `artifact: {store: {type: file, path: "${store.path}"}}\n`);
    await mkdir(at('killed-data'));
    const holder = new pg.Client({ connectionString: first.config.database.url });
    await holder.connect();
    // the command gets as far as the table, and waits
    await holder.query('BEGIN; LOCK TABLE metadata.entity IN ACCESS EXCLUSIVE MODE');
    const child = spawn(process.execPath, ['cli/cairn.mjs', 'backup', at('killed')], {
      cwd: projectRoot,
      env: {
        ...process.env,
        CAIRN_CONFIG: yaml,
        CAIRN_DATA_DIR: at('killed-data'),
        DATABASE_URL: first.config.database.url ?? '',
      },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    try {
      while ((await list()).backups.length === 0) {
        expect(child.exitCode).toBeNull();
        await sleep(50);
      }
      expect(await newest()).toMatchObject({ status: 'running', error: null, finished_at: null });
      child.kill('SIGKILL');
      await ended;
      await holder.query('ROLLBACK');
      await expect.poll(async () => (await newest()).status).toBe('failed');
      expect(await newest()).toMatchObject({
        error: expect.stringContaining('interrupted'),
        finished_at: null,
      });
    } finally {
      child.kill('SIGKILL');
      await holder.end();
    }
    // the next one notes it for good, beside which a record that runs is believed
    const { manifest } = await backUp(first.config, at('killed'));
    const stored = await asSuperuser<{ id: string; status: string }>(
      'SELECT id, status FROM gateway.backup ORDER BY started_at DESC',
      first.databaseName,
    );
    expect(stored.map(({ status }) => status)).toEqual(['completed', 'failed']);
    expect(stored[0]?.id).toBe(manifest.id);
  },
);

test('several at once are one after another, each with its record; only one of them runs at a time', async () => {
  await forget();
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const running = (await list()).backups.filter(({ status }) => status === 'running');
      most = Math.max(most, running.length);
      await sleep(5);
    }
  })();
  const made = await Promise.all([1, 2, 3].map((n) => backUp(first.config, at(`beside-${n}`))));
  isOver = true;
  await watching;
  const { backups } = await list();
  expect(backups.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  expect(backups.map(({ id }) => id).sort()).toEqual(made.map(({ manifest }) => manifest.id).sort());
  expect(most).toBe(1);
});

test('a database that takes no record is backed up all the same, and it is said', async () => {
  await asSuperuser('ALTER TABLE gateway.backup RENAME COLUMN host TO elsewhere', first.databaseName);
  try {
    expect((await backUp(first.config, at('unrecorded'))).isRecorded).toBe(false);
  } finally {
    await asSuperuser('ALTER TABLE gateway.backup RENAME COLUMN elsewhere TO host', first.databaseName);
  }
});

test('the last thousand are kept, and the last that completed; pages have each once', async () => {
  await forget();
  await asSuperuser(
    `INSERT INTO gateway.backup (id, kind, destination, encrypted, host, actor, status, started_at)
     SELECT 'b' || n, 'file', 'x', false, 'h', 'os:x', CASE n WHEN 1 THEN 'completed' ELSE 'failed' END, '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 hour'
     FROM generate_series(0, 1200) n`,
    first.databaseName,
  );
  await writeFile(at('again.tar'), 'x');
  await expect(backUp(first.config, at('again.tar'))).rejects.toThrow('is there already');
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: List = await list(`?limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`);
    found.push(...page.backups.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(found).toHaveLength(1001);
  expect(new Set(found).size).toBe(1001);
  expect(found.at(-1)).toBe('b1');
  expect((await list()).last_completed_at).toBe('2026-01-01T00:00:00.000000Z');
  await rm(at('again.tar'));
});

test('administrators of all projects read them, and nobody else', async () => {
  const asked = async (rights: Parameters<Instance['newKey']>[0]): Promise<unknown[]> => {
    const key = await first.newKey(rights);
    const { status, text } = await first.rest('GET', '/api/v1/gateway/backups', { key });
    const { body: told } = await first.graphql('{ backups { nextCursor } }', {}, { key });
    return [
      status,
      /insufficient_role|project_scope_denied/.exec(text)?.[0],
      told.errors?.[0]?.extensions.code,
    ];
  };
  expect(await asked({ role: 'project_lead', label: 'lead' })).toEqual([
    403,
    'insufficient_role',
    'INSUFFICIENT_ROLE',
  ]);
  expect(await asked({ role: 'admin', project: 'alpha', label: 'one' })).toEqual([
    403,
    'project_scope_denied',
    'PROJECT_SCOPE_DENIED',
  ]);
});

test('the lock of backups that somebody else holds shared does not make an interrupted one run', async () => {
  await forget();
  await asSuperuser(
    `INSERT INTO gateway.backup (id, kind, destination, encrypted, host, actor) VALUES ('x', 'file', 'x', false, 'h', 'os:x')`,
    first.databaseName,
  );
  const client = new pg.Client({ connectionString: first.config.database.url });
  await client.connect();
  await client.query('SELECT pg_advisory_lock_shared($1)', [LOCKS.backup]);
  expect((await newest()).status).toBe('failed');
  await client.query('SELECT pg_advisory_unlock_shared($1), pg_advisory_lock($1)', [LOCKS.backup]);
  expect((await newest()).status).toBe('running');
  await client.end();
  await expect.poll(async () => (await newest()).status).toBe('failed');
});
