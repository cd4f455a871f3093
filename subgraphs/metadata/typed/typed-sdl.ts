// The types of a schema as SDL: one of them at a time, because there may be thousands of schemas.
import type { FieldDefinition } from '../schema-model/field-definition.ts';
import { wordOf } from './typed-names.ts';
import type { TypeRole } from './typed-roles.ts';
import { isMeasurable, type TypedField, type TypedType } from './typed-types.ts';

/** GraphQL strings have JSON's syntax. */
export const described = (text: string): string => `${JSON.stringify(text)} `;

function valueType({ definition, target, words }: TypedField): string {
  switch (definition.type) {
    case 'string':
    case 'date':
    case 'datetime':
    case 'uri':
      return 'String';
    case 'enum':
      return words?.name ?? 'String';
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

/** The type in which a field is given: references are ids. */
function inputType({ definition: { type, many }, words }: TypedField): string {
  const one = ((): string => {
    switch (type) {
      case 'string':
      case 'date':
      case 'datetime':
      case 'uri':
        return 'String';
      case 'enum':
        return words?.name ?? 'String';
      case 'ref':
        return 'ID';
      case 'int':
        return 'SafeInt';
      case 'float':
        return 'Float';
      case 'bool':
        return 'Boolean';
      case 'json':
        return 'JSON';
      default:
        return type satisfies never;
    }
  })();
  return many ? `[${one}!]` : one;
}

/** What can be said of a field's single values. */
function measuresType({ type }: FieldDefinition): string {
  if (type === 'bool') return 'BooleanMeasures';
  return type === 'int' || type === 'float' ? 'NumberMeasures' : 'TextMeasures';
}

const measurable = ({ fields }: TypedType): readonly TypedField[] =>
  fields.filter(({ definition }) => isMeasurable(definition));

/** Those whose values facets count: of lists each. */
const countable = ({ fields }: TypedType): readonly TypedField[] =>
  fields.filter(({ definition }) => definition.type !== 'json');

/** What is said of a field besides its description. */
/** @param isSaid whether the words of an enum are said: where its type does not tell them */
function facts({ name, definition }: TypedField, isSaid: boolean): string[] {
  const { type, values } = definition;
  return [
    name === definition.name ? '' : `The field ${JSON.stringify(definition.name)}.`,
    type === 'enum' && isSaid ? `One of ${values.join(', ')}.` : '',
    type === 'date' || type === 'datetime' ? `A ${type}.` : '',
  ];
}

const sentences = (parts: readonly string[], otherwise: string): string =>
  described(parts.filter((part) => part !== '').join(' ') || otherwise);
const usually = ({ definition }: TypedField): string => `The field ${JSON.stringify(definition.name)}.`;

function fieldDescription(field: TypedField): string {
  const { description, type, references } = field.definition;
  const target =
    type === 'ref'
      ? [`The ${references ?? ''} to which the field refers; null if there is none that the caller may see.`]
      : [];
  return sentences([description ?? '', ...facts(field, field.words === null), ...target], usually(field));
}

function inputDescription(field: TypedField): string {
  const { description, type, references, default: usual } = field.definition;
  return sentences(
    [
      description ?? '',
      ...facts(field, field.words === null),
      type === 'ref' ? `The id of a ${references ?? ''}.` : '',
      usual === undefined || usual === null ? '' : `By default ${JSON.stringify(usual)}.`,
    ],
    usually(field),
  );
}

const block = (lines: readonly string[]): string => `{\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;

const entitySdl = ({ name, description, isRegistered, fields }: TypedType): string =>
  `${described(description)}type ${name} implements Node ${block([
    `${described('The id, unique over all types.')}id: ID!`,
    `${described('The same as a generic Entity, with times, version, history, relationships, runs and artifacts.')}entity: Entity!`,
    ...(isRegistered
      ? [`${described('What refers to it, by the field that does.')}referencedBy: ${name}ReferencedBy!`]
      : []),
    ...fields.map(
      (field) =>
        `${fieldDescription(field)}${field.name}: ${field.definition.many ? `[${valueType(field)}]` : valueType(field)}`,
    ),
  ])}`;

const conditionsSdl = ({ name, fields }: TypedType): string =>
  `${described('Conditions on entities. All given conditions must hold.')}input ${name}Where ${block([
    `${described('All of these hold.')}and: [${name}Where!]`,
    `${described('At least one of these holds.')}or: [${name}Where!]`,
    `${described('This does not hold.')}not: ${name}Where`,
    `${described('Conditions on the id.')}id: TextWhere`,
    ...fields.flatMap((field) => {
      const where = whereType(field.definition);
      return where === null
        ? []
        : [`${described(`On ${JSON.stringify(field.definition.name)}.`)}${field.name}: ${where}`];
    }),
  ])}`;

const isNeeded = ({ required, default: usual }: FieldDefinition): boolean =>
  required && (usual === undefined || usual === null);

const createSdl = ({ name, schema, fields }: TypedType): string =>
  `${described(`A new entity of type ${schema}.`)}input ${name}CreateInput ${block([
    `${described('The id; generated (UUIDv7) if omitted.')}id: ID`,
    ...fields.map(
      (field) =>
        `${inputDescription(field)}${field.name}: ${inputType(field)}${isNeeded(field.definition) ? '!' : ''}`,
    ),
  ])}`;

const updateSdl = ({ name, schema, fields }: TypedType): string =>
  `${described(`Changes of an entity of type ${schema}: fields that are not given stay as they are, null clears one.`)}input ${name}UpdateInput ${block(
    fields.map((field) => `${inputDescription(field)}${field.name}: ${inputType(field)}`),
  )}`;

const measuresSdl = (type: TypedType): string =>
  `${described('Fields of the entities of a group. What is selected is measured.')}type ${type.name}AggregateFields ${block(
    measurable(type).map(
      (field) =>
        `${described(`Of ${JSON.stringify(field.definition.name)}.`)}${field.name}: ${measuresType(field.definition)}!`,
    ),
  )}`;

/** SDL of the enum of a field's words: `@open`, since other processes may know of words that this one does not. */
export function enumSdl({ definition, words }: TypedField, { isOpen = true } = {}): string {
  if (words === null) throw new Error(`the field ${definition.name} has no enum`);
  return `${described(`The words of the field ${JSON.stringify(definition.name)}.`)}enum ${words.name}${isOpen ? ' @open' : ''} ${block(
    definition.values.map((word) => `${described(`The word ${word}.`)}${word}`),
  )}`;
}

/** SDL of one of a schema's GraphQL types. */
export function typeSdl(type: TypedType, role: TypeRole): string {
  const { name, schema } = type;
  switch (role) {
    case 'type':
      return entitySdl(type);
    case 'Where':
      return conditionsSdl(type);
    case 'CreateInput':
      return createSdl(type);
    case 'UpdateInput':
      return updateSdl(type);
    case 'Connection':
      return `${described(`A page of entities of type ${schema}.`)}type ${name}Connection ${block([
        `${described('The entities of the page, each with its cursor.')}edges: [${name}Edge!]!`,
        `${described('The entities of the page.')}nodes: [${name}!]!`,
        `${described('The position of the page in the whole list.')}pageInfo: PageInfo!`,
        `${described('The number of entities on all pages.')}totalCount: Int!`,
        `${described('How the list is read; alone it reads nothing. Null of lists that follow a reference back.')}explanation: FilterExplanation`,
      ])}`;
    case 'Edge':
      return `${described('An entity of a page.')}type ${name}Edge ${block([
        `${described('The value to send as `after` or `before` for the page after or before it.')}cursor: String!`,
        `${described('The entity.')}node: ${name}!`,
      ])}`;
    case 'ReferencedBy':
      return `${described(`What refers to an entity of type ${schema}: a list for each field of a schema that refers to ${schema}.`)}type ${name}ReferencedBy ${block(
        [`${described('The id of the entity to which they refer.')}id: ID!`],
      )}`;
    case 'FeedItem':
      return `${described(`A change of an entity of type ${schema}.`)}type ${name}FeedItem ${block([
        `${described('An opaque token: sent as `after`, the feed goes on after this change.')}token: String!`,
        `${described('The event that was written.')}event: ProvenanceEvent!`,
        `${described('The entity as this change left it; null if the caller may not see it in that state.')}node: ${name}`,
      ])}`;
    case 'Aggregate':
      return `${described('Groups of entities: those with most entities first, then in the order of their keys.')}type ${name}Aggregate ${block(
        [
          `${described('The groups of the page.')}groups: [${name}AggregateGroup!]!`,
          `${described('How many groups there are in all, whatever the page.')}totalCount: Int!`,
          `${described('How the groups are computed; alone it computes nothing.')}explanation: FilterExplanation!`,
        ],
      )}`;
    case 'AggregateGroup':
      return `${described('Entities that have the same values of the fields that they are grouped by.')}type ${name}AggregateGroup ${block(
        [
          `${described('How many there are.')}count: Int!`,
          `${described('The values that they share, and what is measured of them, by field.')}fields: ${name}AggregateFields!`,
        ],
      )}`;
    case 'AggregateFields':
      return measuresSdl(type);
    case 'AggregateKey':
      return `${described('What to group by: a field, its values as they are or in intervals.')}input ${name}AggregateKey ${block(
        [
          `${described('The field.')}field: ${name}AggregateField!`,
          `${described('Of dates and times: the period that its values are put together in.')}period: BucketPeriod`,
          `${described('Of numbers: the width of the intervals that its values are put together in; each begins at a multiple of it.')}width: Float`,
        ],
      )}`;
    case 'AggregateField':
      return `${described(`The fields of ${schema} whose values can be counted; those that have several can not be grouped by.`)}enum ${name}AggregateField ${block(
        countable(type).map(
          (field) =>
            `${sentences([field.definition.description ?? '', ...facts(field, true)], usually(field))}${wordOf(field.name)}`,
        ),
      )}`;
    default:
      return role satisfies never;
  }
}
