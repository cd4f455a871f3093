// The meaning of expressions over stored data (docs/reference/cel.md#where-expressions-are-evaluated,
// docs/reference/cel.md#variables), in every part of Cairn.
import { expect, test } from 'vitest';
import {
  ADAPTER_VARIABLES,
  ENTITY_VARIABLES,
  VALIDATOR_VARIABLES,
  entityBindings,
  pollBindings,
  rowBindings,
  validatorBindings,
  webhookBindings,
} from '../../../platform/cel/bindings.ts';
import type { BoundEntity, CelBindings } from '../../../platform/cel/bindings.ts';
import { compileCel } from '../../../platform/cel/compile.ts';
import type { CelOptions, CelOutcome } from '../../../platform/cel/compile.ts';
import { parseCel } from '../../../platform/cel/parse.ts';
import { printCel } from '../../../platform/cel/print.ts';
import { PLAIN_ENTITY } from '../../testkit/plain-entity.ts';

const entity: BoundEntity = {
  ...PLAIN_ENTITY,
  id: 'e1',
  entity_type: 'sample',
  version: 3,
  is_available: true,
  project: null,
  created_at: '2024-03-10T02:30:00.999999Z',
  updated_at: '2024-03-10T02:30:01.000000Z',
  data: JSON.parse(
    '{"age":31,"none":null,"tags":["a","b"],"version":"v9","status":"done","project":"p","__proto__":{"x":1},"constructor":"c","items":[{"k":1},{"k":2}],"word":"😀x"}',
  ) as BoundEntity['data'],
};

/** true, false, or null for an error. */
const truth = (outcome: CelOutcome<unknown>): unknown => (outcome.ok ? outcome.value : null);
const ask = (text: string): unknown =>
  truth(compileCel(text, { variables: ENTITY_VARIABLES }).evaluate(entityBindings(entity)));

test.for<readonly [string, true | false | null]>([
  // JSON numbers are doubles and compare with ints; arithmetic does not mix
  ['data.age > 30', true],
  ['data.age in [30, 31]', true],
  ['data.age == 31u', true],
  ['data.age + 1.0 == 32.0', true],
  ['data.age + 1 == 32', null],
  ['type(data.age) == double', true],
  ['version + 1 == 4', true],
  // a missing field or a type mismatch is an error of its term only
  ['data.missing == 1', null],
  ['data.missing != 1', null],
  ['data.missing == 1 || true', true],
  ['true || data.missing == 1', true],
  ['data.missing == 1 && false', false],
  ['data.word > 1', null],
  ['!data.word', null],
  ['data.age ? true : false', null],
  ['data.items[2].k == 1', null],
  ['data.items[true].k == 2', null],
  ['data.tags.exists(t, t > 1 || t == "b")', true],
  ['data.tags.all(t, t == "a")', false],
  ['data.tags.exists_one(t, t == "b")', true],
  // characters are code points
  ['data.word.charAt(0) == "😀" && data.word.indexOf("x") == 1 && data.word.substring(1) == "x"', true],
  ['data.word.split("") == ["😀", "x"] && data.word.lastIndexOf("x") == 1', true],
  ['data.word.replace("", "-") == "-😀-x-" && data.word.replace("", "-", 1) == "-😀x"', true],
  // what a limit leaves is kept
  ['"a;b;c".split(";", 2) == ["a", "b;c"]', true],
  ['" a b ".trim() == "a b" && "%s: %.1f".format([data.status, data.age]) == "done: 31.0"', true],
  ['data.tags.join("+") == "a+b"', true],
  ['[1].join() == "1"', null],
  // numbers of the data are doubles
  ['math.round(data.age / 2.0) == 16.0 && math.greatest(data.age, 40) == 40', true],
  ['math.greatest([]) == 1', null],
  // null is a value
  ['data.none == null', true],
  ['has(data.none)', true],
  ['has(data.missing)', false],
  ['data.none == 0', false],
  ['data.none < 1', null],
  ['project == null', true],
  // lists only
  ['"a" in data.tags', true],
  ['"age" in data', null],
  ['data.exists(k, k == "age")', null],
  ['"a" in {"a": 1}', null],
  // keys are data
  ['data.__proto__.x == 1', true],
  ['data.constructor == "c"', true],
  ['data.toString == 1', null],
  ['has(data.hasOwnProperty)', false],
  ['has(data.items.constructor)', null],
  // microseconds, in UTC wherever this runs
  ['updated_at - created_at == duration("1us")', true],
  ['created_at < updated_at', true],
  ['created_at.getSeconds() == 0', true],
  ['created_at.getMilliseconds() == 999', true],
  ['created_at.getHours() == 2', true],
  ['created_at.getHours("America/New_York") == 21', true],
  ['created_at.getHours("+05:30") == 8', true],
  ['created_at.getDayOfYear() == 69', true],
  ['created_at == timestamp("2024-03-10T02:30:00.999999Z")', true],
  ['timestamp("2024-02-30T00:00:00Z") == created_at', null],
  ['timestamp(1710037800).getMinutes() == 30', true],
  ['timestamp("0050-01-01T00:00:00Z").getFullYear() == 50', true],
  // text by code points; RE2
  ['size(data.word) == 2', true],
  ['"😀" > "\uffee"', true],
  ['data.word.matches("^.x$")', true],
  ['matches(data.word, "x")', true],
  ['data.word.matches("(?=x)")', null],
  // text to numbers as the standard parses it
  ['double("") == 0.0', null],
  ['double("1e3") == 1000.0', true],
  ['int("0x10") == 16', null],
  ['int("-7") == -7', true],
  ['true // a comment at the end', true],
])('%s', ([text, expected]) => {
  if (text.includes('(?=')) expect(() => ask(text)).toThrow(/invalid/i);
  else expect(ask(text)).toBe(expected);
});

const evaluate = (text: string, variables: CelOptions['variables'], bindings: CelBindings): unknown =>
  truth(compileCel(text, { variables }).evaluate(bindings));

test("a webhook binds its payload as event, and an object's keys by themselves", () => {
  const payload = JSON.parse(
    '{"type":"push","ref":{"name":"main"},"event.type":"forged","constructor":1}',
  ) as unknown;
  const when = (text: string): unknown => evaluate(text, 'any', webhookBindings(payload));
  expect(when('type == "push" && event.type == "push"')).toBe(true);
  expect(when('ref.name == "main" && event.ref.name == "main"')).toBe(true);
  expect(when('constructor == 1')).toBe(true);
  expect(when('toString == 1')).toBe(null);
  expect(when('missing == 1 || has(event.ref)')).toBe(true);
  expect(evaluate('event.size() == 2 && event[0] == 1', 'any', webhookBindings([1, 2]))).toBe(true);
  expect(evaluate('event == null', 'any', webhookBindings(null))).toBe(true);
});

test('a poll binds bare fields, data.x and entity.x, and keeps the names of a filter', () => {
  const filter = (text: string): unknown => evaluate(text, 'any', pollBindings(entity));
  expect(filter('status == "done" && data.status == "done" && entity.status == "done"')).toBe(true);
  expect(filter('version == 3 && entity.version == 3 && data.version == "v9"')).toBe(true);
  expect(filter('project == null && data.project == "p"')).toBe(true);
  expect(filter('entity.updated_at == updated_at && entity_type == "sample"')).toBe(true);
  expect(filter('missing == 1')).toBe(null);
});

test('a validator binds data and previous', () => {
  const rule = (text: string, previous: Record<string, unknown> | null): unknown =>
    evaluate(text, VALIDATOR_VARIABLES, validatorBindings({ n: 2 }, previous));
  expect(rule('previous == null || data.n > previous.n', null)).toBe(true);
  expect(rule('previous == null || data.n > previous.n', { n: 3 })).toBe(false);
  expect(() => rule('row == 1', null)).toThrow(/unknown name 'row'/);
});

test('an adapter makes JSON of a row', () => {
  const map = (text: string, row: unknown): CelOutcome<unknown> =>
    compileCel(text, { variables: ADAPTER_VARIABLES, resultType: 'any' }).evaluate(rowBindings(row));
  const row = { n: '12', name: ' x ', list: [1, 2, 3] };
  expect(truth(map('double(row.n)', row))).toBe(12);
  expect(truth(map('int(row.n) + 1', row))).toBe(13);
  expect(truth(map('row.list.filter(x, x > 1.0).map(x, {"__proto__": x})', row))).toEqual([
    JSON.parse('{"__proto__":2}'),
    JSON.parse('{"__proto__":3}'),
  ]);
  expect(truth(map('timestamp("2024-01-01T01:00:00.5+01:00")', row))).toBe('2024-01-01T00:00:00.500000Z');
  expect(truth(map('row', row))).toEqual(row);
  expect(map('9007199254740993', row)).toEqual({
    ok: false,
    error: '9007199254740993 cannot be represented exactly as a JSON number',
    exhausted: false,
  });
  expect(map('1.0 / 0.0', row).ok).toBe(false);
  expect(map('row.absent', row).ok).toBe(false);
});

test("a program knows the names it mentions, but for its macros' own", () => {
  const program = compileCel('data.a.exists(id, id == 1.0) && is_available', { variables: ENTITY_VARIABLES });
  expect(program.mentions('is_available')).toBe(true);
  expect(program.mentions('id')).toBe(false);
});

test('a printed program has the same meaning', () => {
  for (const text of [
    '(data.a || data.b) && !(data.c && id == "x\\"y")',
    'data.a - (1.0 - 2.0) * -3.0 < size(data.l) ? true : has(data.x.y)',
    'data.l.map(x, x > 1.0, x)[0] == {"a": [1, 2u, b"\\x00"]}.a',
    '"a" in data.l == data["b c"].exists_one(x, x.contains("é"))',
  ]) {
    const printed = printCel(parseCel(text, null));
    expect(printCel(parseCel(printed, null))).toBe(printed);
  }
});
