// What only another process can mend makes /livez red; what a process waits for does not
// (docs/reference/gateway.md#probes).
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bootDatabase } from '../../platform/database/boot.ts';
import { connectDatabase, type Database } from '../../platform/database/connect.ts';
import { QueueWorker } from '../../platform/lease-queue/queue-worker.ts';
import { probesAlone } from '../../rest-compat/probes-alone.ts';
import { asSuperuser, scratchDatabase } from '../testkit/database.ts';
import { metadataOver } from '../testkit/metadata.ts';
import { movingAddress } from '../testkit/moving-address.ts';
import { runOn } from '../testkit/replicas.ts';
import { mortalPostgres } from '../workflow/mortal-postgres.ts';

const log = pino({ level: 'silent' });
const TIMES = { stuckMs: 2000, confirmMs: 500, lookMs: 400, askMs: 2000 };
/** Longer than it takes to be told. */
const LONG_MS = 5000;

interface Opened {
  readonly database: Database;
  /** The probe's status and body. */
  readonly livez: () => Promise<unknown>;
  address: Awaited<ReturnType<typeof movingAddress>>;
}

async function opened(poolSize = 3): Promise<Opened & { readonly name: string; readonly url: string }> {
  const scratch = await scratchDatabase();
  onTestFinished(() => scratch[Symbol.asyncDispose]());
  return { ...(await over(scratch.url, poolSize)), name: scratch.name, url: scratch.url };
}

async function over(url: string, poolSize: number): Promise<Opened> {
  const address = await movingAddress(url);
  const database = connectDatabase({
    url: address.url,
    applicationName: 'cairn test',
    poolSize,
    log,
    livenessTimes: TIMES,
  });
  onTestFinished(async () => {
    await database.close();
    address[Symbol.dispose]();
  });
  const answer = probesAlone(database);
  return {
    database,
    address,
    livez: async () => {
      let told: unknown[] = [];
      const res = {
        writeHead: (status: number) => (told = [status]),
        end: (body: string) => told.push(JSON.parse(body)),
      };
      await answer('/livez', res as never, true); // the two methods that a probe calls
      return told;
    },
  };
}

type Claimed = { id: string; fence: string };
const queueOf = (database: Database, claim: () => Promise<Claimed[]>): QueueWorker<Claimed> =>
  new QueueWorker({
    noun: 'runs',
    watch: (vital) => database.liveness.watch(vital),
    log,
    concurrent: 2,
    sweepMs: 50,
    graceMs: 0,
    onQueued: () => Promise.resolve(() => Promise.resolve()),
    claim,
    giveBackUnknown: () => Promise.resolve(),
    work: () => Promise.resolve(),
    chores: [],
  });

const ALIVE = [200, { status: 'alive' }];
const stuckBy = (reason: string): unknown => [503, { status: 'stuck', reason }];
const becomes = (livez: () => Promise<unknown>, told: unknown): Promise<void> =>
  expect.poll(livez).toEqual(told);

test('connections that are never given back are told, until they are', async () => {
  const { database, livez } = await opened();
  const kept = await Promise.all([1, 2, 3].map(() => database.pool.connect()));
  await sleep(TIMES.stuckMs / 2);
  expect(await livez()).toEqual(ALIVE);
  await becomes(livez, stuckBy('database_connections'));
  for (const client of kept) client.release();
  await becomes(livez, ALIVE);
});

test('a full pool that still gives connections is alive', async () => {
  const { database, livez } = await opened();
  const kept = await Promise.all([1, 2].map(() => database.pool.connect()));
  const until = performance.now() + LONG_MS;
  const busy = Promise.all(
    [1, 2, 3].map(async () => {
      while (performance.now() < until) await database.pool.query('SELECT pg_sleep(0.05)');
    }),
  );
  while (performance.now() < until) {
    expect(await livez()).toEqual(ALIVE);
    await sleep(50);
  }
  await busy;
  for (const client of kept) client.release();
});

test('a database that is away makes no process red, and neither does its return', async () => {
  const { database, livez, address, url } = await opened();
  const staysAlive = async (milliseconds: number): Promise<void> => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until) {
      expect(await livez()).toEqual(ALIVE);
      await sleep(50);
    }
  };
  const kept = await Promise.all([1, 2, 3].map(() => database.pool.connect()));
  address.move('postgresql://127.0.0.1:1/nowhere');
  await staysAlive(LONG_MS);
  address.move(url);
  // whoever has lost a connection learns it before it is confirmed that nobody does
  await staysAlive(TIMES.confirmMs / 2);
  for (const client of kept) client.release(true);
  await staysAlive(LONG_MS);
  expect((await database.pool.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
});

test('a synchronous standby that is away makes no process red, though its COMMITs wait without a limit', async () => {
  await using primary = await mortalPostgres();
  await bootDatabase({ url: primary.url, log, mayInitialise: true });
  const { database, livez } = await over(primary.url, 4);
  const write = () => database.pool.query(`SELECT pg_logical_emit_message(true, 'test', 'any')`);
  await write();
  await runOn(primary.url, "ALTER SYSTEM SET synchronous_standby_names = 'away'", 'SELECT pg_reload_conf()');
  await sleep(500);
  let hasClaimed = false;
  const worker = queueOf(database, async () => {
    await write();
    hasClaimed = true;
    return [];
  });
  await worker.start();
  const writing = Promise.all([1, 2, 3].map(write));
  const until = performance.now() + LONG_MS;
  while (performance.now() < until) {
    expect(await livez()).toEqual(ALIVE);
    await sleep(50);
  }
  expect([database.pool.idleCount, hasClaimed]).toEqual([0, false]);
  await runOn(primary.url, 'ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()');
  await writing;
  await worker.close();
  await database.close();
});

test('holders that end statements now and then are alive, though nobody else gets a connection', async () => {
  const { database, livez } = await opened();
  const kept = await Promise.all([1, 2, 3].map(() => database.pool.connect()));
  const until = performance.now() + LONG_MS;
  const fetching = (async () => {
    while (performance.now() < until) {
      await kept[0]?.query('SELECT 1');
      await sleep(TIMES.stuckMs / 2);
    }
  })();
  while (performance.now() < until) {
    expect(await livez()).toEqual(ALIVE);
    await sleep(50);
  }
  await fetching;
  await becomes(livez, stuckBy('database_connections'));
  for (const client of kept) client.release();
});

const INGEST = 'mutation($id: ID!) { ingestEntity(entityType: "Sample", id: $id, data: {}) { id } }';
const SAMPLE = { d: { name: 'Sample', version: '1.0.0', fields: [] } };

test('writes that never end are told; those that wait for the log are not', async () => {
  const { database, name, livez } = await opened(6);
  const metadata = await metadataOver(database, () => Promise.resolve());
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', SAMPLE);

  // somebody else keeps the log's lock
  const holding = asSuperuser(
    `BEGIN; SELECT pg_advisory_xact_lock(4847307193528361); SELECT pg_sleep(${LONG_MS / 1000}); COMMIT`,
    name,
  );
  await sleep(200);
  const waiting = metadata.ask(INGEST, { id: 'waits' });
  const until = performance.now() + LONG_MS - 500;
  while (performance.now() < until) {
    expect(await livez()).toEqual(ALIVE);
    await sleep(50);
  }
  await Promise.all([holding, waiting]);

  // no connection is ever given: what is decided has no transaction to be in
  const connect = vi
    .spyOn(database.pipelined, 'connect')
    .mockReturnValue(new Promise(() => undefined) as never); // of two forms the one that is used
  void metadata.ask(INGEST, { id: 'stuck' });
  await becomes(livez, stuckBy('writes'));
  connect.mockRestore();
});

test('a queue whose claim never ends is told, by the name of what it has', async () => {
  const { database, livez } = await opened();
  const worker = queueOf(database, () => new Promise(() => undefined));
  await worker.start();
  await becomes(livez, stuckBy('runs'));
});
