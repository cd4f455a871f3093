// A schema as a GraphQL object.
import type { EntityType } from '../schema-model/entity-type.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';

const fieldView = (field: FieldDefinition) => ({
  ...field,
  fieldType: field.declaredType,
  values: field.type === 'enum' ? field.values : null,
});

type FieldView = ReturnType<typeof fieldView>;
export interface SchemaView extends Omit<EntityType['definition'], 'fields'> {
  readonly subtypes: readonly string[];
  readonly fields: () => readonly FieldView[];
  readonly allFields: () => readonly FieldView[];
  readonly definition: unknown;
}

/** Created once per type: there may be thousands, and a document may select all of them many times. */
const views = new WeakMap<EntityType, SchemaView>();

export function view(type: EntityType): SchemaView {
  let made = views.get(type);
  if (made === undefined) {
    let own: readonly FieldView[] | undefined;
    let all: readonly FieldView[] | undefined;
    made = {
      ...type.definition,
      subtypes: type.selfAndSubtypes.filter((name) => name !== type.name),
      fields: () => (own ??= type.definition.fields.map(fieldView)),
      allFields: () => (all ??= [...type.fields.values()].map(fieldView)),
      definition: type.definition.sent,
    };
    views.set(type, made);
  }
  return made;
}
