// The typed part of the graph, made of schemas alone: names that never clash, and no more of it than clients' tools can take.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildASTSchema, extendSchema, Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { readDefinition } from '../../subgraphs/metadata/schemas/definition.ts';
import { SchemaCatalogue } from '../../subgraphs/metadata/schemas/schema-catalogue.ts';
import { fieldNameOf, typeNameOf } from '../../subgraphs/metadata/typed/typed-names.ts';
import { typedSdl } from '../../subgraphs/metadata/typed/typed-sdl.ts';
import { MOST_FIELDS, MOST_TYPES, typedTypes } from '../../subgraphs/metadata/typed/typed-types.ts';

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
const BASE = read('subgraphs/metadata/typed/typed-extension.graphql');
/** The graph without its typed part. */
const GRAPH = (() => {
  const typed = new Set(parse(BASE).definitions.flatMap((d) => ('name' in d && d.name ? [d.name.value] : [])).filter((name) => name !== 'Query'));
  const { definitions } = parse(read('test/contract/api.graphql'));
  return buildASTSchema({
    kind: Kind.DOCUMENT,
    definitions: definitions.filter((d) => !('name' in d && d.name && typed.has(d.name.value)))
      .map((d) => (d.kind === Kind.OBJECT_TYPE_DEFINITION && d.name.value === 'Query' ? { ...d, fields: d.fields?.filter((field) => field.name.value !== 'typed') ?? [] } : d)),
  });
})();
const catalogue = (schemas: readonly { name: string; fields?: object[]; parent?: string }[]) =>
  new SchemaCatalogue(1, schemas.map((schema) => ({ revision: 1, definition: readDefinition({ version: '1', fields: [], ...schema }) })));

test('a schema that is called as a type of the graph has a type of another name', () => {
  const taken = parse(read('test/contract/api.graphql')).definitions.flatMap((d) => ('name' in d && d.name && d.kind !== Kind.DIRECTIVE_DEFINITION ? [d.name.value] : []));
  expect(taken.length).toBeGreaterThan(50);
  for (const name of [...taken, 'String', 'ID', 'Omitted']) expect(typeNameOf(name)).toMatch(/_[\da-f]{8}$/);
});

test('no two schemas and no two fields become one, and no other schema changes a name', () => {
  const schemas = ['Sample', 'sample', 'Sample.v2', 'Sample-v2', 'Sample_v2', 'Sample.V2', 'SampleList', 'SampleEdge', '_', '__a', '_a', 'A', 'a'];
  expect(new Set(schemas.map(typeNameOf)).size).toBe(schemas.length);
  for (const name of schemas.map(typeNameOf)) expect(name).toMatch(/^(?!__)[A-Za-z_]\w*$/);
  const fields = ['a', 'a b', 'a-b', 'a_b', 'ä', 'ö', '1', '__typename', 'id', 'entity', 'and', '-', '𝄞', '"', ' '];
  expect(new Set(fields.map(fieldNameOf)).size).toBe(fields.length);
  for (const name of fields.map(fieldNameOf)) expect(name).toMatch(/^(?!__)[A-Za-z_]\w*$/);
});

test('whatever the schemas are called and hold, the graph takes them', () => {
  const fields = ['x', 'y z', 'é', '__proto__', 'constructor', '"""', '\\'].map((name, i) => ({ name, field_type: ['string', 'int', 'json', 'bool', 'float', 'date', 'datetime'][i % 7], many: i % 2 === 0, description: `A "quoted" \\ text\n${name}` }));
  const made = typedTypes(catalogue(['Query', 'Mutation', 'String', 'Sample', 'sample', 'SampleWhere', 'Omitted', 'Typed', 'a.b', 'a-b'].map((name) => ({ name, fields: [...fields, { name: 'to', field_type: 'ref', references: 'Nothing' }, { name: 'all', field_type: 'ref', references: 'Sample', many: true }] }))));
  const schema = extendSchema(GRAPH, parse(typedSdl(BASE, made.types)));
  expect(schema.getQueryType()?.getFields()['typed']).toBeDefined();
  expect(Object.keys(schema.getType('Typed')?.toConfig() ?? {})).toContain('fields');
});

test('thousands of schemas, or of fields, stop nothing: those without a type are named', () => {
  const many = typedTypes(catalogue(Array.from({ length: 3000 }, (_, i) => ({ name: `T${String(i).padStart(4, '0')}`, fields: [{ name: 'a', field_type: 'string' }] }))));
  expect([many.types.length, many.omitted.length, many.omitted[0]]).toEqual([MOST_TYPES, 3000 - MOST_TYPES, `T${String(MOST_TYPES).padStart(4, '0')}`]);
  const wide = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `f${i}`, field_type: 'int' }));
  const large = typedTypes(catalogue([{ name: 'Small', fields: wide(10) }, { name: 'Large', fields: wide(MOST_FIELDS) }, { name: 'Other', fields: wide(10) }]));
  expect([large.types.map((type) => type.schema), large.omitted]).toEqual([['Large'], ['Other', 'Small']]);
  const started = performance.now();
  const sdl = typedSdl(BASE, many.types);
  const schema = extendSchema(GRAPH, parse(sdl));
  console.log(`${many.types.length} types: ${sdl.length} characters, ${Math.round(performance.now() - started)} ms`);
  expect(Object.keys(schema.getTypeMap()).length).toBeGreaterThan(MOST_TYPES * 4);
});
