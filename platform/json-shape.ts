// Looks at JSON text before it is parsed: how deep it is nested, how many values it has, and how many names one object
// has. What small values and names take in memory, and in time, is many times their text.
import { DEFAULT_LIMITS, type Limits } from './config/limits-section.ts';
import { badRequest, type DomainError } from './errors.ts';

export type JsonLimits = Pick<Limits, 'jsonValues' | 'jsonNames'>;

export interface JsonBounds {
  readonly limits?: JsonLimits | undefined;
  /**
   * Told what the value will take in memory, before it is made.
   * @throws DomainError where there is no room
   */
  readonly hold?: ((bytes: number) => void) | undefined;
}

/** For text that has been accepted before. */
export const NO_JSON_LIMITS: JsonLimits = { jsonValues: Infinity, jsonNames: Infinity };

/** Maximum nesting of arrays and objects. Serializing deeper values would overflow the stack. */
export const MAX_JSON_DEPTH = 200;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/**
 * What a parsed value takes in memory beside its text, about: an empty object or list has 56 bytes or more, a
 * number in a list 8.
 */
const BYTES_OF_CONTAINER = 64;
const BYTES_OF_VALUE = 16;

/** Characters of the shortest value in a list, and of the shortest member: `0,` and `"":0,`. */
const SHORTEST_VALUE = 2;
const SHORTEST_MEMBER = 5;

/** Where a string ends that begins before `from`: its quote, or the end of the text. */
export function closingQuote(text: string, from: number): number {
  for (let at = from; ;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let escapes = 0;
    while (quote - 1 - escapes >= from && text.charCodeAt(quote - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote;
    at = quote + 1;
  }
}

function occursMoreThan(text: string, bracket: string, most: number): boolean {
  let at = -1;
  for (let seen = 0; seen <= most; seen++) {
    at = text.indexOf(bracket, at + 1);
    if (at < 0) return false;
  }
  return true;
}

const mayBeDeep = (text: string): boolean =>
  occursMoreThan(text, '[', MAX_JSON_DEPTH / 2) || occursMoreThan(text, '{', MAX_JSON_DEPTH / 2);

const tooMany = (limit: string, asked: number, allowed: number, what: string): DomainError =>
  badRequest(`the JSON has ${asked} ${what}, but at most ${allowed} are allowed`, { limit, asked, allowed });

/** Looks at the text, a part at a time. What it says of text that is no JSON does not matter. */
export class ShapeScan {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at: number;
  #depth = 0;
  #isTooDeep = false;
  #values = 1;
  #containers = 0;
  #mostNames = 0;
  /** By depth: whether it is an object, and how many members have begun. */
  readonly #isObject: Uint8Array;
  readonly #members: Uint32Array;
  /** Whether nothing has come behind the bracket. */
  #isEmpty = false;

  /** @param measures whether {@link bytes} will be asked for: else what cannot be too much is not looked at */
  constructor(text: string, limits: JsonLimits = DEFAULT_LIMITS, measures = false) {
    this.#text = text;
    this.#limits = limits;
    const mayBeMuch =
      text.length > limits.jsonValues * SHORTEST_VALUE || text.length > limits.jsonNames * SHORTEST_MEMBER;
    const isLooked = measures || mayBeMuch || mayBeDeep(text);
    this.#at = isLooked ? 0 : text.length;
    // most texts are rows of a table, which are not looked at: those need no place for it
    const depths = isLooked ? MAX_JSON_DEPTH + 2 : 0;
    this.#isObject = new Uint8Array(depths);
    this.#members = new Uint32Array(depths);
  }

  /** What the parsed value will take, about. */
  get bytes(): number {
    return this.#containers * BYTES_OF_CONTAINER + this.#values * BYTES_OF_VALUE;
  }

  /** Looks at so many more characters. Whether there are more. */
  step(characters: number): boolean {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + characters);
    let at = this.#at;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === COMMA) this.#member();
      else if (code === QUOTE) {
        if (this.#isEmpty) this.#member();
        at = closingQuote(text, at + 1);
      } else if (code === ARRAY || code === OBJECT) {
        if (this.#isEmpty) this.#member();
        this.#open(code === OBJECT);
      } else if (code === ARRAY_END || code === OBJECT_END) this.#close();
      else if (this.#isEmpty && code > 0x20) this.#member();
    }
    this.#at = at;
    return at < text.length && !this.#isTooDeep;
  }

  /** Why the text is refused; undefined where it is not. */
  get fault(): DomainError | undefined {
    const { jsonValues, jsonNames } = this.#limits;
    if (this.#isTooDeep) return badRequest(`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
    if (this.#values > jsonValues) return tooMany('json_values', this.#values, jsonValues, 'values');
    if (this.#mostNames > jsonNames)
      return tooMany('json_names', this.#mostNames, jsonNames, 'names in one object');
    return undefined;
  }

  #member(): void {
    this.#isEmpty = false;
    this.#values++;
    const members = (this.#members[this.#depth] ?? 0) + 1;
    this.#members[this.#depth] = members;
    if (members > this.#mostNames && this.#isObject[this.#depth] === 1) this.#mostNames = members;
  }

  #open(isObject: boolean): void {
    this.#containers++;
    if (++this.#depth > MAX_JSON_DEPTH) {
      this.#isTooDeep = true;
      this.#depth--;
      return;
    }
    this.#isObject[this.#depth] = isObject ? 1 : 0;
    this.#members[this.#depth] = 0;
    this.#isEmpty = true;
  }

  #close(): void {
    this.#isEmpty = false;
    if (this.#depth > 0) this.#depth--;
  }
}
