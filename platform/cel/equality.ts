// Implements CEL's equality and counts its steps, so that comparing large values inside a macro counts
// against the budget.
import { isCelList, isCelMap, isCelType, isCelUint } from '@bufbuild/cel';
import type { CelList, CelMap, CelValue } from '@bufbuild/cel';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { spend } from './limits.ts';

/**
 * Numbers compare across int, uint and double. Other values of different types are unequal, which is not an
 * error.
 */
export function equalValues(left: CelValue, right: CelValue): boolean {
  const a = isCelUint(left) ? left.value : left;
  const b = isCelUint(right) ? right.value : right;
  // bigint and number compare exactly by ==, which is CEL's rule for int and double
  if ((typeof a === 'number' || typeof a === 'bigint') && (typeof b === 'number' || typeof b === 'bigint'))
    return a == b;
  // one step per kilobyte
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) spend(a.length >> 10);
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  if (isCelList(a)) return isCelList(b) && equalLists(a, b);
  if (isCelMap(a)) return isCelMap(b) && equalMaps(a, b);
  if (isCelType(a)) return isCelType(b) && a.name === b.name;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  return isReflectMessage(a) && isReflectMessage(b) && equalMessages(a, b);
}

function equalLists(a: CelList, b: CelList): boolean {
  if (a.size !== b.size) return false;
  const others = b[Symbol.iterator]();
  for (const item of a) {
    spend(1);
    const other = others.next();
    if (other.done === true || !equalValues(item, other.value)) return false;
  }
  return true;
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false;
  spend(a.size >> 1); // all keys are listed before the first comparison
  for (const [key, value] of a) {
    spend(1);
    const other = b.get(key);
    if (other === undefined || !equalValues(value, other)) return false;
  }
  return true;
}

/** Compares timestamps and durations, which are the only messages in use. */
function equalMessages(a: ReflectMessage, b: ReflectMessage): boolean {
  return a.desc.typeName === b.desc.typeName && a.desc.fields.every((field) => a.get(field) === b.get(field));
}
