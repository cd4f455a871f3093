// CEL filters over stored entities (docs/reference/metadata.md#filters, docs/reference/cel.md#pushdown): the
// database's part, and the residue.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import { CelError } from '../../../platform/cel/cel-error.ts';
import {
  RESIDUE_LIMITS,
  ResidueAllowance,
  ResidueCheck,
} from '../../../subgraphs/metadata/filters/check-residue.ts';
import { compileFilter } from '../../../subgraphs/metadata/filters/compile-filter.ts';
import { freshDatabase } from '../../testkit/database.ts';
import { idsWhere, planOf, storeEntities } from './stored-entities.ts';
import { PLAIN_ENTITY } from '../../testkit/plain-entity.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  database = await freshDatabase();
  await storeEntities(database.pool, [
    { id: 'a', data: { name: 'NA12878', age: 30, tags: ['x', 'y'], items: [{ k: 1 }, { k: 2 }] } },
    { id: 'b', data: { name: 'NA12891', age: 31.5, tags: [], items: [{ k: 2, q: 'z' }] }, project: 'p1' },
    { id: 'c', data: { name: 'HG00096', age: '30', tags: 'x', note: null }, available: false },
    { id: 'd', type: 'study', data: { name: 'it\'s "quoted" \\ $1', age: -1 } },
  ]);
  await storeEntities(
    database.pool,
    Array.from({ length: 500 }, (_, i) => ({
      id: `n${i}`,
      type: 'bulk',
      data: { n: i, group: `g${i % 50}`, list: [i], parts: [{ i }] },
    })),
  );
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});

const few = ' && entity_type != "bulk"';
const found = (text: string): Promise<readonly string[]> =>
  idsWhere(database.pool, (params) => compileFilter(text + few).where(params));

test.for<readonly [string, string]>([
  ['data.age == 30', 'a'],
  ['data.age > 30', 'b'],
  ['data.age in [30, 31.5]', 'a b'],
  ['data.age != 30', 'b c d'],
  ['data.age == "30"', 'c'],
  ['!(data.age > 30)', 'a d'],
  ['has(data.note)', 'c'],
  ['data.note == null', 'c'],
  ['"x" in data.tags', 'a'],
  ['data.tags.exists(t, t == "y")', 'a'],
  ['data.items.exists(i, i.k == 2 && i.q == "z")', 'b'],
  ['data.items.all(i, i.k > 1)', 'b'],
  ['data.name.startsWith("NA")', 'a b'],
  ['data.name.matches("^NA")', 'a b'],
  ['data.name == "it\'s \\"quoted\\" \\\\ $1"', 'd'],
  ['data.name.contains("$1")', 'd'],
  ['id == "a" || id in ["b", "c"]', 'a b c'],
  ['!is_available', 'c'],
  ['project == "p1"', 'b'],
  ['project == null', 'a c d'],
  ['version == 1 && entity_type == "study"', 'd'],
  ['created_at <= updated_at', 'a b c d'],
  ['created_at > timestamp("2020-01-01T00:00:00Z") && created_at.getFullYear() >= 2020', 'a b c d'],
  ['data.missing == 1 || data.age == 30', 'a'],
  ['true', 'a b c d'],
  ['false', ''],
])('%s finds %s', async ([text, ids]) => {
  expect(compileFilter(text).exact).toBe(true);
  expect((await found(text)).join(' ')).toBe(ids);
});

test.for([
  'data.n == 7',
  'data.n in [7, 8]',
  '7 in data.list',
  'data.parts.exists(p, p.i == 7)',
  'data.parts.exists(p, p.i == 7 && p.x > 1)',
  'data.group == "g7" && data.n > 100',
  'data.n == 7 || data.group == "g1"',
  '7 == data.n && data.n * 2.0 == 14.0',
])('%s is answered by the index over data', async (text) => {
  expect(await planOf(database.pool, (params) => compileFilter(text).where(params))).toMatch(
    /entity_data_idx/,
  );
});

test("a filter follows the statement's own parameters and shares equal values", () => {
  const params: unknown[] = ['before'];
  const sql = compileFilter('data.s > "x" && data.t > "x"').where(params);
  expect(params).toEqual(['before', 's', 'x', 't']);
  expect(sql).toContain('$2::text');
  expect(sql).not.toMatch(/"x"|'s'/);
});

test('terms that SQL cannot express are evaluated row by row, with the reason', () => {
  const filter = compileFilter(
    'entity_type == "sample" && data.age * 2.0 > 60.0 && data.name.matches("(?i)^na")',
  );
  expect(filter.exact).toBe(false);
  expect(filter.explain).toEqual({
    pushed: ['entity_type == "sample"'],
    left: ['(data.age * 2.0) > 60.0', 'data.name.matches("(?i)^na")'],
    reasons: ['function _*_', 'matches'],
    fields: ['data.age', 'data.name'],
  });
  expect(filter.where([])).toBe('((e.entity_type = $1::text))');
});

test('naming is_available is known', () => {
  expect(compileFilter('data.x == 1').mentions('is_available')).toBe(false);
  expect(compileFilter('data.x == 1 || !is_available').mentions('is_available')).toBe(true);
});

const row = (data: BoundEntity['data']): BoundEntity => ({
  ...PLAIN_ENTITY,
  id: 'e',
  entity_type: 't',
  data,
});

test('the residue is checked row by row', () => {
  const check = new ResidueCheck(compileFilter('data.a * 2.0 == 4.0 && data.b == 1'));
  expect(check.matches(row({ a: 2 }))).toBe(true); // SQL evaluates data.b
  expect(check.matches(row({ a: 3 }))).toBe(false);
  expect(check.matches(row({ a: '2' }))).toBe(false);
  expect(new ResidueCheck(compileFilter('data.a == 2')).matches(row({}))).toBe(true); // no residue
});

test('too many or too costly candidates are refused with a hint for what to do', () => {
  const many = new ResidueCheck(compileFilter('data.a * 2.0 == 4.0'));
  for (let i = 0; i < RESIDUE_LIMITS.candidates; i++) many.matches(row({ a: 1 }));
  expect(() => many.matches(row({ a: 1 }))).toThrow(/more than 100000 entities .* narrow it with terms/);

  const list = Array.from({ length: 60 }, (_, i) => i);
  const costly = new ResidueCheck(
    compileFilter('data.l.all(x, data.l.all(y, x + y >= 0.0))'),
    new ResidueAllowance({ ...RESIDUE_LIMITS, steps: 100_000 }),
  );
  expect(() => {
    for (let i = 0; i < 10; i++) costly.matches(row({ l: list }));
  }).toThrow(/too many steps/);
  const one = new ResidueCheck(compileFilter('data.l.all(x, data.l.all(y, x + y >= 0.0))'));
  expect(() => one.matches(row({ l: Array.from({ length: 5000 }, (_, i) => i) }))).toThrow(/too many steps/);
});

test('SQL stays short, however an expression repeats itself', () => {
  const nestedConditional = Array.from({ length: 30 }).reduce<string>(
    (inner) => `(data.a ? ${inner} : data.b)`,
    'data.c',
  );
  const params: unknown[] = [];
  expect(compileFilter(`${nestedConditional} == 1 && data.d == 2`).where(params).length).toBeLessThan(20_000);
});

test('a macro that would read the row again for every element is left to the evaluator, which counts', () => {
  for (const text of [
    'data.a.all(x, data.a.all(y, x == y))',
    'data.a.exists(x, x in data.b)',
    'data.a.all(id, data.b.all(y, id == y))',
    'data.a.exists(x, x.b.exists(y, y == x.c))',
  ]) {
    expect(compileFilter(text).explain.left).toHaveLength(1);
  }
  expect(compileFilter('data.a.exists(x, x.b.exists(y, y == id))').exact).toBe(true);
});

test('a text that PostgreSQL would search for in quadratic time is left to the evaluator', () => {
  expect(compileFilter(`data.s.contains("${'a'.repeat(64)}")`).exact).toBe(true);
  expect(compileFilter(`data.s.contains("${'a'.repeat(65)}")`).exact).toBe(false);
  expect(compileFilter('data.s.contains(data.t)').exact).toBe(false);
});

test('a bad filter is refused before anything runs', () => {
  expect(() => compileFilter('data.x ==')).toThrow(CelError);
  expect(() => compileFilter('row.x == 1')).toThrow(
    /unknown name 'row'; a field is written data\.row \(line 1, column 1\)/,
  );
});

test('strings that PostgreSQL cannot hold never reach it', async () => {
  for (const text of [
    'data.name == "\\u0000"',
    'data.name < "\\u0000"',
    'data.name.contains("\\u0000")',
    '"\\u0000" in data.tags',
    'has(data.name) && data["\\u0000"] == 1',
    'id == "\\u0000"',
    'id in ["\\u0000"]',
    'data.name == "\ud800"',
    'id + "\\u0000" == "a"',
  ]) {
    expect(await found(text)).toBeInstanceOf(Array);
  }
});
