// GraphQL names of schemas and their fields: the same names if valid, else derived from them independently of
// other schemas.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../platform/project-root.ts';
import { GRAPHQL_NAME, LITERAL_NAMES } from '../schema-model/enum-names.ts';

/**
 * Types that the graph already has, in any component: the list is frozen with the graph
 * (test/contract.test.ts). A schema with such a name only gets another name here.
 */
const RESERVED_TYPES: ReadonlySet<string> = new Set([
  ...readFileSync(path.join(projectRoot, 'subgraphs/metadata/typed/reserved-types.txt'), 'utf8').split(/\s+/),
  'Omitted', // it would become the field `omitted` of `typed`
]);

/**
 * Suffixes of a schema's types: a schema whose own name ends like this could be mistaken for a type of
 * another.
 */
const DERIVED =
  /(?:Connection|Edge|Where|List|CreateInput|UpdateInput|FeedItem|ReferencedBy|Aggregate|AggregateGroup|AggregateFields?|AggregateKey|Facets|Enum)$/;
/** Fields of every typed entity beside its data fields, and conditions beside those on data fields. */
const RESERVED_FIELDS: ReadonlySet<string> = new Set(['id', 'entity', 'referencedBy', 'and', 'or', 'not']);

/** The name with invalid characters replaced, and a hash of what it stands for, so that it stays unique. */
const marked = (name: string, of = name): string =>
  `${name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d)|^_+/, 'x_')}_${createHash('sha256').update(of).digest('hex').slice(0, 8)}`;

/**
 * First characters with which a name looks like a type's: the field `sample` belongs to type `Sample`, so a
 * schema named `sample` must get another name.
 */
export function typeNameOf(schema: string): string {
  const isPlain =
    GRAPHQL_NAME.test(schema) &&
    /^[A-Z]/.test(schema) &&
    !RESERVED_TYPES.has(schema) &&
    !DERIVED.test(schema);
  return isPlain ? schema : marked(schema);
}

export const fieldNameOf = (field: string): string =>
  GRAPHQL_NAME.test(field) && !RESERVED_FIELDS.has(field) ? field : marked(field);

/** `Sample` → `sample`, the field of `typed` that returns one entity; `sampleList` returns many. */
export const oneNameOf = (typeName: string): string => typeName.charAt(0).toLowerCase() + typeName.slice(1);

/**
 * `Sample`, `donor` → `sampleByDonor`: the samples that refer to a donor by that field. Marked where the two
 * names cannot be told apart in it.
 */
export function reverseNameOf(typeName: string, fieldName: string): string {
  const name = `${oneNameOf(typeName)}By${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}`;
  const isPlain = /^[a-z]/.test(fieldName) && [...name.matchAll(/By(?=[A-Z])/g)].length === 1;
  return isPlain ? name : marked(name, `${typeName}.${fieldName}`);
}

/**
 * `Sample`, `state` → `SampleStateEnum`; `Sample`, `cellState` → `Sample__cellStateEnum`, since `SampleCell` may
 * have a field `state`. Marked where neither tells the two names apart.
 */
export function enumNameOf(typeName: string, fieldName: string): string {
  const isPlain = !typeName.includes('__') && !typeName.endsWith('_') && !fieldName.includes('__');
  const capital = fieldName.charAt(0).toUpperCase() + fieldName.slice(1);
  if (isPlain && /^[a-z][a-z0-9_]*$/.test(fieldName)) return `${typeName}${capital}Enum`;
  if (isPlain && !fieldName.startsWith('_')) return `${typeName}__${fieldName}Enum`;
  return `${marked(`${typeName}${capital}`, `${typeName}.${fieldName}`)}Enum`;
}

/** A field as a word of an enum, which some names of fields cannot be. */
export const wordOf = (fieldName: string): string =>
  LITERAL_NAMES.has(fieldName) ? marked(fieldName) : fieldName;
