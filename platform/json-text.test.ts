// The text of large values is written ahead, in turns, and is that of JSON.stringify.
import { expect, test } from 'vitest';
import { jsonText, jsonTextInTurns, writeAhead, writeEachAhead } from './json-text.ts';

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const deep = (depth: number): unknown => (depth === 0 ? many(9000, (i) => ({ i })) : [deep(depth - 1), 'x']);
const own = (members: readonly (readonly [string, unknown])[]): Record<string, unknown> => {
  const made: Record<string, unknown> = {};
  for (const [key, value] of members)
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
  return made;
};

const shapes: Record<string, object> = {
  'a list of small values': many(100_000, (i) => i),
  'a list of rows': many(9000, (i) => ({ id: `r${i}`, 'k"': [1, 'ü😀', null, { d: true }] })),
  'lists and rows of other sizes': [
    many(30_000, (i) => i),
    'x'.repeat(100_000),
    {},
    [many(30_000, () => 'ü')],
    7,
  ],
  'many names': Object.fromEntries(many(60_000, (i) => [`k${i}`, i])),
  'many numbers as names': Object.fromEntries(many(60_000, (i) => [i * 7, [i]])),
  'a name that is special': own([
    ['a', many(20_000, (i) => i)],
    ['__proto__', { b: many(20_000, (i) => i) }],
    ['c', own([['__proto__', 1]])],
    ['d', 'x'.repeat(70_000)],
  ]),
  'deep ones': deep(150) as object,
};

test.each(Object.entries(shapes))('%s', async (_, large) => {
  const data = { v: large, s: 'small', n: null, none: undefined, o: { p: [1] } };
  const payload = { initial_state: data, more: 1 };
  const expected = [data, payload, large, { changes: { v: large } }].map((value) => JSON.stringify(value));
  const forget = await writeAhead(data);
  expect([data, payload, large, { changes: { v: large } }].map(jsonText)).toEqual(expected);
  forget();
  expect(jsonText(payload)).toBe(expected[1]);
});

test.each(Object.entries(shapes))(
  'others run meanwhile, and nothing is left for later: %s',
  async (_, large) => {
    const data = { v: many(30, () => large) };
    let [turns, isOver] = [0, false]; // of 5 ms each
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const forget = await writeAhead(data);
    isOver = true;
    expect(turns).toBeGreaterThan(1);
    const { stringify } = JSON;
    let longest = 0;
    JSON.stringify = ((value: unknown) => {
      const text = stringify(value);
      longest = Math.max(longest, text.length);
      return text;
    }) as typeof JSON.stringify;
    try {
      jsonText({ initial_state: data });
    } finally {
      JSON.stringify = stringify;
      forget();
    }
    expect(longest).toBeLessThan(100);
  },
);

test('the whole text, in turns, is the same', async () => {
  for (const large of [...Object.values(shapes), { small: [1, undefined, { none: undefined }] }])
    expect(await jsonTextInTurns(large)).toBe(JSON.stringify(large));
});

test('a text with many small values is remembered until it is released', async () => {
  const rows = many(3000, (i) => ({ i, none: undefined, 'k"': ['ü'] }));
  const payloads = rows.map((row) => ({ initial_state: row }));
  const expected = payloads.map((payload) => JSON.stringify(payload));
  const forget = await writeEachAhead([...rows, ...payloads]);
  expect(payloads.map(jsonText)).toEqual(expected);
  forget();
  Object.assign(rows[0] ?? {}, { i: 7 });
  expect(jsonText(payloads[0])).toBe(expected[0]?.replace(':0', ':7'));
});
