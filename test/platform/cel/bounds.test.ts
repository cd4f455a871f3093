// No expression blocks the process (docs/reference/cel.md#limits, docs/hazards.md): each hostile one ends
// within a second, as specified.
import { expect, test } from 'vitest';
import { rowBindings } from '../../../platform/cel/bindings.ts';
import { CelError } from '../../../platform/cel/cel-error.ts';
import { compileCel } from '../../../platform/cel/compile.ts';
import { CEL_LIMITS } from '../../../platform/cel/limits.ts';

const variables = { row: 'any' } as const;
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
const texts = (count: number, text: string): readonly string[] => Array.from({ length: count }, () => text);
const keyed = (count: number, prefix: string): Record<string, number> =>
  Object.fromEntries(numbers(count).map((i) => [prefix + String(i), i]));
let deep: unknown = 1;
for (let i = 0; i < 20_000; i++) deep = [deep];

const processorMs = (began: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
};

/** How many times as long as on an idle machine anything takes now: others share its caches and cores. */
function slowness(): number {
  const began = process.cpuUsage();
  let sum = 0;
  for (let i = 0; i < 20_000_000; i++) sum = (sum + i * i) | 0;
  expect(sum).toBeTypeOf('number'); // so that it is computed
  return Math.max(1, processorMs(began) / 20);
}

/** Its result, after checking that it was fast. */
function outcome(text: string, row: unknown): unknown {
  const began = process.cpuUsage();
  try {
    const result = compileCel(text, { variables, resultType: 'any' }).evaluate(rowBindings(row));
    return result.ok ? result.value : result.exhausted ? 'too many steps' : 'error';
  } catch (error) {
    if (error instanceof CelError) return 'refused';
    throw error;
  } finally {
    // processor time, because the machine may be busy
    const took = processorMs(began);
    expect(took < 1000 ? took : took / slowness(), 'milliseconds').toBeLessThan(1000);
  }
}

const traps: readonly (readonly [name: string, text: string, row: unknown, expected: unknown])[] = [
  ['a pattern that makes others backtrack', 'row.matches("(a+)+$")', `${'a'.repeat(29)}b`, false],
  ['the same over a long text', 'row.matches("(a+)+$")', `${'a'.repeat(500_000)}b`, false],
  [
    'the same over many long texts',
    'row.all(x, !x.matches("(a+)+$"))',
    texts(50, `${'a'.repeat(100_000)}b`),
    'too many steps',
  ],
  ['a pattern whose repetitions multiply', `row.matches("${'\\\\pL{1000}'.repeat(50)}")`, 'x', 'refused'],
  ['a repetition of a repetition', 'row.matches("((a{100}){100}){100}")', 'x', 'refused'],
  ['a pattern beyond 512 characters', `row.matches("${'a'.repeat(513)}")`, 'x', 'refused'],
  ['a pattern from the data beyond 512 characters', '"x".matches(row)', 'a'.repeat(513), 'error'],
  [
    'many large patterns from the data',
    'row.all(p, !"x".matches(p))',
    numbers(1000).map((i) => `\\pL{1000}`.repeat(8) + String(i)),
    'too many steps',
  ],
  ['a list over a list', 'row.all(x, row.all(y, x + y >= 0.0))', numbers(3000), 'too many steps'],
  [
    'a list over a list of literals',
    `[${numbers(280).join()}].all(x, [${numbers(280).join()}].all(y, x < 1000 || y < 1000))`,
    null,
    true,
  ],
  ['macros three deep', 'row.all(x, row.all(y, row.all(z, true)))', numbers(3), 'refused'],
  [
    'comparing large lists over and over',
    'row.a.all(x, row.b == row.c)',
    { a: numbers(20_000), b: numbers(20_000), c: numbers(20_000) },
    'too many steps',
  ],
  [
    'comparing large objects over and over',
    'row.all(x, row == row.map(y, y))',
    numbers(2000).map((i) => ({ i })),
    'too many steps',
  ],
  [
    'looking for what is not there, over and over',
    'row.all(x, !(-1.0 in row))',
    numbers(20_000),
    'too many steps',
  ],
  [
    'long texts over and over',
    'row.a.all(x, !row.s.contains("b"))',
    { a: numbers(10_000), s: 'a'.repeat(100_000) },
    'too many steps',
  ],
  [
    'a long part that almost occurs everywhere',
    'row.s.contains(row.p)',
    { s: 'a'.repeat(1_000_000), p: `${'a'.repeat(200_000)}b${'a'.repeat(200_000)}` },
    false,
  ],
  [
    'the same as a literal, often',
    `row.all(x, !x.contains("${'a'.repeat(1500)}b${'a'.repeat(1500)}"))`,
    texts(40, 'a'.repeat(500_000)),
    'too many steps',
  ],
  [
    'equal long texts over and over',
    'row.l.all(x, row.s == row.t)',
    { l: numbers(100_000), s: `x${'a'.repeat(2_000_000)}`, t: `x${'a'.repeat(2_000_000)}` },
    'too many steps',
  ],
  [
    'long texts as bytes',
    'row.l.all(x, size(bytes(row.s)) > 1)',
    { l: numbers(100_000), s: 'a'.repeat(1_000_000) },
    'too many steps',
  ],
  ['a long text that is almost a number', 'double(row)', `${'1'.repeat(1_000_000)}x`, 'error'],
  [
    'objects with many keys, compared',
    'row.l.all(x, row.a != row.b)',
    { l: numbers(100_000), a: keyed(20_000, 'a'), b: keyed(20_000, 'b') },
    'too many steps',
  ],
  [
    'objects with many keys, counted',
    'row.l.all(x, size(row.a) > 1)',
    { l: numbers(50_000), a: keyed(20_000, 'a') },
    true,
  ],
  [
    'objects with many keys, indexed by number',
    'row.l.all(x, row.a[1] == 1 || true)',
    { l: numbers(100_000), a: keyed(20_000, 'a') },
    'too many steps',
  ],
  [
    'many time zones',
    'row.l.all(x, timestamp("2024-01-01T00:00:00Z").getHours("Europe/Berlin") == 1)',
    { l: numbers(100_000) },
    'too many steps',
  ],
  [
    'nothing but errors',
    `row.all(x, ${Array.from({ length: 90 }, () => 'x.a').join(' || ')} || true)`,
    numbers(100_000),
    'too many steps',
  ],
  ['texts that double', `row${' + row'.repeat(30)} == ""`, 'a'.repeat(1_000_000), 'error or too many steps'],
  ['collecting a collection', 'row.map(x, row.map(y, [x, y]))', numbers(1000), 'too many steps'],
  ['collecting a long list', 'size(row.map(x, x * 2.0))', numbers(100_000), 100_000],
  ['filtering a long list', 'size(row.filter(x, x < 10.0))', numbers(100_000), 10],
  ['joined lists', `size(${texts(30, 'row').join(' + ')})`, numbers(10_000), 300_000],
  ['data nested deeply', 'row == row.map(x, x)', deep, 'error'],
  [
    'an error that || absorbs, too late',
    'row.all(x, row.all(y, x + y >= 0.0)) || true',
    numbers(3000),
    'too many steps',
  ],
  ['nested parentheses', `${'('.repeat(2000)}1${')'.repeat(2000)}`, null, 'refused'],
  ['open brackets', '[{1:('.repeat(800), null, 'refused'],
  ['nested lists', `${'['.repeat(41)}${']'.repeat(41)}`, null, 'refused'],
  ['a long chain of fields', `row${'.a'.repeat(2000)}`, null, 'refused'],
  ['a long sum', `1${' + 1'.repeat(1000)}`, null, 'refused'],
  ['a long conjunction', `true${' && true'.repeat(700)}`, null, 'refused'],
  ['many negations', `${'!'.repeat(4090)}true`, null, true],
  ['a long conditional', `${'true ? 1 : '.repeat(300)}1`, null, 'refused'],
  ['a text beyond 4096 characters', `row == "${'a'.repeat(4096)}"`, null, 'refused'],
  ['quotes that never close', '"""'.repeat(1300), null, 'refused'],
  ['an unknown time zone', 'timestamp("2024-01-01T00:00:00Z").getHours(row)', 'Nowhere/At_All', 'error'],
  [
    'each place of a long text replaced by a long text',
    'size(row.replace("a", row))',
    'a'.repeat(100_000),
    'too many steps',
  ],
  ['nothing replaced, at every place', 'size(row.replace("", row))', 'a'.repeat(100_000), 'too many steps'],
  ['a text split at every place', 'size(row.split(""))', 'a'.repeat(500_000), 500_000],
  [
    'the same over and over',
    'row.l.all(x, size(row.s.split("a")) > 1)',
    { l: numbers(1000), s: 'a'.repeat(100_000) },
    'too many steps',
  ],
  [
    'the last place of what almost occurs everywhere',
    'row.s.lastIndexOf(row.p)',
    { s: 'a'.repeat(1_000_000), p: `b${'a'.repeat(200_000)}` },
    'too many steps',
  ],
  [
    'the first place of what almost occurs everywhere',
    'row.s.indexOf(row.p)',
    { s: 'a'.repeat(1_000_000), p: `${'a'.repeat(200_000)}b${'a'.repeat(200_000)}` },
    -1,
  ],
  [
    'a text written many times',
    `"${'%s'.repeat(500)}".format([${texts(500, 'row').join()}])`,
    'a'.repeat(1_000_000),
    'too many steps',
  ],
  [
    'a list of the same list, written',
    '"%s".format([row.map(x, row)])',
    texts(300, 'a'.repeat(10_000)),
    'too many steps',
  ],
  ['a number with many digits', '"%.999999999f".format([row])', 1.5, 'error'],
  [
    'a long list joined by a long text',
    'row.l.join(row.s)',
    { l: texts(10_000, ''), s: 'a'.repeat(100_000) },
    'too many steps',
  ],
  ['spaces that do not end', 'row.trim() == row', `a${' '.repeat(1_000_000)}b`, true],
  ['an index beyond the text', 'row.charAt(9223372036854775807)', 'a', 'error'],
];

test.for(traps)('%s', ([, text, row, expected]) => {
  const result = outcome(text, row);
  if (expected === 'error or too many steps') expect(['error', 'too many steps', false]).toContain(result);
  else expect(result).toBe(expected);
});

test('expressions within the limits are accepted', () => {
  expect(outcome(`${'('.repeat(CEL_LIMITS.depth)}true${')'.repeat(CEL_LIMITS.depth)}`, null)).toBe(true);
  expect(outcome(`row${'.a'.repeat(CEL_LIMITS.depth)}`, null)).toBe('error');
  expect(outcome(Array.from({ length: 300 }, () => 'true').join(' && '), null)).toBe(true);
  expect(outcome(`row == "${'('.repeat(1000)}" // ((((${'('.repeat(100)}`, '('.repeat(1000))).toBe(true);
  expect(outcome('true'.padEnd(CEL_LIMITS.characters), null)).toBe(true);
  expect(outcome('row.all(x, x.all(y, y > 0.0))', [[1, 2], [3]])).toBe(true);
});
