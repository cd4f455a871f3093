// A schema as a GraphQL object.
import { oncePer } from '../../../platform/once-per.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';

const fieldView = (field: FieldDefinition) => ({
  ...field,
  fieldType: field.declaredType,
  values: field.type === 'enum' ? field.values : null,
});

export type FieldView = ReturnType<typeof fieldView>;
export interface SchemaView extends Omit<EntityType['definition'], 'fields'> {
  readonly subtypes: readonly string[];
  readonly fields: () => readonly FieldView[];
  readonly allFields: () => readonly FieldView[];
  readonly definition: unknown;
}

/** Created once per type: there may be thousands, and a document may select all of them many times. */
export const view = oncePer((type: EntityType): SchemaView => {
  let own: readonly FieldView[] | undefined;
  let all: readonly FieldView[] | undefined;
  return {
    ...type.definition,
    subtypes: type.selfAndSubtypes.filter((name) => name !== type.name),
    fields: () => (own ??= type.definition.fields.map(fieldView)),
    allFields: () => (all ??= [...type.fields.values()].map(fieldView)),
    definition: type.definition.sent,
  };
});
