// Field parameters of a listing (docs/reference/metadata.md#field-parameters).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileFieldFilter } from '../../../subgraphs/metadata/filters/field-filter.ts';
import type {
  FieldDefinition,
  FieldType,
} from '../../../subgraphs/metadata/schema-model/field-definition.ts';
import { freshDatabase } from '../../testkit/database.ts';
import { idsWhere, planOf, storeEntities } from './stored-entities.ts';

const field = (type: FieldType, many = false): Pick<FieldDefinition, 'type' | 'many'> => ({ type, many });
const fields = new Map([
  ['name', field('string')],
  ['age', field('int')],
  ['score', field('float')],
  ['ok', field('bool')],
  ['on', field('date')],
  ['at', field('datetime')],
  ['tags', field('string', true)],
  ['sizes', field('int', true)],
  ['any', field('json')],
  ['version', field('string')],
  ['id', field('string')],
  ['weird key', field('string')],
]);

let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  database = await freshDatabase();
  await storeEntities(database.pool, [
    {
      id: 'a',
      data: {
        name: '30',
        age: 30,
        score: 0.5,
        ok: true,
        on: '2024-01-31',
        at: '2024-01-31T09:30:00Z',
        tags: ['x', 'y'],
        sizes: [1, 2],
        any: { k: [1] },
        version: 'v1',
        'weird key': 'w',
      },
    },
    {
      id: 'b',
      data: {
        name: 'true',
        age: 31,
        score: 1e21,
        ok: false,
        on: '2024-02-01',
        at: '2024-01-31T10:30:00+01:00',
        tags: [],
        sizes: [30],
        any: '30',
        version: 'v2',
      },
      project: 'p1',
    },
    { id: 'c', data: { name: "it's", age: -1, tags: ['30'], any: 30 }, available: false },
    { id: 'd', data: { name: 'null', any: null, tags: ['x'] } },
  ]);
  await storeEntities(
    database.pool,
    Array.from({ length: 500 }, (_, i) => ({ id: `n${i}`, type: 'bulk', data: { group: `g${i % 50}` } })),
  );
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});

async function found(query: string, typed: boolean): Promise<string> {
  const search = new URLSearchParams(query);
  const given = [...new Set(search.keys())].map((name) => ({ name, values: search.getAll(name) }));
  return (
    await idsWhere(
      database.pool,
      (params) =>
        `e.entity_type = 'sample' AND ${compileFieldFilter(typed ? fields : null, given).where(params)}`,
    )
  ).join(' ');
}

test.for<readonly [query: string, typed: string, untyped: string]>([
  ['name=30', 'a', 'a'],
  ["name=it's", 'c', 'c'],
  ['age=30', 'a', 'a'],
  ['age=30.0', '', ''],
  ['age=3e1', '', ''],
  ['age=-1', 'c', 'c'],
  ['age=', '', ''],
  ['age=30&age=31', 'a b', 'a b'],
  ['age=30&name=30', 'a', 'a'],
  ['age=30&name=x', '', ''],
  ['score=0.5', 'a', 'a'],
  ['score=1e%2B21', 'b', 'b'],
  ['score=.5', '', ''],
  ['ok=true', 'a', 'a'],
  ['ok=false', 'b', 'b'],
  ['ok=TRUE', '', ''],
  ['name=true', 'b', 'b'],
  ['name=null', 'd', 'd'],
  ['on=2024-01-31', 'a', 'a'],
  ['at=2024-01-31T09:30:00Z', 'a', 'a'],
  ['tags=x', 'a d', 'a d'],
  ['tags=30', 'c', 'c'],
  ['sizes=30', 'b', 'b'],
  ['sizes=2&tags=y', 'a', 'a'],
  ['any=30', 'b c', 'b c'],
  ['any=null', '', ''],
  ['any={"k": [1]}', 'a', 'a'],
  ['any={"k": [2]}', '', ''],
  ['weird+key=w', 'a', 'a'],
  ['name=%00', '', ''],
  ['any={"k": "\\u0000"}', '', ''],
  ['version=v1', 'a', ''],
  ['id=b', 'b', 'b'],
  ['id=a&id=b', 'a b', 'a b'],
  ['is_available=false', 'c', 'c'],
  ['project=p1', 'b', 'b'],
])('?%s finds [%s] of the named type and [%s] without one', async ([query, typed, untyped]) => {
  if (query.startsWith('project') || query.startsWith('is_available'))
    expect(await found(query, false)).toBe(typed);
  else expect(await found(query, true)).toBe(typed);
  expect(await found(query, false)).toBe(untyped);
});

test("an entity's own attributes can be asked for under a named type too", async () => {
  expect(await found('is_available=false', true)).toBe('c');
  expect(await found('project=p1', true)).toBe('b');
});

test('an unknown field of a named type is refused, naming it', () => {
  expect(() => compileFieldFilter(fields, [{ name: 'colour', values: ['red'] }])).toThrow(
    /unknown field colour/,
  );
  expect(() => compileFieldFilter(fields, [{ name: 'constructor', values: ['x'] }])).toThrow(
    /unknown field constructor/,
  );
  expect(() => compileFieldFilter(fields, [{ name: 'is_available', values: ['yes'] }])).toThrow(
    /true or false/,
  );
  expect(() =>
    compileFieldFilter(fields, [{ name: 'name', values: Array.from({ length: 1001 }, String) }]),
  ).toThrow(/more than 1000/);
});

test('an unknown field without a type finds nothing', async () => {
  expect(await found('colour=red', false)).toBe('');
  expect(await found('__proto__=x', false)).toBe('');
});

test('no parameter is no condition, and names are known', () => {
  expect(compileFieldFilter(null, []).where([])).toBe('true');
  expect(
    compileFieldFilter(null, [{ name: 'is_available', values: ['false'] }]).mentions('is_available'),
  ).toBe(true);
});

test('the index over data answers', async () => {
  for (const typed of [null, new Map([['group', field('string')]])]) {
    const filter = compileFieldFilter(typed, [{ name: 'group', values: ['g7', 'g8'] }]);
    expect(await planOf(database.pool, (params) => filter.where(params))).toMatch(/entity_data_idx/);
  }
});
