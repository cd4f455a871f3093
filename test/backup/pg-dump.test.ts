// docs/reference/backups.md#with-pg_dump: a dump of a database of one's own is restored on another server by the statements
// that stand there. It needs programs of PostgreSQL that npm does not have: those of the machine, where there are some.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { bootDatabase } from '../../platform/database/boot.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { testLog } from '../testkit/database.ts';

const INSTALLED = '/usr/lib/postgresql';
const bin = (existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
  .map((major) => path.join(INSTALLED, major, 'bin'))
  .findLast((dir) => ['initdb', 'pg_ctl', 'pg_dump'].every((name) => existsSync(path.join(dir, name))));

/** `initdb` refuses root. */
const AS = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const PORT = String(20_000 + (process.pid % 10_000));

/** A server in a folder of its own, reached by a socket there. */
function startCluster(dir: string) {
  const run = (name: string, ...args: string[]): string =>
    execFileSync(path.join(bin ?? '', name), args, { ...AS, encoding: 'utf8', cwd: dir, stdio: 'pipe' });
  const data = path.join(dir, 'data');
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-N');
  const options = `-p ${PORT} -k ${dir} -c listen_addresses= -c fsync=off -c max_connections=20`;
  // its output would keep the pipes open
  run('pg_ctl', '-D', data, '-o', options, '-l', path.join(dir, 'log'), '-w', 'start');
  return { run, stop: () => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop') };
}

const INSERT = `INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload)
  VALUES ('EntityCreated', 'e1', 'sample', 'user:ann', '1', '{"initial_state": {"z": 1, "a": 2}}')`;

/** The statements of the page. */
const DOCUMENTED =
  /## With pg_dump[^]*?```sql\n([^`]*)```/.exec(
    readFileSync(path.join(projectRoot, 'docs/reference/backups.md'), 'utf8'),
  )?.[1] ?? '';

test.skipIf(bin === undefined)(
  'a dump is restored by the documented statements; the log goes on, and stays append-only',
  { timeout: 120_000 },
  async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'cairn-dump-'));
    if (AS.uid !== undefined) chownSync(dir, AS.uid, AS.gid);
    const cluster = startCluster(dir);
    const urlOf = (user: string, database: string): string =>
      `postgresql://${user}@localhost:${PORT}/${database}?host=${encodeURIComponent(dir)}`;
    const query = async (user: string, database: string, sql: string): Promise<unknown[]> => {
      const client = new pg.Client(urlOf(user, database));
      await client.connect();
      try {
        return [await client.query(sql)].flat().flatMap(({ rows }) => rows as unknown[]);
      } finally {
        await client.end();
      }
    };
    try {
      await query('postgres', 'postgres', 'CREATE ROLE institute LOGIN CREATEROLE');
      await query('postgres', 'postgres', 'CREATE DATABASE cairn OWNER institute');
      await bootDatabase({ url: urlOf('institute', 'cairn'), log: testLog });
      await query('institute', 'cairn', `SET ROLE cairn_app; ${INSERT}`);
      const LOG = 'SELECT p::text AS line FROM metadata.provenance p ORDER BY position';
      const before = await query('institute', 'cairn', `SET ROLE cairn_app; ${LOG}`);
      const at = ['-h', dir, '-p', PORT, '-U', 'institute'];
      cluster.run('pg_dump', ...at, '-Fc', '-f', path.join(dir, 'dump'), 'cairn');

      // as on another server: neither the database nor the roles
      await query('postgres', 'postgres', 'DROP DATABASE cairn');
      await query('postgres', 'postgres', 'DROP ROLE cairn_owner, cairn_app, institute');
      for (const statement of DOCUMENTED.split(';\n').filter((one) => one.trim() !== ''))
        await query('postgres', statement.includes('ON DATABASE') ? 'cairn' : 'postgres', statement);
      const restore = ['--exit-on-error', '--single-transaction', '-d', 'cairn', path.join(dir, 'dump')];
      cluster.run('pg_restore', ...at, ...restore);

      await bootDatabase({ url: urlOf('institute', 'cairn'), log: testLog, mayInitialise: false });
      expect(before).toHaveLength(1);
      expect(await query('institute', 'cairn', `SET ROLE cairn_app; ${LOG}`)).toEqual(before);
      await query('institute', 'cairn', `SET ROLE cairn_app; ${INSERT}`);
      for (const sql of ['SET ROLE cairn_app', 'SET ROLE cairn_owner'])
        await expect(
          query('institute', 'cairn', `${sql}; DELETE FROM metadata.provenance`),
        ).rejects.toMatchObject({ code: '42501' });
    } finally {
      cluster.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
);
