// Fields that are often filtered get an index automatically: built concurrently with writes, by one process,
// named with its reason by explain, and dropped when it is not used any more.
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import { MIN_USES } from '../../subgraphs/metadata/index-advisor/automatic-indexes.ts';
import { asSuperuser } from '../testkit/database.ts';
import { freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';
import { waitFor } from '../testkit/wait-for.ts';

const LIST =
  'query($t: String, $f: String, $n: Int) { entities(entityType: $t, filter: $f, limit: $n) { items { id data } total } }';
const EXPLAIN =
  'query($f: String!) { explainFilter(entityType: "Sample", filter: $f) { indexes readsTable servedBy { name why } } }';
const BULK =
  'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created errors { message } } }';
const SCHEMA = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const ENTITIES = 60_000;
interface Page {
  items: { id: string; data: Record<string, unknown> }[];
  total: number;
}
interface Explanation {
  indexes: string[];
  readsTable: boolean;
  servedBy: { name: string; why: string }[];
}
interface Row {
  name: string;
  valid: boolean;
}

let metadata: FreshMetadata;
let name: string;
const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;
const explain = (f: string): Promise<Explanation> => ask<Explanation>(EXPLAIN, { f });
const sql = (text: string) => asSuperuser(text, name);
const indexes = async (): Promise<Row[]> =>
  (await sql(
    `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname ~ '^entity_(number|text)_' ORDER BY 1`,
  )) as unknown as Row[];
const often = async (filter: string, times = MIN_USES, t = 'Sample'): Promise<void> => {
  for (let i = 0; i < times; i++) await metadata.ask(LIST, { t, f: filter, n: 1 });
};
const FILTERS = [
  'data.age < 40 && data.tissue == "liver"',
  'data.age >= 29990',
  'data.age > 100 && data.age <= 130.5',
  'data["drawn at"] >= "2024-12-27"',
  'data.age < 5 || data.age > 29995',
];
const answers = async (): Promise<Page[]> => {
  const all: Page[] = [];
  for (const f of FILTERS) all.push(await ask<Page>(LIST, { t: 'Sample', f, n: 1000 }));
  return all;
};
const writes = async (from: number, count: number): Promise<void> => {
  for (let i = 0; i < count; i++)
    await metadata.ask('mutation($d: JSON!) { ingestEntity(entityType: "Sample", data: $d) { id } }', {
      d: { age: 900_000 + from + i, tissue: 'skin' },
    });
};

beforeAll(async () => {
  metadata = await freshMetadata({ indexesEveryMs: 100 });
  name = new URL(metadata.database.url).pathname.slice(1);
  const fields = [
    { name: 'age', field_type: 'int' },
    { name: 'tissue', field_type: 'string' },
    { name: 'drawn at', field_type: 'date' },
    { name: 'depth', field_type: 'float' },
  ];
  for (const type of ['Sample', 'Small']) await ask(SCHEMA, { d: { name: type, version: '1', fields } });
  for (let from = 0; from < ENTITIES; from += 5000) {
    const e = Array.from({ length: 5000 }, (_, k) => from + k).map((i) => ({
      entityType: 'Sample',
      id: `s${i}`,
      data: {
        age: (i * 7919) % 30_000,
        tissue: i % 3 ? 'liver' : 'skin',
        'drawn at': `20${10 + (i % 15)}-${String(1 + (i % 12)).padStart(2, '0')}-${10 + (i % 18)}`,
      },
    }));
    expect(await ask(BULK, { e })).toMatchObject({ created: 5000, errors: [] });
  }
  await ask(BULK, {
    e: Array.from({ length: 100 }, (_, i) => ({ entityType: 'Small', id: `t${i}`, data: { depth: i } })),
  });
  await sql('ANALYZE metadata.entity');
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('a field that is often filtered gets an index, created without blocking writers, and answers do not change', async () => {
  const before = await answers();
  expect(before.map((page) => page.total)).not.toContain(0);
  expect((await explain('data.age < 40')).indexes).not.toContainEqual(
    expect.stringMatching(/^entity_number_/),
  );
  // an old reader blocks the build half-way: an index built under a lock would block writers then
  const old = new pg.Client(new URL(`/${name}`, metadata.database.url).href);
  await old.connect();
  await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM metadata.entity_count');
  await often('data.age < 3');
  await waitFor(async () => {
    expect(await indexes()).toEqual([{ name: expect.stringMatching(/^entity_number_age_/), valid: false }]);
  });
  await writes(0, 20);
  expect((await indexes()).map((index) => index.valid)).toEqual([false]);
  await old.end();
  await waitFor(async () => {
    expect((await indexes()).map((index) => index.valid)).toEqual([true]);
  });
  await waitFor(async () => {
    expect((await explain('data.age < 40')).indexes).toEqual([expect.stringMatching(/^entity_number_age_/)]);
  }); // after it has its statistics

  const { servedBy } = await explain('data.age < 40');
  expect(servedBy).toEqual([
    {
      name: expect.stringMatching(/^entity_number_age_/),
      why: expect.stringMatching(
        /^created on \d{4}-\d\d-\d\d, after \d+ queries of Sample \(60000 entities\) by ranges of age within a day; it is dropped/,
      ),
    },
  ]);
  expect((await explain('data.tissue == "x"')).servedBy).toEqual([
    { name: 'entity_data_idx', why: 'it always exists' },
  ]);
  const after = await answers();
  expect(after[1]?.total).toBe((before[1]?.total ?? 0) + 20);
  expect([after[0], after[2], after[3]]).toEqual([before[0], before[2], before[3]]);
});

test('a field that is seldom filtered, that few entities have, or that is not in the schema gets no index', async () => {
  await often('data.depth < 3', MIN_USES - 1);
  await often('data.depth > 3', MIN_USES, 'Small');
  await often('data.nothing > 3 && data.tissue == "liver"', MIN_USES);
  await waitFor(async () => {
    expect(
      await sql("SELECT entity_type, uses::int FROM metadata.field_use WHERE field = 'depth' ORDER BY 1"),
    ).toEqual([
      { entity_type: 'Sample', uses: MIN_USES - 1 },
      { entity_type: 'Small', uses: MIN_USES },
    ]);
  });
  await often('data.age > 40', 1); // and one more round
  const counted = async (): Promise<unknown> =>
    (await sql("SELECT uses::int FROM metadata.field_use WHERE field = 'age'"))[0];
  const uses = await counted();
  await often('data.age > 40', 1);
  await waitFor(async () => {
    expect(await counted()).not.toEqual(uses);
  });
  expect(await indexes()).toHaveLength(1);
  expect(await sql("SELECT FROM metadata.field_use WHERE field = 'nothing'")).toEqual([]);
});

test('one of several processes creates it, and an interrupted creation is done by the next', async () => {
  const old = new pg.Client(new URL(`/${name}`, metadata.database.url).href);
  await old.connect();
  await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM metadata.entity_count');
  const other = await createMetadataComponent({
    database: metadata.database,
    log: pino({ level: 'silent' }),
    indexesEveryMs: 50,
  });
  const ran = other.prepare(LIST);
  const caller = {
    actor: 'user:o',
    roles: ['admin'] as const,
    projects: '*' as const,
    requestId: '00000000-0000-4000-8000-000000000000',
  };
  const both = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      await ran({ t: 'Sample', f: 'data["drawn at"] > "2024-12-26"', n: 1 }, caller);
      await often('data["drawn at"] > "2024-12-26"', 1);
    }
  };
  await both(MIN_USES);
  await waitFor(async () => {
    expect(await indexes()).toContainEqual({
      name: expect.stringMatching(/^entity_text_drawn_at_/),
      valid: false,
    });
  });
  await both(3);
  const makers = (): Promise<{ pid: number }[]> =>
    sql(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%'`,
    ) as unknown as Promise<{ pid: number }[]>;
  const [first, ...others] = await makers();
  expect(others).toEqual([]);
  // as after a kill: an incomplete index is left behind
  await sql(`SELECT pg_terminate_backend(${first?.pid ?? 0})`);
  await waitFor(async () => {
    expect(await makers()).not.toContainEqual(first);
  });
  await old.end();
  await waitFor(async () => {
    await both(1);
    expect(await indexes()).toEqual([
      expect.objectContaining({ valid: true }),
      { name: expect.stringMatching(/^entity_text_drawn_at_/), valid: true },
    ]);
  });
  await other.close();
  expect((await ask<Page>(LIST, { t: 'Sample', f: 'data["drawn at"] >= "2024-12-27"', n: 1 })).total).toBe(
    (await ask<Page>(LIST, { t: 'Sample', f: 'data["drawn at"].startsWith("2024-12-27")', n: 1 })).total,
  );
});

test("an automatic index becomes the schema's when the field is marked, and is dropped when it is no longer used", async () => {
  const fields = [
    { name: 'age', field_type: 'int' },
    { name: 'tissue', field_type: 'string' },
    { name: 'drawn at', field_type: 'date', indexed: true },
    { name: 'depth', field_type: 'float' },
  ];
  await ask(SCHEMA, { d: { name: 'Sample', version: '2', fields } });
  await sql(`UPDATE metadata.field_index SET made_at = now() - interval '31 days'`);
  await sql(
    `UPDATE metadata.field_use SET last_used = now() - interval '31 days', since = now() - interval '32 days'`,
  );
  await waitFor(async () => {
    await often('data.tissue > "x"', 1); // something to do
    expect(await sql('SELECT FROM metadata.field_index')).toEqual([]);
  });
  expect((await indexes()).map((index) => index.name)).toEqual([
    expect.stringMatching(/^entity_text_drawn_at_/),
  ]);
  const { servedBy } = await explain('data["drawn at"] > "2024-12-27"');
  expect(servedBy).toEqual([
    { name: expect.stringMatching(/^entity_text_drawn_at_/), why: 'a schema marks the field as indexed' },
  ]);
});
