// Constants of an expression, and which of them a stored JSON value can equal.
import { isCelList, isCelMap, isCelUint } from '@bufbuild/cel';
import type { CelValue } from '@bufbuild/cel';
import { isMessage } from '@bufbuild/protobuf';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';

/**
 * Whether PostgreSQL can store the string: no U+0000, no lone surrogate
 * (docs/reference/api-conventions.md#strings).
 */
export const isWellFormed = (value: string): boolean =>
  !/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value);

/** The number that an int, uint or double compares as; undefined for other values. */
export function numberOf(value: CelValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return isCelUint(value) ? Number(value.value) : undefined;
}

export const timestampOf = (value: CelValue): Timestamp | undefined =>
  isReflectMessage(value) && isMessage(value.message, TimestampSchema) ? value.message : undefined;

export const durationOf = (value: CelValue): Duration | undefined =>
  isReflectMessage(value) && isMessage(value.message, DurationSchema) ? value.message : undefined;

/**
 * The JSON text of the stored value that equals the constant; null if no stored value can: strings that
 * cannot be stored, integers that are not doubles, infinities, timestamps, bytes, types, and maps with other
 * keys than strings.
 */
export function constantText(value: CelValue): string | null {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return isWellFormed(value) ? JSON.stringify(value) : null;
  const number = numberOf(value);
  if (number !== undefined) {
    const exact = isCelUint(value) ? value.value : value;
    return Number.isFinite(number) && (typeof exact !== 'bigint' || BigInt(number) === exact)
      ? JSON.stringify(number)
      : null;
  }
  if (isCelList(value)) {
    const items = Array.from(value, constantText);
    return items.includes(null) ? null : `[${items.join(',')}]`;
  }
  if (!isCelMap(value)) return null;
  const entries = Array.from(value, ([key, item]) => {
    const name = typeof key === 'string' ? constantText(key) : null;
    const text = constantText(item);
    return name === null || text === null ? null : `${name}:${text}`;
  });
  return entries.includes(null) ? null : `{${entries.join(',')}}`;
}

/** Whether JSON text is that of a scalar. */
export const isScalarText = (text: string): boolean => !text.startsWith('[') && !text.startsWith('{');

/** JSON text of an object with `text` at the end of a path, for `data @> …`. */
export const nested = (path: readonly string[], text: string): string =>
  path.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, text);
