// Reads by hot standbys are answered as the primary answers them, whatever becomes of the standbys
// (docs/operations.md#reads-by-replicas).
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEWEST_EVENT } from '../../subgraphs/metadata/reading/log-server.ts';
import {
  processReading,
  type ReadingProcess,
  replicaState,
  runOn,
  takenBy,
  untilReplicaIs,
} from '../testkit/replicas.ts';
import { callerOf } from '../testkit/callers.ts';
import { type MortalPostgres, mortalPostgres } from '../workflow/mortal-postgres.ts';

let primary: MortalPostgres;
let standby: MortalPostgres;
let reading: ReadingProcess;
/** Another process, which reads from the primary alone. */
let other: ReadingProcess;

const processOn = (replicas: readonly string[] = [], maxLagMs = 0, { url } = primary) =>
  processReading(url, replicas, maxLagMs);

const LIST =
  '{ entities(entityType: "Sample", limit: 500, orderBy: "id") { items { id data version } total } }';
const READS = [
  LIST,
  '{ aggregate(entityType: "Sample", groupBy: ["a"]) { groups { key count } } }',
  '{ entities(entityType: "Sample", filter: "data.a == \'x\'", limit: 500) { items { id version updatedAt } total } }',
  '{ entityHistory(entityId: "e1") { id eventType payload } }',
];
const INGEST =
  'mutation($id: ID!, $data: JSON!) { ingestEntity(entityType: "Sample", id: $id, data: $data) { id } }';
const ingest = (by: ReadingProcess, id: string, a: string): Promise<unknown> =>
  by.ask(INGEST, { id, data: { a } });
const answersOf = (by: ReadingProcess): Promise<unknown[]> => Promise.all(READS.map((one) => by.ask(one)));

/** Reads until the replica has the state. */
const untilIs = (state: string, replica = standby, by = reading): Promise<void> =>
  untilReplicaIs(state, replica.url, by, LIST);

beforeAll(async () => {
  primary = await mortalPostgres();
  other = await processOn();
  await other.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Sample', version: '1.0.0', fields: [{ name: 'a', field_type: 'string' }] },
  });
  await ingest(other, 'e1', 'x');
  standby = await mortalPostgres(primary);
  reading = await processOn([standby.url]);
});

afterAll(async () => {
  await reading[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

test('random histories of two processes are answered by a replica, paused or not, as by the primary', async () => {
  await untilIs('used');
  const before = await takenBy('replica');
  const id = fc.constantFrom('e1', 'e2', 'e3', 'e4');
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.boolean(), id, fc.constantFrom('x', 'y', 'z')) },
    { weight: 1, arbitrary: fc.constantFrom('pg_wal_replay_pause()', 'pg_wal_replay_resume()') },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      try {
        for (const one of steps) {
          if (typeof one === 'string') await runOn(standby.url, `SELECT ${one}`);
          else await ingest(one[0] ? reading : other, one[1], one[2]);
          expect(await answersOf(reading)).toEqual(await answersOf(other));
        }
      } finally {
        await runOn(standby.url, 'SELECT pg_wal_replay_resume()');
      }
    }),
    { numRuns: 15 },
  );
  await untilIs('used');
  expect(await takenBy('replica')).toBeGreaterThan(before);
});

test('what others write meanwhile is never missing, and never goes away again', async () => {
  await untilIs('used');
  const COUNT = '{ entities(entityType: "Sample", limit: 1) { total } }';
  const countBy = async (by: ReadingProcess): Promise<number> =>
    ((await by.ask(COUNT)) as { total: number }).total;
  const start = await countBy(other);
  let acknowledged = start;
  let isEnded = false;
  const writer = (async () => {
    for (let n = 0; n < 150; n++) {
      await ingest(other, `w${n}`, 'w');
      acknowledged++;
    }
    isEnded = true;
  })();
  const before = await takenBy('replica');
  let last = 0;
  while (!isEnded) {
    for (const by of [reading, other]) {
      const least = Math.max(acknowledged, last);
      last = await countBy(by);
      expect(last).toBeGreaterThanOrEqual(least);
    }
  }
  await writer;
  expect(await takenBy('replica')).toBeGreaterThan(before);
});

test('a replica that lags is left out, and read again when it has caught up', async () => {
  await untilIs('used');
  await runOn(standby.url, 'SELECT pg_wal_replay_pause()');
  await ingest(other, 'behind', 'x');
  expect(JSON.stringify(await reading.ask(LIST))).toContain('"behind"');
  expect(await replicaState(standby.url)).toBe('behind');
  await runOn(standby.url, 'SELECT pg_wal_replay_resume()');
  await untilIs('used');
});

test('a deployment may choose answers that are a little older', async () => {
  await using loose = await processOn([standby.url], 400);
  await untilIs('used', standby, loose);
  await using pause = {
    since: 0,
    async begin() {
      this.since = performance.now();
      await runOn(standby.url, 'SELECT pg_wal_replay_pause()');
    },
    /** Where this machine was late it lags for longer than it may. */
    get isShort() {
      return performance.now() - this.since < 350;
    },
    end: () => runOn(standby.url, 'SELECT pg_wal_replay_resume()'),
    [Symbol.asyncDispose]: () => runOn(standby.url, 'SELECT pg_wal_replay_resume()'),
  };
  await pause.begin();
  await loose.ask(LIST);
  await ingest(other, 'loose', 'x');
  const before = await takenBy('replica');
  await loose.ask(LIST);
  expect((await takenBy('replica')) > before || !pause.isShort).toBe(true);
  // not those of an instant, and not those by which the platform's services decide
  const THEN =
    '{ entities(entityType: "Sample", limit: 500, asOf: "2100-01-01T00:00:00Z") { items { id } } }';
  for (const [document, actor, isExact] of [
    [LIST, 'service:artifact', false],
    [LIST, 'service:workflow', false],
    [LIST, 'user:eve', true],
    [THEN, 'user:ada', false],
  ] as const) {
    await pause.end();
    await untilIs('used', standby, loose);
    await pause.begin();
    const id = `exact-${actor}`;
    await ingest(other, id, 'x');
    expect(
      JSON.stringify(await loose.ask(document, {}, { ...callerOf(actor, ['admin']), isExact })),
    ).toContain(`"${id}"`);
    const state = await replicaState(standby.url); // for those that may lag
    expect(state === 'used' || !pause.isShort).toBe(true);
  }
  await new Promise((resolve) => setTimeout(resolve, 450));
  expect(JSON.stringify(await loose.ask(LIST))).toContain('"loose"');
});

test('a read that replaying cancels is answered by the primary', async () => {
  await runOn(standby.url, `ALTER SYSTEM SET max_standby_streaming_delay = 0`, 'SELECT pg_reload_conf()');
  await runOn(
    primary.url,
    'CREATE TABLE public.conflict AS SELECT 1 AS n',
    'GRANT SELECT ON public.conflict TO cairn_app',
  );
  await untilIs('used');
  const seen: string[] = [];
  const rows = await reading.database.reads(NEWEST_EVENT)(async (connections) => {
    const { rows: found } = await connections.query<{ standby: boolean }>(
      'SELECT pg_is_in_recovery() AS standby FROM public.conflict',
    );
    seen.push(found[0]?.standby === true ? 'replica' : 'primary');
    if (found[0]?.standby === true) {
      await runOn(
        primary.url,
        'DROP TABLE public.conflict',
        'CREATE TABLE public.conflict AS SELECT 1 AS n',
        'GRANT SELECT ON public.conflict TO cairn_app',
      );
      await connections.query('SELECT pg_sleep(20)');
    }
    return found;
  });
  expect(seen).toEqual(['replica', 'primary']);
  expect(rows).toEqual([{ standby: false }]);
});

test('a server that is no standby of this primary is not read', async () => {
  await using another = await mortalPostgres();
  await using its = await processOn([], 0, another);
  expect(its).toBeDefined();
  await using foreign = await mortalPostgres(another);
  await using misled = await processOn([primary.url, foreign.url]);
  await untilIs('promoted', primary, misled);
  await untilIs('foreign', foreign, misled);
  expect(await misled.ask(LIST)).toEqual(await other.ask(LIST));
});

test('a replica that is killed is left out, and read again when it is back; a promoted one is not', async () => {
  await untilIs('used');
  await standby.kill('SIGKILL');
  expect(await answersOf(reading)).toEqual(await answersOf(other));
  await untilIs('lost');
  await standby.revive();
  await untilIs('used');
  await runOn(standby.url, 'SELECT pg_promote()');
  await ingest(other, 'later', 'x');
  expect(await answersOf(reading)).toEqual(await answersOf(other));
  await untilIs('promoted');
});
