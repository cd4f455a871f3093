// The keys of unique values: hashed, because a value may be longer than an index entry.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { type EntityData, type EntityType, ownValue } from './entity-type.ts';

/** The unique keys of data; absent and null values have none. */
export function uniqueKeys(type: EntityType, data: EntityData): UniqueKey[] {
  return type.uniqueFields.flatMap(({ field, scope }) => {
    const value = ownValue(data, field);
    if (value === undefined || value === null) return [];
    return [{ scope, field, hash: createHash('sha256').update(canonicalJson(value)).digest() }];
  });
}

export interface UniqueKey {
  readonly scope: string;
  readonly field: string;
  readonly hash: Buffer;
}
