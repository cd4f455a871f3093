// The keys under which unique values are held: hashed, because a value may be longer than an index entry.
import { createHash } from 'node:crypto';
import type { UniqueKey } from '../provenance/write.ts';
import { type EntityData, type EntityType, ownValue } from './entity-type.ts';

/** JSON with sorted keys: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const object = value as Record<string, unknown>;
  return `{${Object.keys(object).sort().map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`).join(',')}}`;
}

/** The unique keys that data holds; absent and null values hold none. */
export function uniqueKeys(type: EntityType, data: EntityData): UniqueKey[] {
  return type.uniqueFields.flatMap(({ field, scope }) => {
    const value = ownValue(data, field);
    if (value === undefined || value === null) return [];
    return [{ scope, field, hash: createHash('sha256').update(canonicalJson(value)).digest() }];
  });
}
