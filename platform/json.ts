// Parses untrusted JSON as strictly as the API requires, nearly as fast as `JSON.parse` for ordinary bodies.
import { isAscii, isUtf8 } from 'node:buffer';
import { badRequest, type DomainError, invalid } from './errors.ts';
import { parsedText } from './escaped-names.ts';
import { findJsonFault, type JsonFault, LONE_SURROGATE } from './json-faults.ts';
import { type JsonBounds, ShapeScan } from './json-shape.ts';

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * Only text that matches this can contain a value that {@link findJsonFault} rejects: escaped U+0000 or
 * surrogate, long digits, three-digit exponent.
 */
export const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])|\d{16}|[eE]\+?\d{3}/;

export function textOf(input: Buffer | string): string {
  if (typeof input === 'string') return input;
  if (isAscii(input)) return input.toString('latin1');
  if (!isUtf8(input)) throw badRequest('the body is not valid UTF-8');
  return input.toString('utf8');
}

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
 * @throws DomainError `invalid_request` for invalid UTF-8, malformed or too deeply nested text, and too many values or names;
 * `validation_failed` for a value that could not be stored exactly, with its path in `details.path`.
 */
export function parseJson(
  input: Buffer | string,
  what = 'the body',
  { limits, hold }: JsonBounds = {},
): JsonValue {
  const text = textOf(input);
  const shape = new ShapeScan(text, limits, hold !== undefined);
  shape.step(text.length);
  if (shape.fault) throw shape.fault;
  hold?.(shape.bytes);
  let value: JsonValue;
  try {
    value = parsedText(text) as JsonValue; // JSON text has a JSON value
  } catch (cause) {
    throw malformed(cause, what);
  }
  if (SUSPICIOUS.test(text) || (typeof input === 'string' && LONE_SURROGATE.test(text))) {
    const fault = findJsonFault(text);
    if (fault) throw faulty(fault);
  }
  return value;
}
