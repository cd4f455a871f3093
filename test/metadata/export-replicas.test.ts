// Exports are read from hot standbys: all that was acknowledged is in them, and one that a standby cannot go on with is
// never shorter than it says (docs/operations.md#reads-by-replicas).
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { admin } from '../testkit/metadata.ts';
import { processReading, type ReadingProcess, runOn, takenBy, untilReplicaIs } from '../testkit/replicas.ts';
import { type MortalPostgres, mortalPostgres } from '../workflow/mortal-postgres.ts';

const COUNT = 2000;
const INGEST = 'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }';
const EXPORT = 'subscription { exportEntities(entityType: "Sample", orderBy: "id") { lines } }';
const LIST = '{ entities(entityType: "Sample", limit: 1) { items { id } } }';

let primary: MortalPostgres;
let standby: MortalPostgres;
let reading: ReadingProcess;
let other: ReadingProcess;

const ingest = (by: ReadingProcess, ids: readonly string[]): Promise<unknown> =>
  by.ask(INGEST, { e: ids.map((id) => ({ entityType: 'Sample', id, data: { a: 'x'.repeat(2000) } })) });
const untilUsed = (): Promise<void> => untilReplicaIs('used', standby.url, reading, LIST);

/** The ids that an export told, and how it failed; `between` happens once its first block was read. */
async function exported(
  by: ReadingProcess,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<{ ids: string[]; failure: unknown }> {
  const results = await by.component.subscribe?.(EXPORT, {}, admin);
  if (results === undefined) throw new Error('metadata has subscriptions');
  const ids: string[] = [];
  let failure: unknown;
  try {
    for await (const { data, errors } of results) {
      if (errors !== undefined) failure = errors[0]?.extensions?.['code'];
      const block = data?.['exportEntities'] as { lines: string } | undefined | null;
      const isFirst = ids.length === 0;
      for (const line of block?.lines.split('\n').slice(0, -1) ?? [])
        ids.push((JSON.parse(line) as { id: string }).id);
      if (isFirst) await between();
    }
  } catch (error) {
    failure = (error as { code?: unknown }).code ?? error;
  }
  return { ids, failure };
}

beforeAll(async () => {
  primary = await mortalPostgres();
  other = await processReading(primary.url);
  await other.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Sample', version: '1.0.0', fields: [{ name: 'a', field_type: 'string' }] },
  });
  for (let n = 0; n < COUNT; n += 500)
    await ingest(
      other,
      Array.from({ length: 500 }, (_, i) => `s${n + i}`),
    );
  standby = await mortalPostgres(primary);
  await runOn(
    standby.url,
    "ALTER SYSTEM SET max_standby_streaming_delay = '100ms'",
    'SELECT pg_reload_conf()',
  );
  reading = await processReading(primary.url, [standby.url]);
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  await reading[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

test('an export is read from a replica, and has what others have just written', async () => {
  for (let n = 0; n < 10; n++) {
    await untilUsed();
    await ingest(other, [`new${n}`]);
    const before = await takenBy('replica');
    const { ids, failure } = await exported(reading);
    expect(failure).toBeUndefined();
    expect(ids).toContain(`new${n}`);
    expect(new Set(ids).size).toBe(COUNT + n + 1);
    expect(ids).toEqual((await exported(other)).ids);
    if ((await takenBy('replica')) > before) return;
  }
  throw new Error('the replica took none of ten exports');
});

test('one that a replica cancels before anything was answered is read from the primary', async () => {
  await untilUsed();
  const port = Number(new URL(standby.url).port);
  // oxlint-disable-next-line typescript/unbound-method -- called with its client below
  const query = pg.Client.prototype.query as unknown as (...given: unknown[]) => unknown; // of its overloads any
  let cancelled = 0;
  const cancelling = function (this: pg.Client, ...given: unknown[]): unknown {
    const [asked] = given as [string | { text: string }]; // as our stores call it
    if (this.port !== port || typeof asked === 'string' || !asked.text.startsWith('FETCH'))
      return Reflect.apply(query, this, given);
    cancelled++;
    const message = 'canceling statement due to conflict with recovery';
    return Promise.reject(Object.assign(new Error(message), { code: '40001' }));
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(cancelling);
  const { ids, failure } = await exported(reading);
  expect([failure, cancelled]).toEqual([undefined, 1]);
  expect(ids).toEqual((await exported(other)).ids);
});

test('one that a replica ends later fails, and the next one is whole', async () => {
  await untilUsed();
  const whole = (await exported(other)).ids;
  const before = await takenBy('replica');
  const lock = ['BEGIN', 'LOCK TABLE metadata.entity IN ACCESS EXCLUSIVE MODE', 'COMMIT'];
  const { ids, failure } = await exported(reading, async () => {
    await runOn(primary.url, ...lock);
    // what replays the lock ends whoever is in its way
    await expect
      .poll(
        async () => {
          const client = new pg.Client(standby.url);
          await client.connect();
          const { rows } = await client.query<{ n: number }>(
            `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'cairn test' AND state LIKE 'idle in transaction%'`,
          );
          await client.end();
          return rows[0]?.n;
        },
        { timeout: 120_000 },
      )
      .toBe(0);
  });
  expect(await takenBy('replica')).toBeGreaterThan(before);
  expect(failure).toBe('COMPONENT_UNAVAILABLE');
  expect(ids.length).toBeLessThan(whole.length);
  expect(ids).toEqual(whole.slice(0, ids.length));
  expect((await exported(reading)).ids).toEqual(whole);
});
