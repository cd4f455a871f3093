// What is no whole backup is refused, an interrupted one leaves nothing that looks whole, and nothing is removed under a
// backup (docs/reference/backups.md).
import { randomBytes } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootDatabase } from '../../platform/database/boot.ts';
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import { migrationsDir } from '../../platform/database/migrations.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { listKept } from '../../standalone/backups.ts';
import { type Instance, log, startInstance } from '../archive/archive-testkit.ts';
import { makeHistory } from '../archive/random-history.ts';
import { sha256 } from '../artifact/stored-files.ts';
import { asSuperuser, scratchDatabase } from '../testkit/database.ts';
import {
  backUp,
  emptyPlace,
  restoreTo,
  type Scratch,
  scratchFolder,
  serve,
  verify,
} from './backup-testkit.ts';

const SECRETS = { passphrase: 'correct horse battery' };
const WRONG = { passphrase: 'wrong horse battery!' };

let first: Instance & AsyncDisposable;
let folder: Scratch;
beforeAll(async () => {
  first = await startInstance();
  folder = await scratchFolder();
  await makeHistory(first, 3, 40);
  for (const name of ['s:0', 's:1', 's:2', 's:3']) {
    const content = randomBytes(400_000);
    await first.rest('POST', '/api/v1/metadata/ingest', {
      body: { id: `f:${name}`, entity_type: 'Sample', data: {} },
    });
    await first.rest(
      'PUT',
      `/api/v1/artifact/files/${sha256(content)}?name=x&entity_id=f:${name}&field=uri`,
      { body: content },
    );
  }
});
afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
const at = (name: string): string => path.join(folder.dir, name);

async function flipBit(file: string, place: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const byte = Buffer.alloc(1);
    await handle.read(byte, 0, 1, place);
    await handle.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, place);
  } finally {
    await handle.close();
  }
}

test.each([
  ['a plain one', 'cairn.tar', {}],
  ['an encrypted one', 'cairn.tar.age', SECRETS],
])(
  '%s that is cut off, or has one bit another way, is refused, and no server starts over it',
  async (_, name, secrets) => {
    const file = at(name);
    await backUp(first.config, file, secrets);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await verify(first.config, file, secrets);
    await expect(backUp(first.config, file, secrets)).rejects.toThrow('is there already');
    const { size } = await stat(file);
    const bad = at(`bad-${name}`);
    for (const share of [0.02, 0.3, 0.6, 0.97]) {
      await cp(file, bad);
      await truncate(bad, Math.floor(size * share));
      await expect(verify(first.config, bad, secrets), `cut at ${share}`).rejects.toThrow();
    }
    for (const share of [0.31, 0.5, 0.8]) {
      await cp(file, bad);
      // within content: padding of the archive says nothing
      await flipBit(bad, Math.floor(size * share));
      const outcome = await verify(first.config, bad, secrets).then(
        () => 'whole',
        () => 'refused',
      );
      if (name.endsWith('.age')) expect(outcome, `bit at ${share}`).toBe('refused');
    }
    await cp(file, bad);
    await truncate(bad, size - 3000);
    await using place = await emptyPlace();
    await expect(restoreTo(place, bad, secrets)).rejects.toThrow(/the backup|invalid tag|stream/);
    await expect(bootDatabase({ url: place.scratch.superuserUrl, log })).rejects.toThrow(
      'has not ended, or was interrupted',
    );
    // and it begins anew
    expect((await restoreTo(place, file, secrets)).manifest.files.count).toBeGreaterThan(0);
  },
);

test('each part of a directory is held against the manifest', async () => {
  const root = at('parts');
  const { manifest } = await backUp(first.config, root);
  const backup = path.join(root, 'backups', manifest.id);
  const part = path.join(backup, 'tables', 'metadata.provenance', '00000001.gz');
  const stored = (await readdir(path.join(root, 'files'), { recursive: true, withFileTypes: true })).find(
    (e) => e.isFile(),
  );
  const content = path.join(stored?.parentPath ?? '', stored?.name ?? '');
  for (const file of [part, content, path.join(backup, 'manifest.json')]) {
    const was = await readFile(file);
    await flipBit(file, Math.floor(was.length / 2));
    await expect(verify(first.config, root), file).rejects.toThrow();
    await rm(file);
    await expect(verify(first.config, root), file).rejects.toThrow();
    await writeFile(file, was);
    await verify(first.config, root);
  }
});

test('a wrong passphrase opens nothing, adds nothing, and changes nothing where it is to be restored', async () => {
  const root = at('sealed');
  await backUp(first.config, root, SECRETS);
  await expect(backUp(first.config, root, WRONG)).rejects.toThrow('not opened by this passphrase');
  await expect(verify(first.config, root, WRONG)).rejects.toThrow('not opened by this passphrase');
  await expect(verify(first.config, root)).rejects.toThrow('CAIRN_BACKUP_PASSPHRASE');
  await using place = await emptyPlace();
  await expect(restoreTo(place, root, WRONG)).rejects.toThrow('not opened by this passphrase');
  expect(
    await asSuperuser(`SELECT nspname FROM pg_namespace WHERE nspname = 'cairn'`, place.scratch.name),
  ).toEqual([]);
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  for (const file of files.filter((e) => e.isFile() && e.name !== 'sealed'))
    expect(
      (await readFile(path.join(file.parentPath, file.name))).subarray(0, 20).toString(),
      file.name,
    ).toContain('age-encryption.org');
});

test('a place that is not empty is refused', async () => {
  const root = at('occupied');
  await backUp(first.config, root);
  await using place = await emptyPlace();
  const { store } = place.config.artifact;
  if (store.type !== 'file') throw new Error('the place has a directory');
  await mkdir(path.join(store.path, 'sha256', 'aa'), { recursive: true });
  await writeFile(path.join(store.path, 'sha256', 'aa', 'x'), 'x');
  await expect(restoreTo(place, root)).rejects.toThrow('the artifact store is not empty');
  await rm(store.path, { recursive: true });
  await bootDatabase({ url: place.scratch.superuserUrl, log });
  await expect(restoreTo(place, root)).rejects.toThrow('the database is not empty');
});

test('nothing is evicted under a backup, and no other backup begins; what a process had is interrupted', async () => {
  const client = new pg.Client({ connectionString: first.config.database.url });
  await client.connect();
  await client.query('SELECT pg_advisory_lock($1)', [LOCKS.backup]);
  const evict = () => first.rest('DELETE', '/api/v1/artifact/cache/*?older_than=0s');
  const content = 'to be evicted';
  const hash = sha256(content);
  await first.rest('PUT', `/api/v1/artifact/files/${hash}?name=e.txt&entity_id=s:11&field=uri`, {
    body: content,
  });
  const refused = await first.rest('DELETE', `/api/v1/artifact/cache/sha256:${hash}`);
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('a backup is under way')]);
  await client.end();
  expect((await first.rest('DELETE', `/api/v1/artifact/cache/sha256:${hash}`)).status).toBe(200);
  expect((await evict()).status).toBe(200);
});

test('a backup of an older version is restored, and migrated; one of a newer version is refused', async () => {
  const older = at('older-migrations');
  await cp(migrationsDir, older, { recursive: true });
  const last =
    (await readdir(older))
      .filter((name) => /^\d/.test(name))
      .sort()
      .at(-1) ?? '';
  await rm(path.join(older, last), { recursive: true });
  await using scratch = await scratchDatabase({ empty: true });
  await bootDatabase({ url: scratch.superuserUrl, log, migrationsDir: older });
  await asSuperuser(
    `INSERT INTO gateway.gateway_user (name, password_hash, roles) VALUES ('ann', 'x', '{viewer}')`,
    scratch.name,
  );
  const config = { ...first.config, database: { ...first.config.database, url: scratch.superuserUrl } };
  const root = at('older');
  const { manifest } = await backUp(config, root);
  expect(manifest.migrations.map(({ name }) => name)).not.toContain(last);

  await using place = await emptyPlace();
  await restoreTo(place, root);
  const applied = await asSuperuser<{ name: string }>(
    'SELECT name FROM cairn.migration ORDER BY name',
    place.scratch.name,
  );
  expect(applied.map(({ name }) => name)).toContain(last);
  expect(await asSuperuser('SELECT name FROM gateway.gateway_user', place.scratch.name)).toEqual([
    { name: 'ann' },
  ]);

  await asSuperuser(
    `INSERT INTO cairn.migration (name, checksum) VALUES ('29991231000000_x', repeat('0', 64))`,
    scratch.name,
  );
  const newer = at('newer.tar');
  await backUp(config, newer);
  await using other = await emptyPlace();
  await expect(restoreTo(other, newer)).rejects.toThrow('made by a newer version');
});

test('a feed goes on from what was backed up, and says where it cannot; sessions end and triggers pause when asked', async () => {
  const root = at('feed');
  await backUp(first.config, root);
  const LAST = `SELECT position::int AS position, id::text FROM metadata.provenance ORDER BY position DESC LIMIT 1`;
  await makeHistory(first, 1004, 5);
  const [lost] = await asSuperuser<{ position: number; id: string }>(LAST, first.databaseName);
  await using place = await emptyPlace();
  await restoreTo(place, root, {}, { revokeSessions: true, pauseTriggers: true });
  await using second = await serve(place, first);
  const [kept] = await asSuperuser<{ position: number; id: string }>(LAST, place.scratch.name);
  expect(kept?.position).toBeLessThan(lost?.position ?? 0);
  await makeHistory(second, 1005, 20); // positions are assigned again
  const ids = async (name: string) =>
    (
      await asSuperuser<{ id: string }>(
        `SELECT id::text FROM metadata.provenance WHERE position = ${lost?.position ?? 0}`,
        name,
      )
    ).map(({ id }) => id);
  expect(await ids(place.scratch.name)).not.toEqual(await ids(first.databaseName));
  expect(await asSuperuser('SELECT 1 FROM gateway.portal_session', place.scratch.name)).toEqual([]);
});

/** Kills the command after a while; whether it was still at work. */
async function killed(
  args: readonly string[],
  env: Record<string, string>,
  afterMs: number,
): Promise<boolean> {
  const child = spawn(process.execPath, ['cli/cairn.mjs', ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await Promise.race([ended, sleep(afterMs)]);
  const atWork = child.exitCode === null;
  child.kill('SIGKILL');
  await ended;
  return atWork;
}

test(
  'a backup and a restore that are killed leave nothing that looks whole, and are begun again',
  { timeout: 400_000 },
  async () => {
    const root = at('killed');
    const yaml = at('killed.yaml');
    const { store } = first.config.artifact;
    if (store.type !== 'file') throw new Error('it has a directory');
    const environment = (url: string, data: string, place: string): Record<string, string> => ({
      CAIRN_CONFIG: yaml,
      CAIRN_DATA_DIR: at(data),
      DATABASE_URL: url,
      STORE: place,
    });
    await writeFile(yaml, 'artifact: {store: {type: file, path: "${STORE}"}}\n');
    const url = first.config.database.url ?? '';
    const env = environment(url, 'killed-data', store.path);
    spawnSync(process.execPath, ['cli/cairn.mjs', 'validate'], {
      cwd: projectRoot,
      env: { ...process.env, ...env },
    }); // bundled
    let interrupted = 0;
    for (const ms of [500, 700, 900, 1100, 1300, 1600])
      if (await killed(['backup', root], env, ms)) interrupted++;
    expect(interrupted).toBeGreaterThan(0);
    const kept = await listKept({ config: first.config, log, place: root, cwd: root, secrets: {} }).catch(
      () => [],
    );
    for (const { id, whole } of kept)
      if (whole) await verify(first.config, root).then(({ manifest }) => manifest.id >= id);
    const { manifest: made } = await backUp(first.config, root);
    await verify(first.config, root);

    await using place = await emptyPlace();
    const target = environment(place.scratch.superuserUrl, 'killed-target', at('killed-store'));
    let begun = 0;
    for (const ms of [700, 1000, 1300, 1700, 2200]) {
      if (!(await killed(['restore', root], target, ms))) break; // it has ended: the place is whole
      begun++;
      await sleep(300);
      const schemas = await asSuperuser(
        `SELECT to_regclass('cairn.restoring') IS NOT NULL AS marked, to_regclass('cairn.migration') IS NOT NULL AS migrated`,
        place.scratch.name,
      );
      if (schemas[0]?.['marked'] !== false || schemas[0]?.['migrated'] !== true) continue;
      const last = await asSuperuser(
        'SELECT max(position) AS position FROM metadata.provenance',
        place.scratch.name,
      );
      expect(String(last[0]?.['position'])).toBe(String(made.position));
      break; // all was there, and the process had not ended
    }
    expect(begun).toBeGreaterThan(0);
  },
);
