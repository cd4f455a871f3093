// Reads JSON that strangers sent: as strict as the contract wants, nearly as fast as `JSON.parse` for ordinary bodies.
import { isAscii, isUtf8 } from 'node:buffer';
import { badRequest, invalid } from './errors.ts';
import { findJsonFault, LONE_SURROGATE } from './json-faults.ts';

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Deepest nesting of arrays and objects that is read; deeper text would overflow the stack of whoever writes it again. */
export const MAX_JSON_DEPTH = 200;

/** Only text with one of these can hold a value that {@link findJsonFault} refuses: escaped U+0000 or surrogate, long digits, three-digit exponent. */
const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])|\d{16}|[eE]\+?\d{3}/;

function occursMoreThan(text: string, bracket: string, most: number): boolean {
  let at = -1;
  for (let seen = 0; seen <= most; seen++) {
    at = text.indexOf(bracket, at + 1);
    if (at < 0) return false;
  }
  return true;
}

function tooDeep(text: string): boolean {
  if (!occursMoreThan(text, '[', MAX_JSON_DEPTH / 2) && !occursMoreThan(text, '{', MAX_JSON_DEPTH / 2))
    return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string: its brackets do not nest
        while (++at < text.length && text.charCodeAt(at) !== 0x22) if (text.charCodeAt(at) === 0x5c) at++;
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_JSON_DEPTH) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      default:
    }
  }
  return false;
}

function textOf(input: Buffer | string): string {
  if (typeof input === 'string') return input;
  if (isAscii(input)) return input.toString('latin1');
  if (!isUtf8(input)) throw badRequest('the body is not valid UTF-8');
  return input.toString('utf8');
}

/**
 * The value of JSON text (contract 0), which errors call `what`. Keys such as `__proto__` become own properties; of duplicate keys the last wins.
 * @throws DomainError `invalid_request` for invalid UTF-8, malformed or too deeply nested text; `validation_failed` for
 * a value that could not be stored exactly, with `details.path` naming it.
 */
export function parseJson(input: Buffer | string, what = 'the body'): JsonValue {
  const text = textOf(input);
  if (tooDeep(text)) throw badRequest(`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue; // what JSON.parse answers is JSON
  } catch (cause) {
    const position = cause instanceof Error ? /at position (\d+)/.exec(cause.message)?.[1] : undefined;
    throw badRequest(
      position === undefined
        ? `${what} is not valid JSON`
        : `${what} is not valid JSON: unexpected character at position ${position}`,
    );
  }
  if (SUSPICIOUS.test(text) || (typeof input === 'string' && LONE_SURROGATE.test(text))) {
    const fault = findJsonFault(text);
    if (fault) throw invalid(`${fault.path}: ${fault.message}`, { path: fault.path });
  }
  return value;
}
