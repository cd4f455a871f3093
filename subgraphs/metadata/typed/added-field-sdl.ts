// The fields that a schema adds to `Typed`, to its siblings for writing and following, and to what its own
// fields refer to: as SDL, one at a time.
import { described } from './typed-sdl.ts';
import type { AddedField } from './typed-types.ts';

/** Every schema has them: what they say is short, since clients read all of the schema at once. */
const ARGUMENT = {
  id: '"The id." id: ID!',
  asOf: '"As of this time." asOf: DateTime',
  filter: '"CEL, as of `entities`." filter: String',
  orderBy: '"As of `entities`." orderBy: String',
  first: '"At most 1000; 100." first: Int "Begin after it." after: String',
  last: '"At most 1000." last: Int "End before it." before: String',
  includeUnavailable: '"Also unavailable ones." includeUnavailable: Boolean = false',
  context: '"The provenance context." context: ProvenanceContext',
  ifVersion:
    '"Only at this version." ifVersion: Int "Only at one of these; overrides `ifVersion`." ifVersionIn: [Int!]',
} as const;
const where = (name: string): string => `"Conditions on fields." where: ${name}Where`;
const scope = (name: string): string =>
  [where(name), ARGUMENT.filter, ARGUMENT.includeUnavailable, ARGUMENT.asOf].join(' ');
const page = (name: string): string =>
  [
    where(name),
    ARGUMENT.filter,
    ARGUMENT.orderBy,
    ARGUMENT.first,
    ARGUMENT.last,
    ARGUMENT.includeUnavailable,
  ].join(' ');

interface Field {
  readonly description: string;
  readonly args: string;
  readonly answer: string;
  /** Directives of cost, where the field's size and arguments do not tell it. */
  readonly costs?: string;
}

const groups = (field: string): string =>
  ` @cost(weight: 20) @listSize(slicingArguments: ["limit"], sizedFields: ["${field}"], requireOneSlicingArgument: false)`;

function fieldOf(added: AddedField): Field {
  const { role, type } = added;
  const { name, schema } = type;
  switch (role) {
    case 'one':
      return {
        description: `One ${schema}, or of a subtype, by its id; null if there is none.`,
        args: `${ARGUMENT.id} ${ARGUMENT.asOf}`,
        answer: name,
      };
    case 'list':
      return {
        description: `Entities of type ${schema} and its subtypes, in order of creation or as \`orderBy\` says: the \`first\` after a cursor, or the \`last\` before one.`,
        args: `${page(name)} ${ARGUMENT.asOf}`,
        answer: `${name}Connection!`,
      };
    case 'aggregate':
      return {
        description: `Entities of type ${schema} and its subtypes, counted and measured in groups.`,
        args: `${scope(name)} "At most 8; none: all are one group." groupBy: [${name}AggregateKey!]! = [] "CEL, as of \`aggregate\`." having: String "Groups, at most 1000." limit: Int = 100 "Groups to skip." offset: Int = 0`,
        answer: `${name}Aggregate!`,
        costs: groups('groups'),
      };
    case 'facets':
      return {
        description: `The most frequent values of several fields at once.`,
        args: `${scope(name)} "At most 20." of: [${name}AggregateField!]! "Values of each, at most 1000." limit: Int = 10`,
        answer: '[Facet!]!',
        costs: ' @cost(weight: 20) @listSize(assumedSize: 20)',
      };
    case 'create':
      return {
        description: `Creates a ${schema}; null if it is refused, as where the id is taken.`,
        args: `"The new entity." input: ${name}CreateInput! ${ARGUMENT.context}`,
        answer: name,
      };
    case 'upsert':
      return {
        description: `Creates a ${schema}, or merges the given fields into it; null if it is refused.`,
        args: `"The entity." input: ${name}CreateInput! ${ARGUMENT.context}`,
        answer: name,
      };
    case 'update':
      return {
        description: `Changes the given fields of a ${schema}; null if it is refused.`,
        args: `${ARGUMENT.id} "The fields to change." set: ${name}UpdateInput! ${ARGUMENT.ifVersion} ${ARGUMENT.context}`,
        answer: name,
      };
    case 'delete':
      return {
        description: `Makes a ${schema} unavailable: data and history are kept. Null if it is refused.`,
        args: `${ARGUMENT.id} ${ARGUMENT.ifVersion} "The reason, recorded with the event." reason: String ${ARGUMENT.context}`,
        answer: name,
      };
    case 'changed':
      return {
        description: `Changes of type ${schema} and its subtypes, as they are written.`,
        args: '"Types of events." types: [String!] "CEL, as of `provenanceEvents`." filter: String "As of `provenanceEvents`." after: String',
        answer: `${name}FeedItem`,
      };
    case 'reverse':
      return {
        description: `Entities of type ${schema} whose ${JSON.stringify(added.field.definition.name)} refers to this one, as of its time.`,
        args: page(name),
        answer: `${name}Connection!`,
        costs:
          ' @cost(weight: 2) @listSize(slicingArguments: ["first", "last"], sizedFields: ["nodes", "edges"], requireOneSlicingArgument: false)',
      };
    default:
      return role satisfies never;
  }
}

/** SDL of the field under the name. */
export function addedFieldSdl(added: AddedField, name: string, { costs = true } = {}): string {
  const { description, args, answer, costs: said = '' } = fieldOf(added);
  return `${described(description)}${name}(${args}): ${answer}${costs ? said : ''}`;
}
