// What the registered schemas come to as GraphQL types: names, fields, and what each field leads to.
import type { EntityType } from '../schemas/entity-type.ts';
import type { FieldDefinition } from '../schemas/field.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { fieldNameOf, oneNameOf, typeNameOf } from './typed-names.ts';

export interface TypedField {
  readonly name: string;
  readonly definition: FieldDefinition;
  /** Of a reference: the type it leads to; null where that has no type here. */
  readonly target: TypedTarget | null;
}
export interface TypedTarget { readonly name: string; readonly schema: string }

export interface TypedType {
  readonly name: string;
  readonly schema: string;
  /** Fields of `typed`: one by its id, and the list. */
  readonly one: string;
  readonly list: string;
  readonly description: string;
  readonly fields: readonly TypedField[];
}

export interface TypedTypes {
  readonly types: readonly TypedType[];
  /** Schemas for which there was no room. */
  readonly omitted: readonly string[];
}

/** Types and fields that the graph takes at most: they are made ready anew, in a few tenths of a second, when the schemas have changed. */
export const MOST_TYPES = 200;
export const MOST_FIELDS = 10_000;

function chosen(catalogue: SchemaCatalogue): [EntityType[], string[]] {
  const [types, omitted]: [EntityType[], string[]] = [[], []];
  let fields = 0;
  for (const type of catalogue.types()) {
    if (types.length < MOST_TYPES && fields + type.fields.size <= MOST_FIELDS) {
      types.push(type);
      fields += type.fields.size;
    } else omitted.push(type.name);
  }
  return [types, omitted];
}

export function typedTypes(catalogue: SchemaCatalogue): TypedTypes {
  const [types, omitted] = chosen(catalogue);
  const names = new Map(types.map((type) => [type.name, typeNameOf(type.name)]));
  const targetOf = ({ references }: FieldDefinition): TypedTarget | null => {
    const name = references === null ? undefined : names.get(references);
    return references === null || name === undefined ? null : { name, schema: references };
  };
  return {
    omitted,
    types: types.map((type) => {
      const name = typeNameOf(type.name);
      const one = oneNameOf(name);
      return {
        name, one, list: `${one}List`, schema: type.name,
        description: type.definition.description ?? `Entities of type ${type.name}.`,
        fields: [...type.fields.values()].filter((field) => field.name !== 'id').map((definition) => ({ name: fieldNameOf(definition.name), definition, target: targetOf(definition) })),
      };
    }),
  };
}
