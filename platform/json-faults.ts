// Finds, in JSON text that is known to be well-formed, the first value that cannot be stored exactly, and where it stands.

/** A value that is refused, and the JSON path to it: `$.data.samples[3].age`. */
export interface JsonFault {
  readonly path: string;
  readonly message: string;
}

const QUOTE = 0x22,
  BACKSLASH = 0x5c,
  COMMA = 0x2c,
  MINUS = 0x2d;
const ARRAY = 0x5b,
  ARRAY_END = 0x5d,
  OBJECT = 0x7b,
  OBJECT_END = 0x7d;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
/** Half of a pair without its other half: UTF-8 has no form for it. */
export const LONE_SURROGATE = /\p{Surrogate}/u;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

/** Fewer digits are no number that could not be stored. */
const SHORT_NUMBER = 16;
/** Characters of the longest whole double. */
const LONGEST_DOUBLE = 310;

/** One level of nesting: the name or the index of the member that is being read. */
interface Level {
  key: string | undefined;
  index: number;
}

const pathOf = (levels: readonly Level[]): string =>
  levels.reduce((path, { key, index }) => {
    if (key === undefined) return `${path}[${index}]`;
    return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
  }, '$');

function textFault(value: string): string | undefined {
  if (value.includes('\u0000')) return 'a string must not hold U+0000';
  return LONE_SURROGATE.test(value) ? 'a string must not hold a lone surrogate' : undefined;
}

/** The digits of a whole double, as JSON shows it: its shortest form, written out. */
function shownDigits(value: number): string {
  const [, sign = '', first = '', rest = '', exponent] =
    /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(String(value)) ?? [];
  return exponent === undefined ? String(value) : sign + first + rest.padEnd(Number(exponent), '0');
}

/** Whether a double holds the whole number that the digits say: the very number, or what that double is shown as. */
function isHeld(literal: string, value: number): boolean {
  const digits = literal.replace(/\.0*$/, '');
  if (digits.length > LONGEST_DOUBLE || !/^-?\d+$/.test(digits)) return false;
  return digits === shownDigits(value) || BigInt(digits) === BigInt(value);
}

function numberFault(literal: string): string | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return `the number ${literal.slice(0, 40)} is out of range`;
  if (
    /[eE]/.test(literal) ||
    !Number.isInteger(value) ||
    Number.isSafeInteger(value) ||
    isHeld(literal, value)
  )
    return undefined;
  return `the integer ${literal.slice(0, 40)} is beyond ±(2^53−1)`;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
}

/**
 * The first string with U+0000 or a lone surrogate, integer beyond ±(2^53−1) that no double holds, or number that overflows (contract 0; of which
 * whole numbers are those of a field, its type says);
 * undefined where there is none. The text must have been accepted by `JSON.parse`.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const levels: Level[] = [];
  let nameNext = false;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const level = levels.at(-1);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const written = text.slice(at + 1, end - 1);
      const value = written.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : written; // a string literal of well-formed JSON is a string
      if (nameNext && level) level.key = value;
      nameNext = false;
      const message = textFault(value);
      if (message !== undefined) return { path: pathOf(levels), message };
      at = end;
    } else if (code === MINUS || isDigit(code)) {
      NUMBER.lastIndex = at;
      const literal = NUMBER.exec(text)?.[0] ?? text.charAt(at);
      const message =
        literal.length < SHORT_NUMBER && !/[eE]/.test(literal) ? undefined : numberFault(literal);
      if (message !== undefined) return { path: pathOf(levels), message };
      at += literal.length;
    } else {
      if (code === OBJECT) {
        levels.push({ key: '', index: 0 });
        nameNext = true;
      } else if (code === ARRAY) {
        levels.push({ key: undefined, index: 0 });
        nameNext = false;
      } else if (code === OBJECT_END || code === ARRAY_END) {
        levels.pop();
        nameNext = false;
      } else if (code === COMMA && level) {
        level.index++;
        nameNext = level.key !== undefined;
      }
      at++;
    }
  }
  return undefined;
}
