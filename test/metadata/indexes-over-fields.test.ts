// Fields that a schema marks as indexed: ranges and orders use their index, with the same results as without
// it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unseal } from '../../platform/sealed-text.ts';
import { asSuperuser } from '../testkit/database.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const SCHEMA = 'mutation($d: JSON!) { createSchema(definition: $d) { name allFields { name indexed } } }';
const EXPLAIN =
  'query($t: String, $f: String!, $o: String) { explainFilter(entityType: $t, filter: $f, orderBy: $o) { left indexes readsTable } }';
const LIST =
  'query($t: String, $f: String, $o: String, $c: String, $at: DateTime, $n: Int) { entities(entityType: $t, filter: $f, orderBy: $o, cursor: $c, asOf: $at, limit: $n) { items { id data } total nextCursor } }';
const BULK =
  'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created updated errors { message } } }';
interface Page {
  items: { id: string; data: Record<string, unknown> }[];
  total: number;
  nextCursor: string | null;
}
interface Explanation {
  left: string[];
  indexes: string[];
  readsTable: boolean;
}

let metadata: FreshMetadata;
const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;
const explain = (f: string, o: string | null = null, t = 'Sample'): Promise<Explanation> =>
  ask<Explanation>(EXPLAIN, { t, f, o });
const indexes = async (): Promise<string[]> =>
  (
    await metadata.database.pool.query<{ indexname: string }>(
      `SELECT indexname FROM pg_indexes WHERE schemaname = 'metadata' AND indexname ~ '^entity_(number|text)_' ORDER BY 1`,
    )
  ).rows.map((row) => row.indexname);
const fields = (indexed: boolean) => [
  { name: 'age', field_type: 'int', required: true, indexed },
  { name: 'drawn', field_type: 'date', required: true, indexed },
  { name: 'Ph wert (ü)', field_type: 'float', indexed },
  { name: 'depth', field_type: 'int', indexed },
  { name: 'note', field_type: 'string', indexed },
  { name: 'project', field_type: 'string' },
];
const dataOf = (i: number) => ({
  age: (i * 7919) % 3000,
  drawn: `20${String(10 + (i % 15))}-0${1 + (i % 9)}-1${i % 9}`,
  ...(i < 50 ? {} : { depth: (i * 31) % 700 }),
  project: i % 2 ? 'alpha' : 'beta',
  ...(i % 3 === 0 ? { 'Ph wert (ü)': i / 7 } : {}),
  ...(i % 5 === 1 && i < 30 ? { note: 'x'.repeat(247 + (i % 6)) } : {}),
  ...(i % 5 === 0 ? { note: `${'x'.repeat(300)}${String(i).padStart(4, '0')}` } : {}),
});
const analyze = () =>
  asSuperuser(
    'ANALYZE metadata.entity, metadata.provenance',
    new URL(metadata.database.url).pathname.slice(1),
  );

/** Every page by its cursor. */
async function all(
  variables: Record<string, unknown>,
  ...caller: [Parameters<FreshMetadata['ask']>[2]] | []
): Promise<Page['items']> {
  const items: Page['items'] = [];
  for (let c: string | null = null, first = true; first || c !== null; first = false) {
    const page: Page = await ask<Page>(LIST, { n: 700, ...variables, c }, ...caller);
    items.push(...page.items);
    c = page.nextCursor;
  }
  return items;
}

const count = async (f: string): Promise<number> => (await ask<Page>(LIST, { t: 'Biopsy', f, n: 1 })).total;

beforeAll(async () => {
  metadata = await freshMetadata();
  await ask(SCHEMA, { d: { name: 'Sample', version: '1', fields: fields(true) } });
  await ask(SCHEMA, { d: { name: 'Biopsy', version: '1', parent: 'Sample', fields: [] } });
  await ask(SCHEMA, { d: { name: 'Plain', version: '1', fields: fields(false) } });
  const e = Array.from({ length: 4500 }, (_, i) => ({
    entityType: (['Sample', 'Biopsy', 'Plain'] as const)[i % 3],
    id: `s${i}`,
    data: dataOf(Math.floor(i / 3)),
  }));
  expect(await ask(BULK, { e })).toEqual({ created: 4500, updated: 0, errors: [] });
  await analyze();
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('marking a field makes one index for each name and kind, whatever the name', async () => {
  expect(await indexes()).toEqual([
    expect.stringMatching(/^entity_number_age_[\da-f]{8}_idx$/),
    expect.stringMatching(/^entity_number_depth_[\da-f]{8}_idx$/),
    expect.stringMatching(/^entity_number_ph_wert__[\da-f]{8}_idx$/),
    expect.stringMatching(/^entity_text_drawn_[\da-f]{8}_idx$/),
    expect.stringMatching(/^entity_text_note_[\da-f]{8}_idx$/),
  ]);
  const schema = await ask<{ allFields: { name: string; indexed: boolean }[] }>(
    '{ schema(name: "Biopsy") { allFields { name indexed } } }',
  );
  expect(schema.allFields.filter((field) => field.indexed).map((field) => field.name)).toEqual([
    'age',
    'drawn',
    'Ph wert (ü)',
    'depth',
    'note',
  ]);
});

test('ranges are found by the index, for subtypes too, and explain names it', async () => {
  for (const [filter, index] of [
    ['data.age >= 2990', /^entity_number_age_/],
    ['data.age > 10 && data.age < 14.5', /^entity_number_age_/],
    ['data["Ph wert (ü)"] < 1.0', /^entity_number_ph_wert_/],
    ['data.drawn > "2024-08"', /^entity_text_drawn_/],
    ['data.note < "xx" && data.drawn < "2010-02"', /^entity_text_/],
  ] as const) {
    for (const type of ['Sample', 'Biopsy']) {
      const explained = await explain(filter, null, type);
      expect(explained).toMatchObject({ left: [], readsTable: false });
      expect(
        explained.indexes.some((name) => index.test(name)),
        `${type}: ${filter}: ${explained.indexes.join()}`,
      ).toBe(true);
    }
  }
});

test('filters find the same entities with and without the index', async () => {
  const edge = `${'x'.repeat(300)}0700`;
  const filters = [
    'data.age >= 2990',
    'data.age < 3',
    '!(data.age > 3)',
    'data.age > 10 && data.age <= 14.5',
    'data["Ph wert (ü)"] < 1.0 || data.age > 2995',
    'data.drawn >= "2024-08-17"',
    'data.age > "x"',
    'data.note > "x"',
    `data.note > "${edge}"`,
    `data.note >= "${edge}"`,
    `data.note < "${edge}"`,
    `data.note <= "${edge}"`,
    `!(data.note > "${edge}")`,
  ];
  for (const f of filters) {
    const [indexed, plain] = [await all({ t: 'Biopsy', f }), await all({ t: 'Plain', f })];
    expect(
      indexed.map((item) => item.data),
      f,
    ).toEqual(plain.map((item) => item.data));
  }
  expect((await all({ t: 'Plain', f: `data.note <= "${edge}"` })).length).toBeGreaterThan(100);
});

test('a text is compared with all of a literal, whatever part of it the index has', async () => {
  const notes = Array.from({ length: 1500 }, (_, i) => dataOf(i).note ?? null).filter(
    (note) => note !== null,
  );
  const compared = { '<': (a: string, b: string) => a < b, '<=': (a: string, b: string) => a <= b };
  for (const length of [248, 249, 250, 251, 300])
    for (const [operator, holds] of Object.entries(compared)) {
      const literal = 'x'.repeat(length);
      const found = notes.filter((note) => holds(note, literal)).length;
      expect(await count(`data.note ${operator} "${literal}"`), `${operator} ${length}`).toBe(found);
      expect(await count(`!(data.note ${operator} "${literal}")`)).toBe(notes.length - found);
      const mirrored = operator === '<' ? '>=' : '>';
      expect(await count(`data.note ${mirrored} "${literal}"`)).toBe(notes.length - found);
    }
});

test('an order by a required field is read from its index, page after page, and equals the order without it', async () => {
  for (const o of ['data.age', '-data.age', 'data.drawn', '-data.drawn']) {
    const explained = await explain('true', o, 'Biopsy');
    expect(
      explained.indexes.some((name) => /^entity_(number_age|text_drawn)_/.test(name)),
      `${o}: ${explained.indexes.join()}`,
    ).toBe(true);
    for (const caller of [undefined, callerWith('viewer', ['alpha'])]) {
      const [indexed, plain] = [await all({ t: 'Biopsy', o }, caller), await all({ t: 'Plain', o }, caller)];
      expect(indexed).toHaveLength(caller ? 750 : 1500);
      expect(indexed.map((item) => item.data)).toEqual(plain.map((item) => item.data));
    }
    const both = await all({ t: 'Sample', o });
    expect(both).toHaveLength(3000);
    expect(new Set(both.map((item) => item.id)).size).toBe(3000);
    const key = o.replace(/^-?data\./, '');
    const values = both.map((item) => item.data[key] as number | string);
    expect(values).toEqual(
      [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0) * (o.startsWith('-') ? -1 : 1)),
    );
  }
  expect(
    (await explain('true', 'data.age')).indexes.some((name) => name.startsWith('entity_number_age_')),
  ).toBe(true);
});

test('an order by a field that entities may lack is read from its index', async () => {
  for (const o of ['data.depth', '-data.depth'])
    expect((await explain('data.project == "alpha"', o, 'Biopsy')).indexes.join(), o).toMatch(
      /entity_number_depth_/,
    );
});

test('a deep page costs what the first one costs: the index is entered at its place', async () => {
  let page = await ask<Page>(LIST, { t: 'Biopsy', o: 'data.age', n: 1000 });
  page = await ask<Page>(LIST, { t: 'Biopsy', o: 'data.age', n: 100, c: page.nextCursor });
  const cursor = JSON.parse(unseal(page.nextCursor ?? '') ?? '') as [string, null, string[]];
  expect(cursor[0]).toBe('data.age by index');
  const { rows } = await metadata.database.pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT id FROM metadata.entity e WHERE entity_type = 'Biopsy' AND is_available AND (CASE WHEN jsonb_typeof((e.data -> 'age')) = 'number' THEN (e.data -> 'age') END) IS NOT NULL
     AND ((CASE WHEN jsonb_typeof((e.data -> 'age')) = 'number' THEN (e.data -> 'age') END), e.first_event) > ('${cursor[2][0]}'::jsonb, ${cursor[2][1]})
     ORDER BY (CASE WHEN jsonb_typeof((e.data -> 'age')) = 'number' THEN (e.data -> 'age') END), e.first_event LIMIT 100`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index Scan using entity_number_age_/);
  expect(plan).toMatch(/Index Cond:.*ROW\(/);
});

test('order and ranges as of a time are not affected by later changes', async () => {
  const at = (
    await ask<{ updatedAt: string }>(
      'mutation { ingestEntity(entityType: "Biopsy", id: "s1", data: {note: "now"}) { updatedAt } }',
    )
  ).updatedAt;
  const asked = { t: 'Biopsy', o: 'data.age', f: 'data.age > 2900', at };
  const before = await all(asked);
  expect(before.length).toBeGreaterThan(10);
  const first = before[0]?.id ?? '';
  await ask('mutation($id: ID!) { updateEntity(entityType: "Biopsy", id: $id, data: {age: 1}) { id } }', {
    id: first,
  });
  expect(await all(asked)).toEqual(before);
  expect((await all({ ...asked, at: null })).map((item) => item.id)).toEqual(
    before.map((item) => item.id).filter((id) => id !== first),
  );
});

test('a cursor keeps its order when the field is indexed meanwhile; an index is dropped with its last mark', async () => {
  const plain = fields(false);
  const [whole, page] = [
    await all({ t: 'Plain', o: '-data.age' }),
    await ask<Page>(LIST, { t: 'Plain', o: '-data.age', n: 10 }),
  ];
  await ask(SCHEMA, { d: { name: 'Plain', version: '2', fields: fields(true) } });
  expect((await ask<Page>(LIST, { t: 'Plain', o: '-data.age', n: 10, c: page.nextCursor })).items).toEqual(
    whole.slice(10, 20),
  );
  const later = await ask<Page>(LIST, { t: 'Plain', o: '-data.age', n: 20 });
  await ask(SCHEMA, { d: { name: 'Plain', version: '3', fields: plain } });
  expect(await indexes()).toHaveLength(5); // Sample's marks remain
  await expect(ask(LIST, { t: 'Plain', o: '-data.age', c: later.nextCursor })).rejects.toThrow(
    'cursor does not come from this list in this order',
  );
  await ask(SCHEMA, { d: { name: 'Sample', version: '2', fields: fields(false) } });
  expect(await indexes()).toEqual([]);
  expect(await all({ t: 'Plain', o: '-data.age' })).toEqual(whole);
});

test('marks on fields that no index can hold, and too many marks, are refused; long texts are not', async () => {
  const define = (list: object[]) => ask(SCHEMA, { d: { name: 'Odd', version: '1', fields: list } });
  for (const field of [
    { name: 'a', field_type: 'json' },
    { name: 'a', field_type: 'bool' },
    { name: 'a', field_type: 'int', many: true },
  ]) {
    await expect(define([{ ...field, indexed: true }])).rejects.toThrow(
      'VALIDATION_FAILED: field a.indexed is only allowed for single numbers and strings',
    );
  }
  await expect(
    define(Array.from({ length: 65 }, (_, i) => ({ name: `f${i}`, field_type: 'int', indexed: true }))),
  ).rejects.toThrow('VALIDATION_FAILED: at most 64 field names');
  expect(await indexes()).toEqual([]);
  await define([
    { name: `quote ' and "${'n'.repeat(100)}`, field_type: 'string', required: true, indexed: true },
  ]);
  const long = '𝄞'.repeat(100_000);
  expect(
    await ask(BULK, {
      e: [{ entityType: 'Odd', id: 'long', data: { [`quote ' and "${'n'.repeat(100)}`]: long } }],
    }),
  ).toMatchObject({ created: 1 });
  expect((await all({ t: 'Odd', o: `data.quote ' and "${'n'.repeat(100)}` })).map((item) => item.id)).toEqual(
    ['long'],
  );
});
