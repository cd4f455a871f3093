import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { assertStorableLiterals } from './literal-faults.ts';

const check = (value: string): void => {
  const source = `{ field(value: ${value}) }`;
  assertStorableLiterals(source, parse(source));
};

test.each([
  '"\\u0000"',
  '"a\\u{0}b"',
  '{a: ["\\u0000"]}',
  '9007199254740993',
  '-9007199254740993',
  '{n: [12345678901234567890]}',
  '1e400',
  '-1.5E+999',
])('%s cannot be stored exactly and is refused', (value) => {
  expect(() => check(value)).toThrow(expect.objectContaining({ code: 'validation_failed' }) as Error);
});

test.each([
  '"\\u00e9 \\u{1F9EC}"',
  '"a \\\\u0000"',
  '9007199254740991',
  '9007199254740992',
  '100000000000000000000',
  '0.1234567890123456789',
  '1e100',
  '"12345678901234567890"',
  '"""block \\u0000"""',
])('%s is taken', (value) => {
  expect(() => check(value)).not.toThrow();
});
