// The enums of fields whose words are all names of GraphQL (docs/reference/metadata.md#typed-enums).
import type { EntityType } from '../schema-model/entity-type.ts';
import { areEnumNames } from '../schema-model/enum-names.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import { enumNameOf, fieldNameOf, typeNameOf } from './typed-names.ts';

export interface TypedEnum {
  readonly name: string;
  /** False for that of an ancestor, which declares the field. */
  readonly isOwn: boolean;
}

/** Null where a word is no name, and for fields of other types. */
export function enumOf(type: EntityType, { name, values }: FieldDefinition): TypedEnum | null {
  const declaredBy = type.enums.find(({ field }) => field === name)?.declaredBy;
  return declaredBy === undefined || !areEnumNames(values)
    ? null
    : { name: enumNameOf(typeNameOf(declaredBy), fieldNameOf(name)), isOwn: declaredBy === type.name };
}

/** The names of those that the type declares itself. */
export const ownEnumsOf = (type: EntityType): string[] =>
  type.enums.flatMap(({ field }) => {
    const definition = type.fields.get(field);
    const words = definition && field !== 'id' ? enumOf(type, definition) : null;
    return words?.isOwn ? [words.name] : [];
  });

/** How the names of the types begin whose enum it may be. */
export function* ownersOf(enumName: string): Generator<string> {
  if (!enumName.endsWith('Enum')) return;
  for (let end = enumName.length - 'Enum'.length - 1; end > 0; end--) yield enumName.slice(0, end);
}
