// The typed part of the graph as SDL: a type or a field of it at a time, because there may be thousands.
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import {
  type FieldRole,
  fieldNamesOf,
  type TypedField,
  type TypedType,
  type TypeRole,
  typeNamesOf,
} from './typed-types.ts';

/** GraphQL strings have JSON's syntax. */
const described = (text: string): string => `${JSON.stringify(text)} `;

function valueType({ definition, target }: TypedField): string {
  switch (definition.type) {
    case 'string':
    case 'date':
    case 'datetime':
    case 'enum':
    case 'uri':
      return 'String';
    case 'int':
      return 'SafeInt';
    case 'float':
      return 'Float';
    case 'bool':
      return 'Boolean';
    case 'json':
      return 'JSON';
    case 'ref':
      return target?.name ?? 'Entity'; // A reference has a target by its definition.
    default:
      return definition.type satisfies never;
  }
}

/** The input type of conditions on a field; null if it has none. */
function whereType({ type, many }: FieldDefinition): string | null {
  switch (type) {
    case 'string':
    case 'date':
    case 'datetime':
    case 'enum':
    case 'uri':
    case 'ref':
      return many ? 'TextListWhere' : 'TextWhere';
    case 'int':
    case 'float':
      return many ? 'NumberListWhere' : 'NumberWhere';
    case 'bool':
      return many ? null : 'BooleanWhere';
    case 'json':
      return null;
    default:
      return type satisfies never;
  }
}

function fieldDescription({ name, definition }: TypedField): string {
  const { description, type, values, references } = definition;
  const said = [
    description ?? '',
    name === definition.name ? '' : `The field ${JSON.stringify(definition.name)}.`,
    type === 'enum' ? `One of ${values.join(', ')}.` : '',
    type === 'ref'
      ? `The ${references ?? ''} to which the field refers; null if there is none that the caller may see.`
      : '',
    type === 'date' || type === 'datetime' ? `A ${type}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
  return said === '' ? '' : described(said);
}

function entitySdl({ name, description, fields }: TypedType): string {
  return `${described(description)}type ${name} {
  id: ID!
  "The same entity as a generic Entity, with times, version, history, relationships, runs and artifacts."
  entity: Entity!
${fields.map((field) => `  ${fieldDescription(field)}${field.name}: ${field.definition.many ? `[${valueType(field)}]` : valueType(field)}`).join('\n')}
}`;
}

function conditionsSdl({ name, fields }: TypedType): string {
  const conditions = fields.flatMap((field) => {
    const where = whereType(field.definition);
    return where === null ? [] : [`  ${field.name}: ${where}`];
  });
  return `"Conditions on entities. All given conditions must hold."
input ${name}Where {
  and: [${name}Where!]
  or: [${name}Where!]
  not: ${name}Where
  id: TextWhere
${conditions.join('\n')}
}`;
}

/** SDL of one of a schema's GraphQL types. */
export function typeSdl(type: TypedType, role: TypeRole): string {
  const { name } = type;
  switch (role) {
    case 'type':
      return entitySdl(type);
    case 'Where':
      return conditionsSdl(type);
    case 'Connection':
      return `type ${name}Connection {
  edges: [${name}Edge!]!
  nodes: [${name}!]!
  pageInfo: PageInfo!
  "The number of entities on all pages."
  totalCount: Int!
}`;
    case 'Edge':
      return `type ${name}Edge {
  cursor: String!
  node: ${name}!
}`;
    default:
      return role satisfies never;
  }
}

/** SDL of one of the fields of `typed` that return a schema's entities. */
export function rootFieldSdl({ name, schema }: TypedType, role: FieldRole, fieldName: string): string {
  return role === 'one'
    ? `${described(`Returns one ${schema} (or an entity of a subtype) by its id; null if there is none.`)}${fieldName}(id: ID!, asOf: DateTime): ${name}`
    : `${described(`Lists entities of type ${schema} and its subtypes, in order of creation or as \`orderBy\` says: the \`first\` after a cursor, or the \`last\` before one; at most 1000, by default 100.`)}${fieldName}(where: ${name}Where, filter: String, orderBy: String, first: Int, after: String, last: Int, before: String, includeUnavailable: Boolean = false, asOf: DateTime): ${name}Connection!`;
}

/** All types and fields of one schema, as in one SDL. */
export function schemaSdl(type: TypedType): string {
  const fields = fieldNamesOf(type).map(([role, name]) => `  ${rootFieldSdl(type, role, name)}`);
  return [
    ...typeNamesOf(type).map(([role]) => typeSdl(type, role)),
    ...(fields.length === 0 ? [] : [`extend type Typed {\n${fields.join('\n')}\n}`]),
  ].join('\n');
}
