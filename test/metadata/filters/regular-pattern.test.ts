// Patterns of `matches` that PostgreSQL evaluates have the same meaning there as in RE2, for any text.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultOfPattern, matchesPattern } from '../../../platform/cel/patterns.ts';
import { compileFilter } from '../../../subgraphs/metadata/filters/compile-filter.ts';
import { regularPattern } from '../../../subgraphs/metadata/filters/regular-pattern.ts';
import { openRows } from './entity-rows.ts';

let database: Awaited<ReturnType<typeof openRows>>;
beforeAll(async () => {
  database = await openRows();
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});

const ALPHABET = [
  'a',
  'b',
  'A',
  '1',
  '9',
  '_',
  ' ',
  '\n',
  '\r',
  '\t',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '-',
  '.',
  '\\',
  ']',
  '^',
  '$',
  '{',
  '*',
  'é',
  'İ',
  'ſ',
  'K',
  '٣',
  '😀',
  '\uffee',
];
const text = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 8 });

const atom = fc.constantFrom(
  'a',
  'b',
  'A',
  '1',
  '_',
  ' ',
  '-',
  'é',
  '😀',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\n',
  '\\.',
  '\\-',
  '\\\\',
  '\\]',
  '\\^',
  '\\$',
  '[ab]',
  '[^a]',
  '[a-z]',
  '[^a-z0-9]',
  '[\\d_]',
  '[^\\s]',
  '[\\W]',
  '[.]',
  '[$^]',
  '[a^]',
  '[é-😀]',
  '[\\\\]',
  '[\\]]',
  '[*+?{}]',
  '\n',
  '\t',
  '[\\n\\t]',
  '[^\\D]',
  ',',
  '~',
  '\\_',
);
const quantifier = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,2}',
  '{0,1}',
  '{2,}',
  '*?',
  '+?',
  '??',
  '{1,2}?',
);
const sequence = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(inner, quantifier).map((pair) => pair.join('')),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join(''));
const group = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('(', '(?:'), fc.array(sequence(inner), { minLength: 1, maxLength: 3 }))
    .map(([open, branches]) => `${open}${branches.join('|')})`);
const anchored = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', '', '^'), sequence(inner), fc.constantFrom('', '', '$'))
    .map((parts) => parts.join(''));
const nested = fc.oneof(
  { weight: 4, arbitrary: atom },
  {
    weight: 1,
    arbitrary: group(fc.oneof({ weight: 3, arbitrary: atom }, { weight: 1, arbitrary: group(atom) })),
  },
);
const pattern = fc
  .array(anchored(nested), { minLength: 1, maxLength: 2 })
  .map((branches) => branches.join('|'));
/** Any pattern, well-formed or not. */
const odd = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    '1',
    '(',
    ')',
    '(?',
    '(?:',
    '(?i)',
    '[',
    ']',
    '[^',
    '[:alpha:]',
    '-',
    '\\',
    '\\b',
    '\\pL',
    '\\x41',
    '^',
    '$',
    '|',
    '*',
    '+',
    '?',
    '{',
    '}',
    '{2}',
    '{1,',
    '.',
    '\n',
    'd',
    'Q',
    'E',
  ),
  minLength: 1,
  maxLength: 8,
});

test('a pattern translated for PostgreSQL matches the same texts as in CEL', async () => {
  let inSql = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 3, arbitrary: pattern }, { weight: 2, arbitrary: odd }),
      fc.array(text, { minLength: 8, maxLength: 12 }),
      async (source, texts) => {
        const regular = regularPattern(source);
        if (regular === null || faultOfPattern(source) !== null) return;
        inSql++;
        const { rows } = await database.client.query<{ found: boolean }>(
          'SELECT t COLLATE "C" ~ $2::text AS found FROM unnest($1::text[]) WITH ORDINALITY u(t, i) ORDER BY i',
          [texts, regular],
        );
        expect({ source, found: rows.map(({ found }) => found) }).toEqual({
          source,
          found: texts.map((one) => matchesPattern(one, source)),
        });
      },
    ),
    { numRuns: Number(process.env.CAIRN_FUZZ_PATTERNS ?? 2000) },
  );
  expect(inSql).toBeGreaterThan(600);
}, 3_600_000);

test('common patterns are decided by the database, others row by row', () => {
  const left = (source: string): number =>
    compileFilter(`data.s.matches(${JSON.stringify(source)})`).explain.left.length;
  for (const source of [
    '^NA\\d+$',
    '[a-z]+ [0-9]+ .* freezer 1[0-2]$',
    '^(chr)?([1-9]|1[0-9]|2[0-2]|X|Y)$',
    '^[ACGT]{1,20}$',
    'a|b',
  ])
    expect([source, left(source)]).toEqual([source, 0]);
  for (const source of ['(?i)na', '\\bword', '\\pL+', '[[:alpha:]]', '(a{9}){9}', 'a^b', '\\x41', '(|a)'])
    expect([source, left(source)]).toEqual([source, 1]);
});
