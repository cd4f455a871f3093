// Errors of an expression are reported before it runs, with line and column (docs/reference/cel.md#refusals).
import { expect, test } from 'vitest';
import { ENTITY_VARIABLES } from '../../../platform/cel/bindings.ts';
import { CelError } from '../../../platform/cel/cel-error.ts';
import { compileCel } from '../../../platform/cel/compile.ts';

function refusal(text: string): CelError {
  try {
    compileCel(text, { variables: ENTITY_VARIABLES });
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

const faults: readonly (readonly [text: string, line: number, column: number, message: RegExp])[] = [
  ['data.x ==', 1, 8, /syntax error/],
  ['', 1, 1, /syntax error/],
  ['data.x == 1 &&\n  foo > 2', 2, 3, /unknown name 'foo'/],
  ['data.x == "é😀" && foo', 1, 19, /unknown name 'foo'; a field is written data\.foo/],
  ['dat.x == 1', 1, 1, /unknown name 'dat'; did you mean data\?/],
  ['data.x.frobnicate()', 1, 7, /unknown function 'frobnicate'/],
  ['data.constructor()', 1, 5, /unknown function 'constructor'/],
  ['contains("a", "b")', 1, 1, /value\.contains/],
  ['data.x.startsWith("a", "b")', 1, 7, /does not take 2 arguments/],
  ['has(data)', 1, 1, /field selection/],
  ['data.tags.exists(t)', 1, 10, /name of a variable/],
  ['id', 1, 1, /must be a bool/],
  ['data', 1, 1, /must be a bool/],
  ['1 + 1', 1, 3, /must be a bool/],
  ['data.a.map(x, x)', 1, 7, /must be a bool/],
  ['data.x ? "a" : 1', 1, 1, /must be a bool/],
  ['data.x == 9223372036854775808', 1, 11, /out of range/],
  ['data.x == 18446744073709551616u', 1, 11, /out of range/],
  ['data.x == 1e999', 1, 11, /out of range/],
  ['data.s.matches("(")', 1, 16, /missing closing/],
  ['google.protobuf.Struct{} == null', 1, 1, /unknown type/],
];

test.for(faults)('%j', ([text, line, column, message]) => {
  const error = refusal(text);
  expect(error.code).toBe('validation_failed');
  expect(error.status).toBe(422);
  expect(error.message).toMatch(message);
  expect(error.message).toContain(`(line ${line}, column ${column})`);
  expect(error.details).toEqual({ line, column });
});

test('a result that may be a bool is accepted, whatever it turns out to be', () => {
  for (const text of [
    'data.x',
    'data.x ? true : data.y',
    'is_available',
    'has(data.x)',
    'bool(data.x)',
    'data.tags.exists(t, t == "x")',
    'dyn(data.x)',
  ]) {
    expect(compileCel(text, { variables: ENTITY_VARIABLES }).text).toBe(text);
  }
});

test.each([
  ['sexx == "female"', 'name not found: sexx'],
  ['sex == "male" || sexx == "female"', 'name not found: sexx'],
  ['sex.first == "f"', 'field not found: first'],
])('what %s lacks, where any name may be bound, is named', (text, said) => {
  const lookup = (name: string): string | undefined => (name === 'sex' ? 'female' : undefined);
  const outcome = compileCel(text, { variables: 'any', resultType: 'bool' }).evaluate({ lookup });
  expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining(said) });
});
