// A field that refers to entities, and a reference of it that leads to none.
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';

/** A reference field of one type, and the types that it may lead to. */
export interface ReferenceField {
  readonly entity_type: string;
  readonly field: string;
  readonly targets: readonly string[];
}

export interface FaultRow {
  readonly entityId: string;
  readonly entityType: string;
  /** The entity's; null where it is shared. */
  readonly project: string | null;
  /** The entity's place in the order of creation. */
  readonly created: string;
  readonly field: string;
  /** Its place in a list, from 1; 0 of a single value. */
  readonly place: number;
  readonly targetId: string;
  /** Null where there is none that may be seen. */
  readonly actualEntityType: string | null;
}

export type FaultPosition = readonly [created: string, field: string, place: number];

/** The reference fields of types that are asked about. */
export function referenceFields(
  catalogue: SchemaCatalogue,
  types: readonly string[],
  isAsked: (field: FieldDefinition, type: string) => boolean = () => true,
): ReferenceField[] {
  return types.flatMap((name) =>
    [...(catalogue.get(name)?.fields.values() ?? [])].flatMap((field) =>
      field.references === null || field.name === 'id' || !isAsked(field, name)
        ? []
        : [
            {
              entity_type: name,
              field: field.name,
              targets: catalogue.get(field.references)?.selfAndSubtypes ?? [field.references],
            },
          ],
    ),
  );
}
