import { expect, test } from 'vitest';
import { livesTooLong } from './token-life.ts';

test.each([
  [{ iat: 1000, exp: 1900 }, false],
  [{ iat: 1000, exp: 1960 }, false],
  [{ iat: 1000, exp: 1961 }, true],
  [{ iat: 1, exp: 1900 }, true],
  [{ iat: 1900, exp: 2000 }, true],
  [{ exp: 1900 }, false],
  [{ exp: 9_999_999_999 }, true],
  [{ exp: 1e308 }, true],
  [{ iat: 1000 }, true],
  [{}, true],
])('a token with %j, at 1000, with a lifetime of 900 s: %s', (claims, tooLong) => {
  expect(livesTooLong(claims, 900, 1000)).toBe(tooLong);
});
