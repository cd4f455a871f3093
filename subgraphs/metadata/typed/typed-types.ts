// The GraphQL types of the registered schemas: names, fields, and the types of fields. Each is built on
// demand.
import { oncePer } from '../../../platform/once-per.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { enumOf, ownEnumsOf, ownersOf, type TypedEnum } from './typed-enums.ts';
import { fieldNameOf, oneNameOf, reverseNameOf, typeNameOf } from './typed-names.ts';
import {
  hasRole,
  HOLDERS,
  type Outlined,
  TYPED_ROLES,
  ROOT_HOLDERS,
  ROOT_NAME,
  ROOT_ROLES,
  rootNamesOf,
  type RootRole,
  type TypeRole,
  typeNamesOf,
} from './typed-roles.ts';

export interface TypedField {
  readonly name: string;
  readonly definition: FieldDefinition;
  /** The target type of a reference. */
  readonly target: TypedTarget | null;
  /** The enum of its words; null where it is a text, and for fields of other types. */
  readonly words: TypedEnum | null;
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

/** A field that a schema adds to a type. */
export type AddedField =
  | { readonly role: RootRole; readonly type: TypedType }
  | {
      /** Leads from what a field refers to, to what refers to it. */
      readonly role: 'reverse';
      readonly type: TypedType;
      readonly field: TypedField;
    };

const referencedBy = (target: string): string => `${typeNameOf(target)}ReferencedBy`;

/** The fields that a schema adds, each with the type to which it adds it. */
export function addedFieldsOf(
  type: TypedType,
): { readonly on: string; readonly name: string; readonly field: AddedField }[] {
  return [
    ...rootNamesOf(outlined(type)).map(([role, name]) => ({
      on: HOLDERS[role],
      name,
      field: { role, type } as const,
    })),
    ...type.fields.flatMap((field) =>
      field.target === null
        ? []
        : [
            {
              on: referencedBy(field.target.schema),
              name: reverseNameOf(type.name, field.name),
              field: { role: 'reverse', type, field } as const,
            },
          ],
    ),
  ];
}

export const outlined = ({ name, isRegistered, fields }: TypedType): Outlined => ({
  name,
  isRegistered,
  hasFields: fields.length > 0,
  hasMeasures: fields.some(({ definition }) => isMeasurable(definition)),
});

/** Whether the field has single values, which can be grouped by, measured and counted. */
export const isMeasurable = ({ type, many }: FieldDefinition): boolean => !many && type !== 'json';

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
      words: enumOf(type, definition),
    })),
}));

/**
 * The name of a schema's type and the schemas that its fields reference: computed once per schema, however
 * often others change.
 */
interface Outline extends Omit<Outlined, 'isRegistered'> {
  /** The names of its own enums. */
  readonly enums: readonly string[];
  readonly references: readonly {
    readonly field: string;
    readonly target: string;
    /** The field of what it refers to, that leads back. */
    readonly reverse: string;
  }[];
}
const outlineOf = oncePer((type: EntityType): Outline => {
  const own = [...type.fields.values()].filter(({ name }) => name !== 'id');
  const typeName = typeNameOf(type.name);
  return {
    name: typeName,
    hasFields: own.length > 0,
    hasMeasures: own.some(isMeasurable),
    enums: ownEnumsOf(type),
    references: own.flatMap(({ name, references }) =>
      references === null
        ? []
        : [{ field: name, target: references, reverse: reverseNameOf(typeName, fieldNameOf(name)) }],
    ),
  };
});

const SUFFIXES = TYPED_ROLES.filter((role) => role !== 'type');
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
  /** Fields that refer to a schema, by the schema and their names there; found when it is first asked for. */
  #reverse: ReadonlyMap<string, ReadonlyMap<string, readonly [schema: string, field: string]>> | undefined;

  constructor(catalogue: SchemaCatalogue) {
    this.#catalogue = catalogue;
    for (const type of catalogue.types()) {
      const { name, references } = outlineOf(type);
      if (name !== type.name) this.#renamed.set(name, type.name);
      for (const { target } of references)
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
      if (type && hasRole(outlined(type), role)) return { role, type };
    }
    return undefined;
  }

  /** The field whose enum has the name. */
  enumNamed(name: string): TypedField | undefined {
    return [...ownersOf(name)]
      .flatMap((owner) => this.#called(owner)?.fields ?? [])
      .find(({ words }) => words?.isOwn && words.name === name);
  }

  /** Whether schemas add fields to the type. */
  holds(type: string): boolean {
    return ROOT_HOLDERS.has(type) || this.typeNamed(type)?.role === 'ReferencedBy';
  }

  fieldNamed(holder: string, name: string): AddedField | undefined {
    if (!ROOT_HOLDERS.has(holder)) return this.#reverseNamed(holder, name);
    for (const role of ROOT_ROLES) {
      if (HOLDERS[role] !== holder) continue;
      const type = this.#typeOfRoot(role, name);
      if (type) return { role, type };
    }
    return undefined;
  }

  /** The type whose field of that role has the name. */
  #typeOfRoot(role: RootRole, name: string): TypedType | undefined {
    const [before = '', after = ''] = ROOT_NAME[role]('*', '*').split('*');
    if (!name.startsWith(before) || !name.endsWith(after) || name.length <= before.length + after.length)
      return undefined;
    const stem = name.slice(before.length, name.length - after.length);
    const [first = ''] = stem;
    if (before === '' && !isLower(first)) return undefined;
    const stems = before === '' ? [first.toUpperCase() + stem.slice(1), stem] : [stem];
    for (const typeName of stems) {
      const type = this.#called(typeName);
      if (!type || !hasRole(outlined(type), role)) continue;
      if (ROOT_NAME[role](oneNameOf(type.name), type.name) === name) return type;
    }
    return undefined;
  }

  #reverseNamed(holder: string, name: string): AddedField | undefined {
    const target = this.typeNamed(holder);
    if (target?.role !== 'ReferencedBy') return undefined;
    const [schema, fieldName] = this.#reverseOf(target.type.schema).get(name) ?? [];
    if (schema === undefined) return undefined;
    const type = this.ofSchema(schema);
    const field = type.fields.find(({ definition }) => definition.name === fieldName);
    return field && { role: 'reverse', type, field };
  }

  #reverseOf(target: string): ReadonlyMap<string, readonly [string, string]> {
    if (this.#reverse === undefined) {
      const found = new Map<string, Map<string, readonly [string, string]>>();
      for (const type of this.#catalogue.types()) {
        for (const { field, target: to, reverse } of outlineOf(type).references) {
          const known = found.get(to) ?? new Map<string, readonly [string, string]>();
          found.set(to, known.set(reverse, [type.name, field]));
        }
      }
      this.#reverse = found;
    }
    return this.#reverse.get(target) ?? new Map<string, readonly [string, string]>();
  }

  *typeNames(): Generator<string> {
    for (const { schema } of this.since())
      for (const [, name] of typeNamesOf(this.#outline(schema))) yield name;
    for (const type of this.#catalogue.types()) yield* outlineOf(type).enums;
  }

  *fieldNames(holder: string): Generator<string> {
    if (!ROOT_HOLDERS.has(holder)) {
      const target = this.typeNamed(holder);
      if (target?.role === 'ReferencedBy') yield* this.#reverseOf(target.type.schema).keys();
      return;
    }
    for (const { schema } of this.since())
      for (const [role, name] of rootNamesOf(this.#outline(schema))) if (HOLDERS[role] === holder) yield name;
  }

  /** The parts of names: a list of all names needs nothing else. */
  #outline(schema: string): Outlined {
    const type = this.#catalogue.get(schema);
    return type
      ? { ...outlineOf(type), isRegistered: true }
      : { name: typeNameOf(schema), isRegistered: false, hasFields: false, hasMeasures: false };
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
