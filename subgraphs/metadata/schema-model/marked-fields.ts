// The indexes over data fields that a catalogue's schemas declare.
import { oncePer } from '../../../platform/once-per.ts';
import { type IndexKind, indexKind } from './field-index.ts';
import type { SchemaDefinition } from './definition.ts';
import type { SchemaCatalogue } from './schema-catalogue.ts';

/** An index over a data field: one for each name and kind, for all types with such a field. */
export interface FieldIndex {
  readonly field: string;
  readonly kind: IndexKind;
}

const indexesOf = oncePer((definition: SchemaDefinition): readonly FieldIndex[] =>
  definition.fields.flatMap((field) => {
    const kind = indexKind(field);
    return kind === null ? [] : [{ field: field.name, kind }];
  }),
);

/** By `[field, kind]` as JSON. */
export function markedFields(catalogue: SchemaCatalogue): ReadonlyMap<string, FieldIndex> {
  const all = new Map<string, FieldIndex>();
  for (const { definition } of catalogue.types())
    for (const index of indexesOf(definition)) all.set(JSON.stringify([index.field, index.kind]), index);
  return all;
}
