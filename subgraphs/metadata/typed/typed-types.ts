// The GraphQL types of the registered schemas: names, fields, and the types of fields. Each is built on
// demand.
import { oncePer } from '../../../platform/once-per.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { fieldNameOf, oneNameOf, typeNameOf } from './typed-names.ts';

export interface TypedField {
  readonly name: string;
  readonly definition: FieldDefinition;
  /** The target type of a reference. */
  readonly target: TypedTarget | null;
}
export interface TypedTarget {
  readonly name: string;
  readonly schema: string;
}

export interface TypedType {
  readonly name: string;
  readonly schema: string;
  readonly description: string;
  readonly fields: readonly TypedField[];
  /**
   * False for a name that only references have, without a schema: such entities can be reached, but not
   * listed.
   */
  readonly isRegistered: boolean;
  /** The schema revision since which it is unchanged. */
  readonly since: number;
}

/** The role of a GraphQL type for its schema. */
export type TypeRole = 'type' | 'Where' | 'Connection' | 'Edge';
const ROLES: readonly TypeRole[] = ['type', 'Where', 'Connection', 'Edge'];
/** A schema's fields of `typed`: one entity by its id, and the list. */
export type FieldRole = 'one' | 'list';

export const typeNamesOf = ({
  name,
  isRegistered,
}: Pick<TypedType, 'name' | 'isRegistered'>): [TypeRole, string][] =>
  (isRegistered ? ROLES : ROLES.slice(0, 1)).map((role) => [role, role === 'type' ? name : `${name}${role}`]);
export function fieldNamesOf({
  name,
  isRegistered,
}: Pick<TypedType, 'name' | 'isRegistered'>): [FieldRole, string][] {
  const one = oneNameOf(name);
  return isRegistered
    ? [
        ['one', one],
        ['list', `${one}List`],
      ]
    : [];
}

function targetOf({ references }: FieldDefinition): TypedTarget | null {
  return references === null ? null : { name: typeNameOf(references), schema: references };
}

const typedType = oncePer((type: EntityType): TypedType => ({
  name: typeNameOf(type.name),
  schema: type.name,
  isRegistered: true,
  since: type.changedAt,
  description: type.definition.description ?? `Entities of type ${type.name}.`,
  fields: [...type.fields.values()]
    .filter((field) => field.name !== 'id')
    .map((definition) => ({
      name: fieldNameOf(definition.name),
      definition,
      target: targetOf(definition),
    })),
}));

/**
 * The name of a schema's type and the schemas that it references: computed once per schema, however often
 * others change.
 */
interface Outline {
  readonly name: string;
  readonly references: readonly string[];
}
const outlineOf = oncePer((type: EntityType): Outline => ({
  name: typeNameOf(type.name),
  references: [...type.fields.values()].flatMap(({ references }) => references ?? []),
}));

const SUFFIXES: readonly Exclude<TypeRole, 'type'>[] = ['Where', 'Connection', 'Edge'];
const isLower = (text: string): boolean => /^[a-z_]/.test(text);

/**
 * All possible types at one revision of the schemas, found by name, so that nothing is built per revision for
 * thousands of schemas.
 */
export class TypedTypes {
  readonly #catalogue: SchemaCatalogue;
  /** Names without a schema, and the revision since which a reference uses them. */
  readonly #unregistered = new Map<string, number>();
  /** Schemas with another GraphQL name, by that name. */
  readonly #renamed = new Map<string, string>();

  constructor(catalogue: SchemaCatalogue) {
    this.#catalogue = catalogue;
    for (const type of catalogue.types()) {
      const { name, references } = outlineOf(type);
      if (name !== type.name) this.#renamed.set(name, type.name);
      for (const target of references)
        if (!catalogue.get(target))
          this.#unregistered.set(target, Math.max(this.#unregistered.get(target) ?? 0, type.changedAt));
    }
    for (const schema of this.#unregistered.keys())
      if (typeNameOf(schema) !== schema) this.#renamed.set(typeNameOf(schema), schema);
  }

  /** The type with this name of its own. */
  #called(name: string): TypedType | undefined {
    const schema = this.#renamed.get(name) ?? name;
    if (!this.#catalogue.get(schema) && !this.#unregistered.has(schema)) return undefined;
    const type = this.ofSchema(schema);
    return type.name === name ? type : undefined;
  }

  /** The schema of a GraphQL type; undefined for other types. */
  typeNamed(name: string): { readonly role: TypeRole; readonly type: TypedType } | undefined {
    const own = this.#called(name);
    if (own) return { role: 'type', type: own };
    for (const role of SUFFIXES) {
      const type = name.endsWith(role) ? this.#called(name.slice(0, -role.length)) : undefined;
      if (type?.isRegistered) return { role, type };
    }
    return undefined;
  }

  fieldNamed(name: string): { readonly role: FieldRole; readonly type: TypedType } | undefined {
    const [first = ''] = name;
    if (!isLower(first)) return undefined;
    const capital = first.toUpperCase() + name.slice(1);
    const named = (typeName: string): TypedType | undefined => {
      const type = this.#called(typeName);
      return type?.isRegistered && oneNameOf(type.name) === oneNameOf(typeName) ? type : undefined;
    };
    const one = named(capital) ?? named(name);
    if (one) return { role: 'one', type: one };
    if (!name.endsWith('List')) return undefined;
    const many = named(capital.slice(0, -4)) ?? named(name.slice(0, -4));
    return many && { role: 'list', type: many };
  }

  *typeNames(): Generator<string> {
    for (const { schema } of this.since())
      for (const [, name] of typeNamesOf(this.#outline(schema))) yield name;
  }

  *fieldNames(): Generator<string> {
    for (const { schema } of this.since())
      for (const [, name] of fieldNamesOf(this.#outline(schema))) yield name;
  }

  /** The parts of names: a list of all names needs nothing else. */
  #outline(schema: string): Pick<TypedType, 'name' | 'isRegistered'> {
    const type = this.#catalogue.get(schema);
    return { name: type ? outlineOf(type).name : typeNameOf(schema), isRegistered: type !== undefined };
  }

  ofSchema(schema: string): TypedType {
    const type = this.#catalogue.get(schema);
    if (type) return typedType(type);
    return {
      name: typeNameOf(schema),
      schema,
      isRegistered: false,
      since: this.#unregistered.get(schema) ?? 0,
      fields: [],
      description: `Entities of type ${schema}, which has no schema.`,
    };
  }

  /** Every schema and name without one, each with the revision since which its types are unchanged. */
  *since(): Generator<{ readonly schema: string; readonly since: number }> {
    for (const { name, changedAt } of this.#catalogue.types()) yield { schema: name, since: changedAt };
    for (const [schema, since] of this.#unregistered) yield { schema, since };
  }
}
