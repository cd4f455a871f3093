// Stands beside the PostgreSQL server of its host, as Patroni does. It says whether the server is the primary, for as
// long as the keeper goes on asking (failover-keeper.ts), ends it when the keeper does not, because another may be the
// primary then, and promotes it when it is told to.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import pg from 'pg';
import { AGENT_PORT, LEASE_MS, type Told } from './failover.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';

const LOOK_MS = 100;
const ANSWER_MS = 1000;
/** A server that does not answer so often in a row counts as one that has ended. */
const FAILURES = 3;

/** The address to listen at, the server's URL and its directory. */
const [address = '', url = '', cluster = ''] = process.argv.slice(2);

let client: pg.Client | undefined;
let seen: Told = { role: 'none', isStreaming: false, isSynchronous: false };
let failures = 0;
/** Until when this server may be the primary. */
let heldUntil = 0;

const say = (event: string): void => {
  process.stdout.write(`${new Date().toISOString()} ${address} ${event}\n`);
};

async function connected(): Promise<pg.Client> {
  if (client !== undefined) return client;
  const made = new pg.Client({
    connectionString: url,
    application_name: 'agent',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  made.on('error', () => forget(made)); // the next look tells
  await made.connect();
  return (client = made);
}

function forget(one: pg.Client | undefined): void {
  if (client === one) client = undefined;
  void one?.end().catch(() => undefined); // it is broken
}

async function ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const one = await connected();
  return (await one.query<Row>(sql)).rows;
}

async function look(): Promise<void> {
  const used = client;
  try {
    const [row] = await ask<Omit<Told, 'role'> & { isStandby: boolean }>(
      `SELECT pg_is_in_recovery() AS "isStandby",
        EXISTS (SELECT FROM pg_stat_replication WHERE state = 'streaming') AS "isStreaming",
        EXISTS (SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync') AS "isSynchronous"`,
    );
    if (row === undefined) throw new Error('the server says nothing of itself');
    const { isStandby, ...rest } = row;
    seen = { role: isStandby ? 'standby' : 'primary', ...rest };
    failures = 0;
  } catch (fault) {
    forget(used);
    // one that is slow is there; nobody listens where it has ended
    const isGone = systemErrorCode(fault) === 'ECONNREFUSED';
    if (isGone || ++failures >= FAILURES) seen = { role: 'none', isStreaming: false, isSynchronous: false };
  }
}

/** Ends the server as it is; what it had acknowledged a synchronous standby has. */
function fence(): void {
  try {
    process.kill(
      Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]),
      'SIGQUIT',
    );
    say('is fenced');
  } catch (fault) {
    if (!['ENOENT', 'ESRCH'].includes(systemErrorCode(fault) ?? '')) throw fault; // it has ended
  }
  seen = { role: 'none', isStreaming: false, isSynchronous: false };
}

/** Whether commits wait for the standby. */
async function setSynchronous(isOn: boolean): Promise<void> {
  await ask(`ALTER SYSTEM SET synchronous_standby_names = '${isOn ? '*' : ''}'`);
  await ask('SELECT pg_reload_conf()');
}

let isSynchronous: boolean | undefined;

const ANSWERS: Readonly<Record<string, (query: URLSearchParams) => Promise<unknown> | undefined>> = {
  /** For HAProxy. */
  '/primary': () =>
    seen.role === 'primary' && heldUntil > performance.now() ? Promise.resolve({}) : undefined,
  '/role': () => Promise.resolve(seen),
  '/hold': async (query) => {
    const isWanted = query.get('synchronous') === 'true';
    if (seen.role === 'primary' && isWanted !== isSynchronous) {
      await setSynchronous(isWanted);
      isSynchronous = isWanted;
    }
    heldUntil = performance.now() + LEASE_MS;
    return seen;
  },
  '/fence': async () => {
    fence();
    return Promise.resolve(seen);
  },
  '/promote': async () => {
    say('is to be promoted');
    await setSynchronous((isSynchronous = false));
    say('is asynchronous');
    await ask('SELECT pg_promote(false)');
    while (seen.role !== 'primary') await look();
    heldUntil = performance.now() + LEASE_MS;
    say('is promoted');
    return seen;
  },
};

http
  .createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://agent');
    const answer = ANSWERS[pathname]?.(searchParams);
    if (answer === undefined) return void res.writeHead(503).end();
    answer.then(
      (value) => res.end(JSON.stringify(value)),
      (fault: unknown) => {
        say(`cannot ${pathname}: ${String(fault)}`);
        res.writeHead(500).end();
      },
    );
  })
  .listen(AGENT_PORT, address, () => {
    say('listens');
  });

let isLooking = false;
setInterval(() => {
  if (seen.role === 'primary' && heldUntil > 0 && heldUntil < performance.now()) {
    heldUntil = 0;
    fence();
  }
  if (isLooking) return;
  isLooking = true;
  void look().finally(() => {
    isLooking = false;
  });
}, LOOK_MS);
