// What the registered schemas come to as GraphQL types: names, fields, and what each field leads to. Each is
// made when somebody asks for it.
import type { EntityType } from '../schemas/entity-type.ts';
import type { FieldDefinition } from '../schemas/field-definition.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { fieldNameOf, oneNameOf, typeNameOf } from './typed-names.ts';

export interface TypedField {
  readonly name: string;
  readonly definition: FieldDefinition;
  /** Of a reference: the type it leads to. */
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
  /** False for a name that references have and no schema: entities of it may be led to, not asked for. */
  readonly isRegistered: boolean;
  /** The schema revision since which it is as it is. */
  readonly since: number;
}

/** What a type of the graph is to the schema that it is made of. */
export type TypeRole = 'type' | 'Where' | 'Connection' | 'Edge';
const ROLES: readonly TypeRole[] = ['type', 'Where', 'Connection', 'Edge'];
/** Fields of `typed` that a schema has: one by its id, and the list. */
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

const made = new WeakMap<EntityType, TypedType>();

function typedType(type: EntityType): TypedType {
  let typed = made.get(type);
  if (typed === undefined)
    made.set(
      type,
      (typed = {
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
      }),
    );
  return typed;
}

/**
 * The name of a schema's type and the schemas that it refers to: once for each schema, however often others
 * change.
 */
interface Outline {
  readonly name: string;
  readonly references: readonly string[];
}
const outlines = new WeakMap<EntityType, Outline>();
function outlineOf(type: EntityType): Outline {
  let outline = outlines.get(type);
  if (outline === undefined)
    outlines.set(
      type,
      (outline = {
        name: typeNameOf(type.name),
        references: [...type.fields.values()].flatMap(({ references }) => references ?? []),
      }),
    );
  return outline;
}

const SUFFIXES: readonly Exclude<TypeRole, 'type'>[] = ['Where', 'Connection', 'Edge'];
const isLower = (text: string): boolean => /^[a-z_]/.test(text);

/**
 * All types that there could be at one revision of the schemas, by their names: found from the names, so that
 * of thousands nothing is made anew for each revision.
 */
export class TypedTypes {
  readonly #catalogue: SchemaCatalogue;
  /** Names without a schema, and the revision since which something refers to them. */
  readonly #unregistered = new Map<string, number>();
  /** Schemas whose types have other names than they: by these. */
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

  /** The type whose own name it is. */
  #called(name: string): TypedType | undefined {
    const schema = this.#renamed.get(name) ?? name;
    if (!this.#catalogue.get(schema) && !this.#unregistered.has(schema)) return undefined;
    const type = this.ofSchema(schema);
    return type.name === name ? type : undefined;
  }

  /** What a type of the graph is made of; undefined for one that is none of these. */
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

  /** What names are made of: no more than that is looked at for a list of all. */
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

  /** Every schema and name without one, each with the revision since which its types are as they are. */
  *since(): Generator<{ readonly schema: string; readonly since: number }> {
    for (const { name, changedAt } of this.#catalogue.types()) yield { schema: name, since: changedAt };
    for (const [schema, since] of this.#unregistered) yield { schema, since };
  }
}
