// Converts CEL values to JSON, for the results of an adapter's `map`.
import { isCelList, isCelMap, isCelUint } from '@bufbuild/cel';
import type { CelValue } from '@bufbuild/cel';
import { isMessage, toJson } from '@bufbuild/protobuf';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { spend } from './limits.ts';
import { formatTimestamp } from './timestamps.ts';

function wholeNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new Error(`${value} cannot be represented exactly as a JSON number`);
  return number;
}

function fieldName(key: CelValue): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'bigint' || typeof key === 'boolean') return String(key);
  if (isCelUint(key)) return String(key.value);
  throw new Error('a map with such keys cannot be represented as JSON');
}

/**
 * Numbers become numbers, timestamps RFC 3339 with microseconds, durations text such as `1.5s`, bytes base64.
 * @throws Error for values without a JSON form: integers beyond 2^53, infinities, types
 */
export function jsonResult(value: CelValue): unknown {
  spend(1);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return wholeNumber(value);
    case 'number':
      if (!Number.isFinite(value)) throw new Error(`${value} cannot be represented as JSON`);
      return value;
    default:
      break;
  }
  if (value === null) return null;
  if (isCelUint(value)) return wholeNumber(value.value);
  if (isCelList(value)) return Array.from(value, jsonResult);
  if (isCelMap(value)) {
    const object: Record<string, unknown> = {};
    for (const [key, item] of value)
      Object.defineProperty(object, fieldName(key), {
        value: jsonResult(item),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return object;
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (isReflectMessage(value)) {
    if (isMessage(value.message, TimestampSchema)) return formatTimestamp(value.message);
    if (isMessage(value.message, DurationSchema)) return toJson(DurationSchema, value.message);
  }
  throw new Error('a type cannot be represented as JSON');
}
