// docs/reference/gateway.md#start: the embedded database starts repeatedly and after kill -9, serves several
// processes, and refuses a second server.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';

let dataDir: string;
const children = new Set<ChildProcess>();

beforeAll(() => {
  dataDir = scratchDirectory('embedded');
});
afterEach(async () => {
  for (const child of children) await end(child, 'SIGKILL');
});
afterAll(async () => {
  await stopped();
  fs.rmSync(dataDir, { recursive: true });
});

interface Held {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url?: string;
  readonly error?: string;
}

/** A process that opens the database of `dataDir` and holds it. */
async function hold(...flags: string[]): Promise<Held> {
  const child = spawn(
    process.execPath,
    ['scripts/run.mjs', 'test/testkit/database-holder.ts', dataDir, ...flags],
    { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  children.add(child);
  child.once('exit', () => children.delete(child));
  child.stderr.resume();
  for await (const line of createInterface(child.stdout))
    // The holder prints this shape.
    return { child, pid: child.pid ?? 0, ...(JSON.parse(line) as { url?: string; error?: string }) };
  throw new Error('the holder said nothing');
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}

async function query<Row extends pg.QueryResultRow>(held: Held, sql: string): Promise<Row | undefined> {
  const client = new pg.Client(held.url);
  client.on('error', () => undefined); // some servers here are killed on purpose
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows[0];
  } finally {
    await client.end();
  }
}

const pidFile = (): string => path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
const postmaster = (): number => Number(fs.readFileSync(pidFile(), 'utf8').split('\n')[0]);
const started = async (held: Held): Promise<unknown> =>
  query(held, 'SELECT pg_postmaster_start_time()::text AS at');

async function stopped(): Promise<void> {
  for (const deadline = Date.now() + 10_000; fs.existsSync(pidFile());) {
    if (Date.now() > deadline) throw new Error('the embedded database is still running');
    await sleep(20);
  }
}

const ADD = `INSERT INTO gateway.revoked_jti VALUES (gen_random_uuid(), now()) RETURNING (SELECT count(*)::int FROM gateway.revoked_jti) AS before`;

test("a second process attaches to the first one's server, which outlives the first, killed, and ends with the last", async () => {
  const first = await hold();
  const second = await hold();
  expect(await started(second)).toEqual(await started(first));
  await end(first.child, 'SIGKILL');
  await sleep(300);
  expect(await query(second, ADD)).toEqual({ before: 0 });
  expect(await end(second.child, 'SIGTERM')).toBe(0);
  expect(fs.existsSync(pidFile())).toBe(false); // it had stopped before the process ended
});

test('processes that start at once share one server', async () => {
  const held = await Promise.all([hold(), hold(), hold()]);
  const times = await Promise.all(held.map(started));
  expect(new Set(times.map((t) => JSON.stringify(t))).size).toBe(1);
});

test('data written before process and server were killed is present after the next start', async () => {
  const first = await hold();
  const row = await query<{ before: number }>(first, ADD);
  process.kill(postmaster(), 'SIGKILL');
  await end(first.child, 'SIGKILL');
  const second = await hold();
  expect(await query(second, ADD)).toEqual({ before: (row?.before ?? 0) + 1 });
});

test('a process killed alone takes its server with it, and the next start works at once', async () => {
  const first = await hold();
  await end(first.child, 'SIGKILL');
  const second = await hold();
  expect(await query(second, 'SELECT current_user AS role')).toEqual({ role: 'cairn_app' });
});

test('a server that dies under its process is started again in the same place', async () => {
  const held = await hold();
  const before = postmaster();
  process.kill(before, 'SIGKILL');
  for (const deadline = Date.now() + 15_000; ;) {
    const now = await query(held, 'SELECT 1 AS works').catch(() => undefined);
    if (now) break;
    if (Date.now() > deadline) throw new Error('the server did not come back');
    await sleep(50);
  }
  expect(postmaster()).not.toBe(before);
});

test('a server of which some processes survive is started again when they have ended', async () => {
  const held = await hold();
  const client = new pg.Client(held.url);
  client.on('error', () => undefined); // killed on purpose
  await client.connect();
  const {
    rows: [backend],
  } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const lingering = backend?.pid ?? 0;
  const before = postmaster();
  const log = path.join(dataDir, 'postgres', 'postgres.log');
  const logged = fs.readFileSync(log, 'utf8').length;
  // it does not notice that its postmaster is gone, and keeps resources that a new one needs
  process.kill(lingering, 'SIGSTOP');
  try {
    process.kill(before, 'SIGKILL');
    await expect.poll(() => fs.readFileSync(log, 'utf8').slice(logged)).toContain('still in use');
  } finally {
    process.kill(lingering, 'SIGCONT');
  }
  await expect.poll(() => query(held, 'SELECT 1 AS works').catch(() => undefined)).toEqual({ works: 1 });
  expect(postmaster()).not.toBe(before);
});

test('a second server on the same data directory is refused by name, and let in once the first was killed', async () => {
  const first = await hold('--claim');
  const second = await hold('--claim');
  expect(second.error).toContain(
    `another cairn server (pid ${first.pid}) uses the data directory ${dataDir}`,
  );
  const administration = await hold();
  expect(administration.error).toBeUndefined();
  await end(first.child, 'SIGKILL');
  const third = await hold('--claim');
  expect(third.error).toBeUndefined();
});

test('secrets are readable only by their owner, and the server runs without special rights', async () => {
  const held = await hold();
  for (const name of ['cairn_app-password', 'cairn_superuser-password', 'postgres.log']) {
    expect(fs.statSync(path.join(dataDir, 'postgres', name)).mode & 0o777, name).toBe(0o600);
  }
  expect(held.url).not.toContain(
    fs.readFileSync(path.join(dataDir, 'postgres', 'cairn_superuser-password'), 'utf8'),
  );
  expect(
    await query(
      held,
      'SELECT session_user::text AS login, rolsuper AS super FROM pg_roles WHERE rolname = session_user',
    ),
  ).toEqual({ login: 'cairn_app', super: false });
  expect(
    await query(
      held,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS sync`,
    ),
  ).toEqual({ fsync: 'on', sync: 'on' });
});
