// Finds the first value in well-formed JSON text that cannot be stored exactly, and its path.

/** A rejected value and its JSON path: `$.data.samples[3].age`. */
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
/** A surrogate without its other half, which UTF-8 cannot encode. */
export const LONE_SURROGATE = /\p{Surrogate}/u;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

/** Numbers with fewer digits can always be stored. */
const SHORT_NUMBER = 16;
/** Length of the longest whole double, in characters. */
const MAX_DOUBLE_LENGTH = 310;

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
  if (value.includes('\u0000')) return 'a string must not contain U+0000';
  return LONE_SURROGATE.test(value) ? 'a string must not contain a lone surrogate' : undefined;
}

/** Returns the digits of a whole double: its shortest JSON form, without an exponent. */
function shownDigits(value: number): string {
  const [, sign = '', first = '', rest = '', exponent] =
    /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(String(value)) ?? [];
  return exponent === undefined ? String(value) : sign + first + rest.padEnd(Number(exponent), '0');
}

/**
 * Whether a double represents the whole number that `literal` states: exactly, or in the double's shortest
 * form.
 */
function isHeld(literal: string, value: number): boolean {
  const digits = literal.replace(/\.0*$/, '');
  if (digits.length > MAX_DOUBLE_LENGTH || !/^-?\d+$/.test(digits)) return false;
  return digits === shownDigits(value) || BigInt(digits) === BigInt(value);
}

/** Why a number cannot be stored as it is written; undefined where it can. */
export function numberFault(literal: string): string | undefined {
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

/** Looks for the first fault, a part of the text at a time. */
export class FaultScan {
  readonly #text: string;
  readonly #levels: Level[] = [];
  #nameNext = false;
  #at = 0;
  fault: JsonFault | undefined;

  /** @param text what `JSON.parse` has accepted */
  constructor(text: string) {
    this.#text = text;
  }

  /** Looks at so many more characters. Whether there are more. */
  step(characters: number): boolean {
    const end = Math.min(this.#text.length, this.#at + characters);
    while (this.#at < end && this.fault === undefined) {
      const message = this.#token(this.#text.charCodeAt(this.#at));
      if (message !== undefined) this.fault = { path: pathOf(this.#levels), message };
    }
    return this.#at < this.#text.length && this.fault === undefined;
  }

  /** Goes behind the token that begins with the character. What is wrong with it. */
  #token(code: number): string | undefined {
    const [text, at] = [this.#text, this.#at];
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const written = text.slice(at + 1, end - 1);
      // A string literal of well-formed JSON always parses to a string.
      const value = written.includes('\\') ? (JSON.parse(text.slice(at, end)) as string) : written;
      const level = this.#levels.at(-1);
      if (this.#nameNext && level) level.key = value;
      this.#nameNext = false;
      this.#at = end;
      return textFault(value);
    }
    if (code === MINUS || isDigit(code)) {
      NUMBER.lastIndex = at;
      const literal = NUMBER.exec(text)?.[0] ?? text.charAt(at);
      this.#at += literal.length;
      return literal.length < SHORT_NUMBER && !/[eE]/.test(literal) ? undefined : numberFault(literal);
    }
    this.#at++;
    this.#structure(code);
    return undefined;
  }

  #structure(code: number): void {
    const level = this.#levels.at(-1);
    if (code === OBJECT) {
      this.#levels.push({ key: '', index: 0 });
      this.#nameNext = true;
    } else if (code === ARRAY) {
      this.#levels.push({ key: undefined, index: 0 });
      this.#nameNext = false;
    } else if (code === OBJECT_END || code === ARRAY_END) {
      this.#levels.pop();
      this.#nameNext = false;
    } else if (code === COMMA && level) {
      level.index++;
      this.#nameNext = level.key !== undefined;
    }
  }
}

/**
 * Returns the first string with U+0000 or a lone surrogate, integer beyond ±(2^53−1) that no double
 * represents, or number that overflows (docs/reference/api-conventions.md#json); undefined where there is
 * none. A field's type decides further which whole numbers it accepts. The text must have been accepted by
 * `JSON.parse`.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const scan = new FaultScan(text);
  scan.step(text.length);
  return scan.fault;
}
