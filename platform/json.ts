// Parses untrusted JSON as strictly as the API requires, nearly as fast as `JSON.parse` for ordinary bodies.
import { isAscii, isUtf8 } from 'node:buffer';
import { badRequest, invalid } from './errors.ts';
import { findJsonFault, LONE_SURROGATE } from './json-faults.ts';

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Maximum nesting of arrays and objects. Serializing deeper values would overflow the stack. */
export const MAX_JSON_DEPTH = 200;

/**
 * Only text that matches this can contain a value that {@link findJsonFault} rejects: escaped U+0000 or
 * surrogate, long digits, three-digit exponent.
 */
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
      case 0x22: // a string: brackets inside do not count
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
 * Parses JSON text (docs/reference/api-conventions.md#json), which error messages call `what`. Keys such as
 * `__proto__` become own properties; of duplicate keys the last one wins.
 * @throws DomainError `invalid_request` for invalid UTF-8, malformed or too deeply nested text;
 * `validation_failed` for a value that could not be stored exactly, with its path in `details.path`.
 */
export function parseJson(input: Buffer | string, what = 'the body'): JsonValue {
  const text = textOf(input);
  if (tooDeep(text)) throw badRequest(`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue; // JSON.parse returns a JSON value
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
