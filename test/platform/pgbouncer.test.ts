// Through a PgBouncer that gives each client a session, everything is as over PostgreSQL itself; one that shares
// sessions is refused with the reason (docs/operations.md#poolers).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectDatabase, type Database } from '../../platform/database/connect.ts';
import { openDatabase } from '../../platform/database/open.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { type ScratchDatabase, scratchDatabase, testLog } from '../testkit/database.ts';
import { freePort } from '../testkit/free-port.ts';
import { waitFor } from '../testkit/wait-for.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
const isThere = fs.existsSync(PROGRAM);
const IGNORED = 'ignore_startup_parameters = options, extra_float_digits';

let scratch: ScratchDatabase;
const running: ChildProcess[] = [];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-pgbouncer-'));

beforeAll(async () => {
  scratch = await scratchDatabase();
});
afterAll(async () => {
  for (const child of running) {
    const gone = once(child, 'exit');
    child.kill('SIGINT');
    await gone;
  }
  await scratch[Symbol.asyncDispose]();
  fs.rmSync(folder, { recursive: true });
});

/** Starts one; resolves to the URL of the database behind it. */
async function pooler(mode: string, ...settings: string[]): Promise<string> {
  const url = new URL(scratch.superuserUrl);
  const port = await freePort();
  const file = path.join(folder, `${String(port)}.ini`);
  const users = path.join(folder, 'users.txt');
  fs.writeFileSync(users, `"${url.username}" "${decodeURIComponent(url.password)}"\n`);
  fs.writeFileSync(
    file,
    `[databases]
* = host=${url.hostname} port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(port)}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 40
${settings.join('\n')}
`,
  );
  fs.chmodSync(folder, 0o755);
  // it refuses to run as root
  const asWhom = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(PROGRAM, ['-q', ...asWhom, file], { stdio: 'ignore' });
  running.push(child);
  url.host = `127.0.0.1:${String(port)}`;
  return url.href;
}

const disposable = (database: Database): Database & AsyncDisposable =>
  Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });
const open = (url: string) =>
  openDatabase({
    url,
    dataDir: '/nonexistent',
    applicationName: 'pooled',
    waitMs: 10_000,
    log: testLog,
    claim: true,
  });

test.skipIf(!isThere)(
  'pool_mode session: role, limits, settings, notifications and locks are as without it',
  async () => {
    await using database = disposable(await open(await pooler('session', IGNORED)));
    const show = async (db: Queryable): Promise<unknown> =>
      (
        await db.query(
          `SELECT current_user::text AS role, current_setting('statement_timeout') AS statement,
          current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('timezone') AS timezone,
          current_setting('default_transaction_isolation') AS isolation, current_setting('cairn.write_format') AS format`,
        )
      ).rows[0];
    const settings = {
      statement: '30s',
      idle: '1min',
      timezone: 'UTC',
      isolation: 'read committed',
      format: '1',
    };
    expect(await show(database.pool)).toEqual({ role: 'cairn_app', ...settings });
    expect(await show(database.pipelined)).toEqual({ role: 'cairn_app', ...settings });
    expect(await database.asOwner?.(show)).toMatchObject({ role: 'cairn_owner', statement: '1h' });
    await expect(database.pool.query('DELETE FROM metadata.provenance')).rejects.toMatchObject({
      code: '42501',
    });
    const heard = vi.fn();
    await database.listen('pooled', heard);
    await database.pool.query(`SELECT pg_notify('pooled', '1')`);
    await waitFor(() => {
      expect(heard).toHaveBeenCalledWith('1');
    });
  },
);

test.skipIf(!isThere)(
  'a statement that takes long is at work, whatever number the pooler gave its connection',
  async () => {
    const url = await pooler('session', IGNORED);
    await (await open(url)).close();
    const silence = { silentMs: 400, unreachableMs: 800, lookMs: 100, askMs: 300, signOfLifeMs: 10_000 };
    await using database = disposable(
      connectDatabase({ url, applicationName: 'pooled', log: testLog, silence }),
    );
    await expect(database.pool.query('SELECT pg_sleep(2)')).resolves.toMatchObject({ rowCount: 1 });
  },
);

test.skipIf(!isThere).each(['transaction', 'statement'])(
  'pool_mode %s is refused with the reason, and leaves no lock with the sessions of the pooler',
  async (mode) => {
    await expect(open(await pooler(mode, IGNORED))).rejects.toThrow(/set its pool_mode to session/);
    await expect(
      open(await pooler(mode, IGNORED, 'server_round_robin = 1', 'min_pool_size = 3')),
    ).rejects.toThrow(/set its pool_mode to session/);
    await (await open(scratch.superuserUrl)).close();
  },
);

test.skipIf(!isThere)('one that refuses settings of the session is told what to let through', async () => {
  await expect(open(await pooler('session'))).rejects.toThrow(/ignore_startup_parameters = options/);
});
