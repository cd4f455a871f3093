// The indexes over data fields that the schemas of a catalogue want.
import { type IndexKind, indexKind } from '../filters/field-index.ts';
import type { SchemaCatalogue } from './schema-catalogue.ts';

/** A data field's index: one for each name and kind, whichever types have such a field. */
export interface FieldIndex { readonly field: string; readonly kind: IndexKind }

/** By `[field, kind]` as JSON. */
export function markedFields(catalogue: SchemaCatalogue): ReadonlyMap<string, FieldIndex> {
  const all = [...catalogue.types()].flatMap(({ definition }) => definition.fields).flatMap((field) => {
    const kind = indexKind(field);
    return kind === null ? [] : [{ field: field.name, kind }];
  });
  return new Map(all.map((index) => [JSON.stringify([index.field, index.kind]), index]));
}
