// Parses untrusted JSON as strictly as the API requires, nearly as fast as `JSON.parse` for ordinary bodies.
import { isAscii, isUtf8 } from 'node:buffer';
import { badRequest, type DomainError, invalid } from './errors.ts';
import { findJsonFault, type JsonFault, LONE_SURROGATE } from './json-faults.ts';

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Maximum nesting of arrays and objects. Serializing deeper values would overflow the stack. */
export const MAX_JSON_DEPTH = 200;

/**
 * Only text that matches this can contain a value that {@link findJsonFault} rejects: escaped U+0000 or
 * surrogate, long digits, three-digit exponent.
 */
export const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])|\d{16}|[eE]\+?\d{3}/;

function occursMoreThan(text: string, bracket: string, most: number): boolean {
  let at = -1;
  for (let seen = 0; seen <= most; seen++) {
    at = text.indexOf(bracket, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** Looks for values that are nested too deeply, a part of the text at a time. */
export class DepthScan {
  readonly #text: string;
  #at: number;
  #depth = 0;
  /** Whether it has found one. */
  isTooDeep = false;

  constructor(text: string) {
    this.#text = text;
    const may =
      occursMoreThan(text, '[', MAX_JSON_DEPTH / 2) || occursMoreThan(text, '{', MAX_JSON_DEPTH / 2);
    this.#at = may ? 0 : text.length;
  }

  /** Looks at so many more characters. Whether there are more. */
  step(characters: number): boolean {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + characters);
    let at = this.#at;
    for (; at < end; at++) {
      switch (text.charCodeAt(at)) {
        case 0x22: // a string: brackets inside do not count
          while (++at < text.length && text.charCodeAt(at) !== 0x22) if (text.charCodeAt(at) === 0x5c) at++;
          break;
        case 0x5b:
        case 0x7b:
          if (++this.#depth > MAX_JSON_DEPTH) this.isTooDeep = true;
          break;
        case 0x5d:
        case 0x7d:
          this.#depth--;
          break;
        default:
      }
    }
    this.#at = at;
    return at < text.length && !this.isTooDeep;
  }
}

export function textOf(input: Buffer | string): string {
  if (typeof input === 'string') return input;
  if (isAscii(input)) return input.toString('latin1');
  if (!isUtf8(input)) throw badRequest('the body is not valid UTF-8');
  return input.toString('utf8');
}

export const tooDeep = (): DomainError =>
  badRequest(`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);

/** What a caller is told of what `JSON.parse` says. */
export function malformed(cause: unknown, what: string): DomainError {
  const position = cause instanceof Error ? /at position (\d+)/.exec(cause.message)?.[1] : undefined;
  return badRequest(
    position === undefined
      ? `${what} is not valid JSON`
      : `${what} is not valid JSON: unexpected character at position ${position}`,
  );
}

export const faulty = ({ path, message }: JsonFault): DomainError => invalid(`${path}: ${message}`, { path });

/**
 * Parses JSON text (docs/reference/api-conventions.md#json), which error messages call `what`. Keys such as
 * `__proto__` become own properties; of duplicate keys the last one wins.
 * @throws DomainError `invalid_request` for invalid UTF-8, malformed or too deeply nested text;
 * `validation_failed` for a value that could not be stored exactly, with its path in `details.path`.
 */
export function parseJson(input: Buffer | string, what = 'the body'): JsonValue {
  const text = textOf(input);
  const depth = new DepthScan(text);
  depth.step(text.length);
  if (depth.isTooDeep) throw tooDeep();
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue; // JSON.parse returns a JSON value
  } catch (cause) {
    throw malformed(cause, what);
  }
  if (SUSPICIOUS.test(text) || (typeof input === 'string' && LONE_SURROGATE.test(text))) {
    const fault = findJsonFault(text);
    if (fault) throw faulty(fault);
  }
  return value;
}
