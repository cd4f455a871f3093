// Random expressions that are mostly meaningful for the difficult entities.
import fc from 'fast-check';
import { KEYS, NUMBERS, STRINGS } from './hostile-entities.ts';

type Text = fc.Arbitrary<string>;

/** Joins the texts of the parts like a template. */
const say = (strings: TemplateStringsArray, ...parts: readonly (Text | string)[]): Text =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((values) => strings.reduce((whole, text, i) => whole + String(values[i - 1]) + text));

const one = (...texts: readonly string[]): Text => fc.constantFrom(...texts);
const mix = (...choices: readonly (readonly [number, Text])[]): Text =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const quoted = fc.constantFrom(...STRINGS).map((text) => JSON.stringify(text));
const double = fc.constantFrom(...NUMBERS).map((n) => (/[.e]/.test(String(n)) ? String(n) : `${n}.0`));
const integer = fc
  .constantFrom(...NUMBERS.filter((n) => Number.isInteger(n) && Math.abs(n) < 2 ** 62))
  .map((n) => String(BigInt(n)));
const number = mix(
  [5, double],
  [5, integer],
  [1, one('9007199254740993', '3u', '-9223372036854775808', '-0.0')],
);
const literal = mix(
  [40, quoted],
  [35, number],
  [10, one('true', 'false')],
  [7, one('null')],
  [4, mix([1, one('[]')], [1, say`[${quoted}]`], [1, say`[${quoted}, ${number}]`])],
  [4, say`{${fc.constantFrom(...KEYS).map((key) => JSON.stringify(key))}: ${number}}`],
);

const step = mix(
  [1, one('[0]', '[1]', '[-1]', '[5]', '[1.0]', '[0u]', '[1.5]', '[true]')],
  [12, one('.a', '.b', '.s', '.tags', '.items', '.n')],
  [3, one('.constructor', '.__proto__')],
  [2, fc.constantFrom(...KEYS).map((key) => `[${JSON.stringify(key)}]`)],
);
/** Mostly no more than `min`: deeper paths are more likely to be missing. */
const steps = (min: number): Text =>
  mix([14, fc.constant('')], [3, step], [1, fc.tuple(step, step).map((both) => both.join(''))]).chain(
    (more) => fc.array(step, { minLength: min, maxLength: min }).map((first) => first.join('') + more),
  );

/** A path into the row: from `data`, or from a macro's variable. */
const path = (names: readonly string[]): Text =>
  fc.constantFrom(...names).chain((name) => steps(name === 'data' ? 1 : 0).map((rest) => name + rest));

const scalar = (names: readonly string[]): Text =>
  mix(
    [75, path(names)],
    [5, one('id', 'entity_type', 'project')],
    [4, say`size(${path(names)})`],
    [4, say`${path(names)}.${one('lowerAscii', 'upperAscii')}()`],
    [1, say`${path(names)}.${one('trim()', 'split("a").join("b")', 'replace("a", "")', 'substring(1)')}`],
    [1, say`math.${one('round', 'abs', 'greatest')}(${path(names)})`],
    [4, one('is_available', 'version')],
    [3, one('created_at.getFullYear()', 'size(id)', 'id + "x"')],
    [3, say`${path(names)} + ${quoted}`],
    [10, literal],
  );

const instant = mix(
  [40, one('created_at', 'updated_at')],
  [
    12,
    one(
      'timestamp("2024-01-01T00:00:00Z")',
      'timestamp("2023-10-01T12:34:56.789Z")',
      'timestamp("2024-01-01T00:00:00.0000005Z")',
      'timestamp("0001-01-01T00:00:00Z")',
      'timestamp("9999-12-31T23:59:59.999999999Z")',
    ),
  ],
  [
    12,
    say`(${one('created_at', 'updated_at')} ${one('+', '-')} ${one('duration("24h")', 'duration("1us")', 'duration("-5ms")', 'duration("2562047h")', 'duration("70000000h")')})`,
  ],
);
const span = one(
  'duration("24h")',
  'duration("1us")',
  'duration("1ms")',
  'duration("0s")',
  'duration("-5ms")',
  'duration("1s")',
  'duration("90000h")',
  'duration("1500ns")',
);
const operator = one('==', '!=', '<', '<=', '>', '>=');
const accessor = one(
  'FullYear',
  'Month',
  'Date',
  'DayOfMonth',
  'DayOfWeek',
  'DayOfYear',
  'Hours',
  'Minutes',
  'Seconds',
  'Milliseconds',
);

function leaf(names: readonly string[]): Text {
  return mix(
    [8, say`has(${path(names)}.${one('a', 'b', 'tags', 's')})`],
    [5, say`${scalar(names)} in ${path(names)}`],
    [
      5,
      say`${scalar(names)} in [${fc.array(literal, { minLength: 1, maxLength: 3 }).map((all) => all.join(', '))}]`,
    ],
    [3, say`${literal} in ${path(names)}`],
    [
      8,
      say`${mix([8, path(names)], [2, one('id')])}.${one('contains', 'startsWith', 'endsWith')}(${mix([8, quoted], [2, path(names)])})`,
    ],
    [2, say`${path(names)}.matches(${one('"^a"', '"a$"', '"^a$"', '"é"', '"a+"', '"^\\\\d+$"', '""')})`],
    [5, say`${instant} ${operator} ${instant}`],
    [
      3,
      say`${one('created_at - updated_at', 'updated_at - created_at', 'created_at - timestamp("0001-01-01T00:00:00Z")', 'timestamp("2024-01-01T00:00:00Z") - created_at')} ${operator} ${span}`,
    ],
    [3, say`${one('created_at', 'updated_at')}.get${accessor}() ${operator} ${number}`],
    [3, path(names)],
    [1, say`${path(names)} * 2.0 > 1.0`],
    [30, say`${scalar(names)} ${operator} ${mix([3, literal], [1, scalar(names)])}`],
    [3, say`(${path(names)} ? ${scalar(names)} : ${scalar(names)}) ${operator} ${literal}`],
  );
}

function condition(depth: number, names: readonly string[]): Text {
  if (depth === 0) return leaf(names);
  const inner = condition(depth - 1, names);
  const choices: (readonly [number, Text])[] = [
    [45, leaf(names)],
    [15, say`(${inner} && ${inner})`],
    [15, say`(${inner} || ${inner})`],
    [8, say`!(${inner})`],
    [5, say`(${inner} ? ${inner} : ${inner})`],
  ];
  if (names.length < 3) {
    const variable = `x${names.length}`;
    // mostly only the variable, which SQL can evaluate; sometimes also the row, which requires the evaluator
    for (const [weight, inside] of [
      [10, [variable]],
      [4, [...names, variable]],
    ] as const) {
      choices.push([
        weight,
        say`${path(names)}.${one('exists', 'all', 'exists_one')}(${variable}, ${condition(depth - 1, inside)})`,
      ]);
    }
  }
  return mix(...choices);
}

/** A condition over an entity, at most four operators deep. */
export const randomExpression: Text = condition(3, ['data']);
