// Several processes over a PostgreSQL that is silent, stopped and fails over to a standby without the last commits,
// while they are paused and killed, with many concurrent clients: every answer is checked against the log of its time.
// One process has a clock that is 45 s late (from 60 s on writes are refused), where Debian's faketime is installed.
// CAIRN_PROVE_FAULTS sets how many faults there are before the failover (npm run prove: 24); by default a process is
// paused once.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type MovingAddress, movingAddress } from '../testkit/moving-address.ts';
import { type MortalPostgres, mortalPostgres } from '../workflow/mortal-postgres.ts';
import { type Operation, violationsOf } from './check-history.ts';
import { Cluster } from './clients.ts';
import { followed, idsIn, statesOf, writtenIn, type Written } from './read-log.ts';

const PAUSE_MS = 4000;
const SILENCE_MS = 6000;
const BETWEEN_MS = 1000;
/** Connections that answer nothing are ended after 25 seconds (docs/operations.md); a busy machine takes longer. */
const RECOVERY_MS = 60_000;
const FAULTS = Number(process.env['CAIRN_PROVE_FAULTS'] ?? 1);
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** Pauses a server with all its processes. */
async function stopped({ files }: MortalPostgres, ms: number): Promise<void> {
  const postmaster = readFileSync(path.join(files.cluster, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  const pids = [Number(postmaster), ...childrenOf(postmaster)];
  const all = (signal: NodeJS.Signals): void => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // a connection that has ended
      }
    }
  };
  all('SIGSTOP');
  await sleep(ms);
  all('SIGCONT');
}

function childrenOf(parent: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === parent;
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);
}

async function within<T>({ url }: MortalPostgres, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The entries of two logs that are equal from the beginning. */
const sharedOf = (one: readonly Written[], another: readonly Written[]): number => {
  const differs = one.findIndex(({ entity_id: id, n, at }, i) => {
    const other = another[i];
    return other?.entity_id !== id || other.n !== n || other.at !== at;
  });
  return differs === -1 ? one.length : differs;
};

type Fault = () => Promise<unknown>;
const faultsOf = (cluster: Cluster, address: MovingAddress, primary: MortalPostgres): Fault[] => [
  () => cluster.pauseOne(PAUSE_MS),
  () => cluster.killOne(),
  () => address.swallow(SILENCE_MS),
  () => stopped(primary, PAUSE_MS),
];

test(
  'silent, stopped and lagging databases, paused and killed processes: nothing acknowledged is lost but what the standby lacked, and nothing is stale, doubled or out of order',
  async () => {
    await using primary = await mortalPostgres();
    using address = await movingAddress(primary.url);
    const skewed = existsSync(FAKETIME)
      ? { LD_PRELOAD: FAKETIME, FAKETIME: '-45s', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      : {};
    const cluster = await Cluster.start(3, (i) => ({
      DATABASE_URL: address.url,
      ...(i === 1 ? skewed : {}),
    }));
    onTestFinished(() => cluster.end());
    await using standby = await mortalPostgres(primary);
    const { operations } = cluster;
    let isWorking = true;
    const working = cluster.work(() => isWorking);

    const faults = faultsOf(cluster, address, primary);
    for (let n = 0; n < FAULTS; n++) {
      await sleep(BETWEEN_MS);
      await faults[n % faults.length]?.();
      const waited = await cluster.writesAgain();
      console.info(`fault ${n}: every process writes ${waited} ms after it`);
      expect(waited).toBeLessThan(RECOVERY_MS);
    }

    // the standby takes over without what was written meanwhile
    await standby.kill('SIGKILL');
    await cluster.writesAgain();
    const lostAt = performance.now();
    await primary.kill('SIGKILL');
    await standby.revive();
    await within(standby, (client) => client.query('SELECT pg_promote()'));
    address.move(standby.url);
    const foundAt = performance.now();
    const outage = await cluster.writesAgain();
    expect(outage).toBeLessThan(RECOVERY_MS);
    await sleep(3 * BETWEEN_MS);
    isWorking = false;
    await working;

    await primary.revive();
    const before = await within(primary, writtenIn);
    const after = await within(standby, writtenIn);
    const shared = sharedOf(after, before);
    const answered = operations.filter(({ version }) => version !== undefined);
    console.info(
      `${answered.length} of ${operations.length} operations answered; ${before.length - shared} writes lost by the failover, ${after.length - shared} after it, every process writes ${outage} ms after`,
    );
    const early = (one: Operation): boolean => one.ended < lostAt;
    const late = (one: Operation): boolean => one.begun > foundAt;
    expect(answered.filter(early).length).toBeGreaterThan(100);
    expect(answered.filter(late).length).toBeGreaterThan(20);
    expect(before.length).toBeGreaterThan(shared); // else there was nothing to be lost
    expect(violationsOf(operations.filter(early), statesOf(before)).slice(0, 10)).toEqual([]);
    expect(violationsOf(operations.filter(late), statesOf(after)).slice(0, 10)).toEqual([]);
    const [server] = cluster.living;
    if (server === undefined) throw new Error('no process is left');
    const ids = await within(standby, idsIn);
    expect(await followed(server, ids.length)).toEqual(ids);
  },
  4 * 3600_000,
);
