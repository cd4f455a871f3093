// `datetime` fields are instants: whatever offset they are sent with, they are kept in UTC with microseconds,
// so that the order of their texts is theirs (docs/reference/metadata.md#instants).
import { exactInstant } from '../../../platform/instant.ts';
import { type EntityData, type EntityType, ownValue } from './entity-type.ts';

/** A value as it is kept; what is no instant stays as it is, for the validators to refuse. */
function kept(value: unknown): unknown {
  if (typeof value === 'string') return exactInstant(value) ?? value;
  return Array.isArray(value) ? value.map(kept) : value;
}

/** Data of a type, or some of its fields, as they are kept: the same object where nothing differs. */
export function withInstants(type: EntityType, data: EntityData): EntityData {
  const changed = type.instants.filter((field) => isOtherwise(ownValue(data, field)));
  if (changed.length === 0) return data;
  const whole: Record<string, unknown> = Object.assign(Object.create(null) as Record<string, unknown>, data);
  for (const field of changed) whole[field] = kept(ownValue(data, field));
  return whole;
}

const isOtherwise = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isOtherwise) : typeof value === 'string' && kept(value) !== value;

/** Instants of stored data that are not as they are kept, and texts that are none, by field. */
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
