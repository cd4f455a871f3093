// Large JSON text is parsed in parts: the value is the same. That others run meanwhile is in test/platform.
import { expect, test } from 'vitest';
import { parseJsonInTurns } from './parse-json.ts';

const filler = (length: number): string => 'x'.repeat(length);
const rows = (count: number): unknown[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    n: i,
    t: [1, 'a,]}"\\', null],
    'k"{': { d: filler(50) },
  }));

test.each<[string, unknown]>([
  ['a list of rows', rows(20_000)],
  [
    'rows below objects',
    { data: { a: { items: rows(9000), total: 3 }, b: rows(9000), c: 'end' }, extensions: { v: '1' } },
  ],
  ['large strings', { a: filler(400_000), b: [filler(300_000), `${filler(300_000)}\\"`], c: 1 }],
  ['lists of lists', [rows(3000), [], [rows(4000), rows(10)], 7, {}, [[rows(5000)]]]],
  ['many keys', Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, i]))],
  ['numbers', Array.from({ length: 60_000 }, (_, i) => i / 7)],
  ['one string', filler(700_000)],
  ['a large first and small others', { big: rows(6000), x: 1, y: [2], z: { w: 3 } }],
])('%s', async (_, value) => {
  expect(await parseJsonInTurns(JSON.stringify(value), undefined)).toEqual(value);
  const spaced = JSON.stringify(value, null, 1);
  expect(await parseJsonInTurns(spaced, undefined)).toEqual(value);
});

test('keys that plain assignment would take for the prototype are own properties', async () => {
  const text = `{"a":${JSON.stringify(rows(9000))},"__proto__":{"b":${JSON.stringify(rows(9000))}},"c":1}`;
  const value = (await parseJsonInTurns(text, undefined)) as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['a', '__proto__', 'c']);
});

test('truncated JSON is an error', async () => {
  const text = JSON.stringify(rows(20_000));
  await expect(parseJsonInTurns(text.slice(0, -1), undefined)).rejects.toThrow(SyntaxError);
  await expect(parseJsonInTurns(`${text}]`, undefined)).rejects.toThrow(SyntaxError);
});
