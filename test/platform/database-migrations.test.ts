// Migrations are applied at start, once and atomically, and a build refuses a database with unknown
// migrations.
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bootDatabase } from '../../platform/database/boot.ts';
import { migrationsDir } from '../../platform/database/migrations.ts';
import { type ScratchDatabase, scratchDatabase, testLog } from '../testkit/database.ts';

let scratch: ScratchDatabase;
let dir: string;
let client: pg.Client;

beforeEach(async () => {
  scratch = await scratchDatabase({ empty: true });
  dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-migrations-'));
  await cp(migrationsDir, dir, { recursive: true });
  client = new pg.Client(scratch.superuserUrl);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await scratch[Symbol.asyncDispose]();
  await rm(dir, { recursive: true });
});

/** Those of this build, in order. */
const ours = async (): Promise<string[]> =>
  (await readdir(migrationsDir, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
const boot = (): Promise<boolean> =>
  bootDatabase({ url: scratch.superuserUrl, log: testLog.child({}, { level: 'fatal' }), migrationsDir: dir });
const add = async (name: string, sql: string): Promise<void> => {
  await mkdir(path.join(dir, name));
  await writeFile(path.join(dir, name, 'migration.sql'), sql);
};
const applied = async (): Promise<string[]> =>
  (await client.query<{ name: string }>('SELECT name FROM cairn.migration ORDER BY name')).rows.map(
    (r) => r.name,
  );
const exists = async (table: string): Promise<boolean> =>
  (await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table])).rows[0]
    ?.there === true;

test('booting twice, and five times at once, applies each migration once', async () => {
  await Promise.all(Array.from({ length: 5 }, boot));
  await boot();
  expect(await applied()).toEqual(await ours());
});

test('a new migration is applied at the next boot, and what it makes belongs to the owner', async () => {
  await boot();
  await add('20990101000000_more', 'CREATE TABLE workflow.more (id int)');
  await boot();
  expect(await applied()).toEqual([...(await ours()), '20990101000000_more']);
  const { rows } = await client.query(`
    SELECT DISTINCT relowner::regrole::text AS owner FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname IN ('cairn', 'gateway', 'metadata', 'workflow', 'artifact')`);
  expect(rows).toEqual([{ owner: 'cairn_owner' }]);
  const {
    rows: [granted],
  } = await client.query(`SELECT has_table_privilege('cairn_app', 'workflow.more', 'UPDATE') AS granted`);
  expect(granted).toEqual({ granted: true });
});

test('a migration that was edited after it had been applied stops the start', async () => {
  await boot();
  await writeFile(path.join(dir, '20261121000000_init', 'migration.sql'), 'SELECT 1');
  await expect(boot()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('20261121000000_init was edited'),
  });
});

test('a database that a newer version only added to is no reason not to start, and keeps what was granted', async () => {
  await add(
    '20990101000000_future',
    `ALTER TABLE gateway.audit_record ADD COLUMN more text; GRANT INSERT (more) ON gateway.audit_record TO cairn_app`,
  );
  await boot();
  await rm(path.join(dir, '20990101000000_future'), { recursive: true });
  await client.query('GRANT INSERT (more) ON gateway.audit_record TO cairn_app'); // as the newer version does at its start
  await boot();
  const { rows } = await client.query(
    `SELECT has_column_privilege('cairn_app', 'gateway.audit_record', 'more', 'INSERT') AS granted`,
  );
  expect(rows).toEqual([{ granted: true }]);
});

test('a database that a newer version writes in another form stops the start', async () => {
  await add(
    '20990101000000_future',
    'SELECT metadata.open_log(); UPDATE metadata.write_format SET format = format + 1',
  );
  await boot();
  await rm(path.join(dir, '20990101000000_future'), { recursive: true });
  await expect(boot()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(
      'newer than this version of Cairn: it has the migrations 20990101000000_future',
    ),
  });
});

test('a migration that fails leaves nothing behind, and its corrected form can be applied', async () => {
  await boot();
  await add('20990101000000_half', 'CREATE TABLE workflow.half (id int); SELECT 1 / 0;');
  await expect(boot()).rejects.toThrow(
    'migration 20990101000000_half failed and was rolled back: division by zero',
  );
  expect(await exists('workflow.half')).toBe(false);
  expect(await applied()).toEqual(await ours());
  await writeFile(
    path.join(dir, '20990101000000_half', 'migration.sql'),
    'CREATE TABLE workflow.half (id int)',
  );
  await boot();
  expect(await exists('workflow.half')).toBe(true);
});
