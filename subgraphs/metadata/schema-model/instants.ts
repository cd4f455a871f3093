// `datetime` fields are instants: accepted with any offset, stored in UTC with microseconds, so that their
// texts sort as they do (docs/reference/metadata.md#instants).
import { exactInstant } from '../../../platform/instant.ts';
import { type EntityData, type EntityType, ownValue } from './entity-type.ts';
import { withoutPrototype } from '../../../platform/without-prototype.ts';

/** A value in its stored form; a text that is not an instant is unchanged, and the validators refuse it. */
function kept(value: unknown): unknown {
  if (typeof value === 'string') return exactInstant(value) ?? value;
  return Array.isArray(value) ? value.map(kept) : value;
}

/** Data of a type, or some of its fields, in stored form: the same object if nothing differs. */
export function withInstants(type: EntityType, data: EntityData): EntityData {
  const changed = type.instants.filter((field) => isOtherwise(ownValue(data, field)));
  if (changed.length === 0) return data;
  const whole: Record<string, unknown> = Object.assign(withoutPrototype<unknown>(), data);
  for (const field of changed) whole[field] = kept(ownValue(data, field));
  return whole;
}

const isOtherwise = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isOtherwise) : typeof value === 'string' && kept(value) !== value;

/** Instants of stored data that are not in stored form, and texts that are not instants, by field. */
export function instantFaults(
  type: EntityType,
  data: EntityData,
): { readonly otherwise: readonly string[]; readonly none: readonly string[] } {
  const isNone = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isNone) : typeof value === 'string' && exactInstant(value) === null;
  return {
    otherwise: type.instants.filter((field) => isOtherwise(ownValue(data, field))),
    none: type.instants.filter((field) => isNone(ownValue(data, field))),
  };
}
