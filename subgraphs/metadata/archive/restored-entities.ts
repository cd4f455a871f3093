// What follows from an entity's present data, and is therefore not in an archive.
import type { AddedColumn } from '../../../platform/archive/table-section.ts';
import type { ArchivedRow } from '../../../platform/archive/archived-row.ts';
import { refused } from '../../../platform/archive/archive-format.ts';
import { isObject } from '../../../platform/json-object.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { type UniqueKey, uniqueKeys } from '../schema-model/unique-key.ts';
import { searchText } from '../search-text.ts';

/** Made of the words by which an entity is found. */
export const SEARCH_COLUMN: AddedColumn = { name: 'search', write: `to_tsvector('simple', x.search)` };

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
  if (!isObject(data)) throw refused(`has an entity whose data are no object: ${id}`);
  return {
    words: searchText(type, data),
    uniques: uniqueKeys(type, data).map((key) => ({ ...key, entityId: id })),
  };
}
