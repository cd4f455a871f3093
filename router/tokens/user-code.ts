// User codes: eight letters that form no words and are not mistaken for digits (RFC 8628, 6.1;
// docs/reference/gateway.md#user-codes).
import { randomInt } from 'node:crypto';

/** No vowels, no Y: 20 letters, so 20^8, about 2^34.6, codes. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

export const generateUserCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** `BCDFGHJK` as displayed: `BCDF-GHJK`. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Normalises typed input: case, dashes and spaces are ignored. Undefined if it cannot be a code. */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[-\s\u2010-\u2015]/g, '');
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : undefined;
}
