// Several processes over one PostgreSQL with many concurrent clients, killed continually: every answer is
// checked against the log. CAIRN_PROVE_OPERATIONS sets the number of operations (npm run prove: 200,000); the
// default is small.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';
import { violationsOf } from './check-history.ts';
import { Cluster } from './clients.ts';
import { followed, idsIn, statesOf, writtenIn } from './read-log.ts';

const OPERATIONS = Number(process.env['CAIRN_PROVE_OPERATIONS'] ?? 1500);
const PROCESSES = OPERATIONS > 10_000 ? 3 : 2;
/** Between two kills; one in four closes connections of the database instead of killing a process. */
const KILL_EVERY_MS = OPERATIONS > 10_000 ? 4000 : 1500;

/** Beside other work a full run took half an hour: it can be seen to go on. */
const TELL_EVERY_MS = 30_000;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let cluster: Cluster;

beforeAll(async () => {
  database = await freshDatabase();
  cluster = await Cluster.start(PROCESSES, () => ({ DATABASE_URL: database.url }));
});
afterAll(async () => {
  await cluster.end();
  await database[Symbol.asyncDispose]();
});

/** Kills a process or connections repeatedly until it is stopped; returns how often. */
async function havoc(stop: AbortSignal): Promise<number> {
  let kills = 0;
  while (!stop.aborted) {
    await sleep(KILL_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) break;
    kills++;
    if (kills % 4 === 0)
      await asSuperuser(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(database.url).pathname.slice(1)}' AND application_name LIKE 'cairn%' AND application_name <> 'cairn test'`,
      );
    else await cluster.killOne();
  }
  return kills;
}

test(
  'under kills of processes and connections nothing that was acknowledged is lost, stale, doubled or out of order',
  async () => {
    const { operations } = cluster;
    const stop = new AbortController();
    const killing = havoc(stop.signal);
    let begun = 0;
    const told = setInterval(() => {
      console.info(`${begun} of ${OPERATIONS} operations begun, ${cluster.living.length} processes live`);
    }, TELL_EVERY_MS);
    await cluster.work(() => begun++ < OPERATIONS);
    clearInterval(told);
    stop.abort();
    const kills = await killing;
    const written = await writtenIn(database.pool);
    const known = operations.filter(({ version }) => version !== undefined);
    console.info(
      `${operations.length} operations, ${known.length} answered, ${kills} kills, ${written.length} events`,
    );
    expect(known.length).toBeGreaterThan(OPERATIONS / 4);
    expect(kills).toBeGreaterThan(0);
    expect(violationsOf(operations, statesOf(written)).slice(0, 10)).toEqual([]);

    // reads of the past match the log
    const sampled = written.filter((_, i) => i % Math.max(1, Math.floor(written.length / 200)) === 0);
    for (const { entity_id: id, n, at } of sampled)
      expect(
        (await cluster.surely('GET', `/api/v1/metadata/entities/${id}?as_of=${at}`)).data.data.n,
        `${id} at ${at}`,
      ).toBe(n);

    // and a reader of the log from its beginning sees every event once, in order
    const [server] = cluster.living;
    if (server === undefined) throw new Error('no process is left');
    const log = await idsIn(database.pool);
    expect(await followed(server, log.length)).toEqual(log);
  },
  4 * 3600_000,
);
