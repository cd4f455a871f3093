// What follows from an entity's present data, and is therefore not in an archive.
import type { ArchivedRow } from '../../../platform/archive/archived-row.ts';
import { refused } from '../../../platform/archive/archive-format.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import { type UniqueKey, uniqueKeys } from '../schema-model/unique-key.ts';
import { searchText } from '../search-text.ts';

export interface Derived {
  readonly words: string;
  readonly uniques: readonly (UniqueKey & { readonly entityId: string })[];
}

/** @throws DomainError for an entity of a type without a schema */
export function derivedOf(catalogue: SchemaCatalogue, row: ArchivedRow): Derived {
  const { id, entity_type: name, data } = row;
  const type = typeof name === 'string' ? catalogue.get(name) : undefined;
  if (type === undefined || typeof id !== 'string')
    throw refused(`has an entity of an unknown type: ${String(id)}`);
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw refused(`has an entity whose data are no object: ${id}`);
  const known = data as EntityData; // an object, as was looked at
  return {
    words: searchText(type, known),
    uniques: uniqueKeys(type, known).map((key) => ({ ...key, entityId: id })),
  };
}
