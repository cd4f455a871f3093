// `order_by` of a listing (docs/reference/metadata.md#order): created_at, updated_at, id, data.<field>, with
// a leading - for descending, several by comma.
import { expect, test } from 'vitest';
import { compileOrder } from '../../../subgraphs/metadata/reading/order.ts';
import { freshDatabase } from '../../testkit/database.ts';
import { FROM, storeEntities } from './stored-entities.ts';

test('entities come in the order asked for, page after page', async () => {
  await using database = await freshDatabase();
  await storeEntities(database.pool, [
    { id: 'c', data: { n: 2, "it's": 1 } },
    { id: 'a', data: { n: 10 } },
    { id: 'd', data: {} },
    { id: 'b', data: { n: 2, "it's": 0 } },
    { id: 'e', data: { n: 'x' } },
  ]);
  const ordered = async (orderBy: string | null): Promise<string> => {
    const keys = compileOrder(orderBy);
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT e.id ${FROM} ORDER BY ${keys.map((key) => `${key.sql} ${key.descending ? 'DESC' : 'ASC'}`).join(', ')}`,
    );
    return rows.map((row) => row.id).join('');
  };
  expect(await ordered(null)).toBe('cadbe');
  expect(await ordered('created_at')).toBe('cadbe');
  expect(await ordered('-created_at')).toBe('ebdac');
  expect(await ordered('-updated_at')).toBe('ebdac');
  expect(await ordered('id')).toBe('abcde');
  expect(await ordered('-id')).toBe('edcba');
  expect(await ordered('data.n')).toBe('decba');
  expect(await ordered('-data.n')).toBe('abced');
  expect(await ordered("data.it's")).toBe('adebc');
  expect(await ordered('data.n,id')).toBe('debca');
  expect(await ordered('data.n, -id')).toBe('decba');
  expect(await ordered("-data.n,data.it's")).toBe('abced');
  expect(await ordered("-data.n,-data.it's")).toBe('acbed');

  const { rows } = await database.pool.query<{ nulls: string }>(
    `SELECT count(*) FILTER (WHERE ${compileOrder('data.n')
      .map((key) => `(${key.sql}) IS NULL`)
      .join(' OR ')}) AS nulls ${FROM}`,
  );
  expect(rows[0]?.nulls).toBe('0');
});

test('anything else is refused', () => {
  for (const orderBy of [
    '',
    '-',
    'name',
    'data',
    'data.',
    '--id',
    'id desc',
    'created_at,',
    ',id',
    'id,name',
    'data.\u0000',
    `data.${'x'.repeat(129)}`,
    'constructor',
  ]) {
    expect(() => compileOrder(orderBy)).toThrow(/order_by must be/);
  }
  const fields = new Map([['name', {}]]);
  expect(compileOrder('-data.name', fields)).toHaveLength(2);
  expect(() => compileOrder('data.nam', fields)).toThrow(/unknown field nam/);
  expect(() => compileOrder(Array.from({ length: 9 }, (_, i) => `data.f${i}`).join(','))).toThrow(
    /at most 8 keys/,
  );
});

test("keys after a unique one decide nothing, and a comma may be part of a field's name", () => {
  expect(compileOrder('-data.n,created_at,id').map((key) => [key.type, key.descending])).toEqual([
    ['jsonb', true],
    ['bigint', false],
  ]);
  expect(compileOrder('id,data.n')).toHaveLength(1);
  expect(compileOrder('data.a,b')).toHaveLength(2);
  expect(compileOrder('data.a,id', new Map([['a,id', {}]])).map((key) => key.type)).toEqual([
    'jsonb',
    'bigint',
  ]);
});
