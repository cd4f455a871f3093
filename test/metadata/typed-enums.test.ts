// Enums of typed GraphQL: which fields have one, what it is called, and what it takes
// (docs/reference/metadata.md#typed-enums).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import {
  buildSchema,
  extendSchema,
  type GraphQLSchema,
  isEnumType,
  parse,
  printSchema,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { documentRules } from '../../platform/document-rules.ts';
import { lazySchema } from '../../platform/lazy-schema.ts';
import { projectRoot } from '../../platform/project-root.ts';
import { readDefinition } from '../../subgraphs/metadata/schema-model/definition.ts';
import { SchemaCatalogue } from '../../subgraphs/metadata/schema-model/schema-catalogue.ts';
import { evolutionOf } from '../../subgraphs/metadata/schemas/evolution.ts';
import { TypedSchema } from '../../subgraphs/metadata/typed/typed-api.ts';
import { enumNameOf, typeNameOf } from '../../subgraphs/metadata/typed/typed-names.ts';

const BASE = readFileSync(path.join(projectRoot, 'subgraphs/metadata/typed/typed-extension.graphql'), 'utf8');
const GROUND = buildSchema(`
  type Query { node(id: ID!): Node } type Mutation { none: Int } type Subscription { none: Int }
  interface Node { id: ID! } type Entity implements Node { id: ID! } type ProvenanceEvent { id: ID! }
  type FilterExplanation { text: String } type Facet { field: String } enum BucketPeriod { DAY }
  scalar JSON scalar DateTime scalar ProvenanceContext
  directive @cost(weight: Int) on FIELD_DEFINITION
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean) on FIELD_DEFINITION
`);
const enumField = (name: string, ...values: readonly string[]) => ({ name, field_type: 'enum', values });
const definition = (name: string, fields: readonly object[], parent: string | null = null) =>
  readDefinition({ name, version: '1', fields, ...(parent === null ? {} : { parent }) });
const SCHEMAS = [
  definition('Tissue', [
    { ...enumField('state', 'fresh', 'dried'), required: true },
    { ...enumField('tags', 'big', 'old'), many: true },
    enumField('odd', 'fresh', 'n/a'),
    enumField('answer', 'true', 'false'),
    enumField('hidden', '__x', 'y'),
    enumField('cellType', 'T', 'B'),
    enumField('Sex', 'm', 'f'),
  ]),
  definition('Slice', [enumField('side', 'left', 'right')], 'Tissue'),
  definition('Block', [enumField('state', 'whole', 'cut')]),
];
const typed = new TypedSchema(
  new SchemaCatalogue(
    1,
    SCHEMAS.map((one) => ({ revision: 1, definition: one })),
  ),
  BASE,
);
const schema = lazySchema(extendSchema(GROUND, parse(BASE), { assumeValidSDL: true }), typed);
const faults = (document: string): string[] =>
  validate(schema, parse(document), documentRules).map(({ message }) => message);
const fieldsOf = (type: string, of: GraphQLSchema = schema): Record<string, string> => {
  const found = of.getType(type);
  const fields = found && 'getFields' in found ? found.getFields() : {};
  return Object.fromEntries(Object.keys(fields).map((name) => [name, String(fields[name]?.type)]));
};

test('a field whose words are all names is an enum where it is written and read, any other a text', () => {
  const enums = { state: 'TissueStateEnum', cellType: 'Tissue__cellTypeEnum', Sex: 'Tissue__SexEnum' };
  const texts = { odd: 'String', answer: 'String', hidden: 'String' };
  expect(fieldsOf('Tissue')).toMatchObject({ ...enums, ...texts, tags: '[TissueTagsEnum]' });
  expect(fieldsOf('TissueUpdateInput')).toMatchObject({ ...enums, ...texts, tags: '[TissueTagsEnum!]' });
  expect(fieldsOf('TissueCreateInput')).toMatchObject({ ...enums, ...texts, state: 'TissueStateEnum!' });
  expect(fieldsOf('TissueWhere')).toMatchObject({ state: 'TextWhere', tags: 'TextListWhere' });
  const words = schema.getType('TissueStateEnum');
  expect(isEnumType(words) && words.getValues().map(({ name }) => name)).toEqual(['fresh', 'dried']);
  for (const name of ['TissueOddEnum', 'SliceStateEnum', 'StateEnum', 'Enum'])
    expect(schema.getType(name)).toBeUndefined();
});

test('a subtype has the enum of the schema that declares the field', () => {
  expect(fieldsOf('Slice')).toMatchObject({ state: 'TissueStateEnum', side: 'SliceSideEnum' });
});

test('what is listed of all types and what followers are told has the enums once each', async () => {
  const names = [...typed.types()].filter((name) => name.endsWith('Enum')).sort();
  expect(names).toEqual([
    'BlockStateEnum',
    'SliceSideEnum',
    'TissueStateEnum',
    'TissueTagsEnum',
    'Tissue__SexEnum',
    'Tissue__cellTypeEnum',
  ]);
  const told = typed.changes(null).schemas.flatMap(({ types }) => types.map(({ name }) => name));
  expect(told.filter((name) => name.endsWith('Enum')).sort()).toEqual(names);
  const whole = extendSchema(GROUND, parse(await typed.whole()));
  expect(fieldsOf('Slice', whole)).toEqual(fieldsOf('Slice'));
});

test('names of enums are never those of another field or schema', () => {
  const types = ['A', 'Ab', 'A_', 'A__b', 'AB', 'A_b', 'AStateEnum'].map(typeNameOf);
  const fields = ['b', 'state', 'stateOf', 'State', '_state', '__s', 'b__state', 'bState', 'enum', 'b_state'];
  const names = types.flatMap((type) => fields.map((field) => enumNameOf(type, field)));
  expect(new Set([...names, ...types]).size).toBe(names.length + types.length);
});

test.each([
  'mutation ($s: TissueStateEnum!) { typed { createTissue(input: {state: $s}) { state } } }',
  'mutation ($s: String!) { typed { createTissue(input: {state: $s}) { state } } }',
  'mutation ($s: String = "dried") { typed { createTissue(input: {state: $s}) { state } } }',
  'mutation ($t: [String!]) { typed { updateTissue(id: "1", set: {state: fresh, tags: $t}) { state } } }',
  'mutation ($t: String!) { typed { updateTissue(id: "1", set: {state: "n/a", tags: [big, "old", $t]}) { id } } }',
  'mutation { typed { createTissue(input: {state: known_elsewhere}) { state } } }',
  'query ($s: String!) { typed { tissueList(where: {state: {ge: $s, startsWith: "f"}}) { nodes { state } } } }',
  '{ node(id: "1") { ... on Tissue { state } ... on Block { state } ... on Slice { state } } }',
])('%s is valid', (document) => {
  expect(faults(document)).toEqual([]);
});

test.each([
  [
    'mutation ($s: Int!) { typed { createTissue(input: {state: $s}) { state } } }',
    'Variable "$s" of type "Int!" used in position expecting type "TissueStateEnum!".',
  ],
  [
    'mutation ($s: String) { typed { createTissue(input: {state: $s}) { state } } }',
    'Variable "$s" of type "String" used in position expecting type "String!".',
  ],
  [
    'mutation { typed { createTissue(input: {state: 1}) { state } } }',
    'Enum "TissueStateEnum" cannot represent non-enum value: 1.',
  ],
  [
    '{ node(id: "1") { ... on Tissue { x: state } ... on Block { x: id } } }',
    'Fields "x" conflict because they return conflicting types "String" and "ID!". Use different aliases on the fields to fetch both if this was intentional.',
  ],
])('%s is refused', (document, message) => {
  expect(faults(document)).toEqual([message]);
});

test('of thousands of conflicts a hundred are told', () => {
  const twice = (i: number): string => `f${i}: node(id: "1") { id } f${i}: node(id: "2") { id }`;
  const found = faults(`{ ${Array.from({ length: 2000 }, (_, i) => twice(i)).join(' ')} }`);
  expect([found.length, found.at(-1)]).toEqual([
    101,
    'Too many validation errors, error limit reached. Validation aborted.',
  ]);
});

test('typed clients have unions of the words', async () => {
  const plain = buildSchema(printSchema(extendSchema(GROUND, parse(await typed.whole()))));
  const document = parse(
    'mutation New($input: TissueCreateInput!) { typed { createTissue(input: $input) { state tags odd } } }',
  );
  const text = await codegen({
    filename: 'client.ts',
    schema: parse(printSchema(plain)),
    schemaAst: plain,
    documents: [{ location: 'client.graphql', document }],
    config: { enumType: 'string-literal', enumsAsTypes: true, skipTypename: true, onlyOperationTypes: true },
    plugins: [{ operations: {} }],
    pluginMap: { operations },
  });
  expect(text.replaceAll(/\/\*\*.*?\*\/|\s+/g, '')).toContain("exporttypeTissueStateEnum=|'fresh'|'dried';");
  expect(text).toContain('state: TissueStateEnum;');
  expect(text).toMatch(/odd\?: (?:InputMaybe<)?string/);
});

test('a version that makes a text of an enum, or an enum of a text, says so', () => {
  const version = (...words: readonly string[]) => definition('Tissue', [enumField('state', ...words)]);
  expect(evolutionOf(version('a'), version('a', 'n/a')).changes).toContain(
    'field state: in typed GraphQL enum → String, since "n/a" is no name there',
  );
  expect(evolutionOf(version('a', 'true'), version('a')).changes).toContain(
    'field state: in typed GraphQL String → enum',
  );
  expect(evolutionOf(version('a'), version('a', 'b')).changes.join()).not.toContain('typed GraphQL');
});
