// The code that people type: eight letters that spell no words and are not mistaken for digits (RFC 8628,
// 6.1; docs/reference/gateway.md#user-codes).
import { randomInt } from 'node:crypto';

/** No vowels, no Y: 20 letters, so 20^8, about 2^34.6, codes. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

export const generateUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** `BCDFGHJK` as it is shown: `BCDF-GHJK`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/**
 * What was typed as it is stored: case, dashes and spaces do not count. Undefined where it cannot be a code.
 */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[-\s\u2010-\u2015]/g, '');
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : undefined;
}
