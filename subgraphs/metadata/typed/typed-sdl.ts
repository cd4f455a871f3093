// The typed part of the graph as SDL.
import type { FieldDefinition } from '../schemas/field.ts';
import type { TypedField, TypedType } from './typed-types.ts';

/** A GraphQL string is written as JSON writes one. */
const described = (text: string): string => `${JSON.stringify(text)} `;

function valueType({ definition, target }: TypedField): string {
  switch (definition.type) {
    case 'string': case 'date': case 'datetime': case 'enum': case 'uri': return 'String';
    case 'int': return 'SafeInt';
    case 'float': return 'Float';
    case 'bool': return 'Boolean';
    case 'json': return 'JSON';
    case 'ref': return target?.name ?? 'Entity';
    default: return definition.type satisfies never;
  }
}

/** The input of conditions on a field; null where there are none to be put. */
function whereType({ type, many }: FieldDefinition): string | null {
  switch (type) {
    case 'string': case 'date': case 'datetime': case 'enum': case 'uri': case 'ref': return many ? 'TextListWhere' : 'TextWhere';
    case 'int': case 'float': return many ? 'NumberListWhere' : 'NumberWhere';
    case 'bool': return many ? null : 'BooleanWhere';
    case 'json': return null;
    default: return type satisfies never;
  }
}

function fieldDescription({ name, definition }: TypedField): string {
  const { description, type, values, references } = definition;
  const said = [
    description ?? '', name === definition.name ? '' : `The field ${JSON.stringify(definition.name)}.`,
    type === 'enum' ? `One of ${values.join(', ')}.` : '', type === 'ref' ? `The ${references ?? ''} it refers to; null where the caller can see none.` : '', type === 'date' || type === 'datetime' ? `A ${type}.` : '',
  ].filter((part) => part !== '').join(' ');
  return said === '' ? '' : described(said);
}

function typeSdl(type: TypedType): string {
  const { name } = type;
  const fields = type.fields.map((field) => `  ${fieldDescription(field)}${field.name}: ${field.definition.many ? `[${valueType(field)}]` : valueType(field)}`);
  const conditions = type.fields.flatMap((field) => { const where = whereType(field.definition); return where === null ? [] : [`  ${field.name}: ${where}`]; });
  return `${described(type.description)}type ${name} {
  id: ID!
  "The same as a generic entity: times, version, history, relationships, and what other components know of it: runs, artifacts."
  entity: Entity!
${fields.join('\n')}
}
"Conditions on entities: all that are given have to hold."
input ${name}Where {
  and: [${name}Where!]
  or: [${name}Where!]
  not: ${name}Where
  id: TextWhere
${conditions.join('\n')}
}
type ${name}Connection {
  edges: [${name}Edge!]!
  nodes: [${name}!]!
  pageInfo: PageInfo!
  "How many there are in all, whatever the page."
  totalCount: Int!
}
type ${name}Edge {
  cursor: String!
  node: ${name}!
}
extend type Typed {
  ${described(`One ${type.schema} by its id, subtypes included.`)}${type.one}(id: ID!, asOf: DateTime): ${name}
  ${described(`Entities of type ${type.schema} and its subtypes, in order of creation or as \`orderBy\` says: the \`first\` after a cursor, or the \`last\` before one, 1000 at most, 100 where neither is given.`)}${type.list}(where: ${name}Where, filter: String, orderBy: String, first: Int, after: String, last: Int, before: String, includeUnavailable: Boolean = false, asOf: DateTime): ${name}Connection!
}`;
}

/** @param base the part that does not depend on schemas */
export const typedSdl = (base: string, types: readonly TypedType[]): string => [base, ...types.map(typeSdl)].join('\n');
