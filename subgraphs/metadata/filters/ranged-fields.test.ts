// The ranges of a filter that an index over a field can answer.
import { expect, test } from 'vitest';
import { compileFilter } from './compile-filter.ts';

const ranges = (filter: string): string[] =>
  compileFilter(filter).ranges.map(({ field, kind }) => `${field} ${kind}`);

test('ranges are those that have to hold, against numbers or texts, either way round and by either spelling', () => {
  expect(ranges('data.age > 3 && data.age <= 4.5 && data["Ph wert"] < 7.0 && "b" < data.name')).toEqual([
    'age number',
    'Ph wert number',
    'name text',
  ]);
  expect(
    ranges(
      'data.age > 3 && (data.depth > 1 || data.depth < 0) && !(data.n > 1) && data.list.exists(x, x > 3)',
    ),
  ).toEqual(['age number']);
});

test('other conditions are not ranges', () => {
  for (const filter of [
    'data.age == 3',
    'data.age > data.depth',
    'data.a.b > 3',
    'version > 3',
    'created_at > timestamp("2026-01-01T00:00:00Z")',
    'data.age > true',
    'data.when > duration("1s")',
    'data[data.key] > 3',
    '1 < 2',
  ]) {
    expect(ranges(filter), filter).toEqual([]);
  }
});
