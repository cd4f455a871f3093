// The typed part of the graph, derived from schemas: names never collide, and its size stays within the
// limits of clients' tools.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildASTSchema,
  extendSchema,
  type GraphQLSchema,
  introspectionFromSchema,
  Kind,
  lexicographicSortSchema,
  parse,
  printSchema,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { readDefinition } from '../../subgraphs/metadata/schema-model/definition.ts';
import { SchemaCatalogue } from '../../subgraphs/metadata/schema-model/schema-catalogue.ts';
import { fieldNameOf, typeNameOf } from '../../subgraphs/metadata/typed/typed-names.ts';
import { TypedSchema } from '../../subgraphs/metadata/typed/typed-api.ts';
import { lazySchema } from '../../platform/lazy-schema.ts';
import { compileCost } from '../../router/execution/static-cost.ts';

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
const BASE = read('subgraphs/metadata/typed/typed-extension.graphql');
const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);
/** The graph without its typed part. */
const GRAPH = (() => {
  const typed = new Set(
    parse(BASE)
      .definitions.flatMap((d) => ('name' in d && d.name ? [d.name.value] : []))
      .filter((name) => !ROOTS.has(name)),
  );
  const { definitions } = parse(read('test/contract/api.graphql'));
  return buildASTSchema({
    kind: Kind.DOCUMENT,
    definitions: definitions
      .filter((d) => !('name' in d && d.name && typed.has(d.name.value)))
      .map((d) =>
        d.kind === Kind.OBJECT_TYPE_DEFINITION && ROOTS.has(d.name.value)
          ? { ...d, fields: d.fields?.filter((field) => field.name.value !== 'typed') ?? [] }
          : d,
      ),
  });
})();
const catalogue = (schemas: readonly { name: string; fields?: object[]; parent?: string }[]) =>
  new SchemaCatalogue(
    1,
    schemas.map((schema) => ({
      revision: 1,
      definition: readDefinition({ version: '1', fields: [], ...schema }),
    })),
  );

test('a schema that is called as a type of the graph has a type of another name', () => {
  const taken = parse(read('test/contract/api.graphql')).definitions.flatMap((d) =>
    'name' in d && d.name && d.kind !== Kind.DIRECTIVE_DEFINITION ? [d.name.value] : [],
  );
  expect(taken.length).toBeGreaterThan(50);
  for (const name of [...taken, 'String', 'ID', 'Omitted']) expect(typeNameOf(name)).toMatch(/_[\da-f]{8}$/);
});

test('no two schemas and no two fields become one, and no other schema changes a name', () => {
  const schemas = [
    'Sample',
    'sample',
    'Sample.v2',
    'Sample-v2',
    'Sample_v2',
    'Sample.V2',
    'SampleList',
    'SampleEdge',
    '_',
    '__a',
    '_a',
    'A',
    'a',
  ];
  expect(new Set(schemas.map(typeNameOf)).size).toBe(schemas.length);
  for (const name of schemas.map(typeNameOf)) expect(name).toMatch(/^(?!__)[A-Za-z_]\w*$/);
  const fields = [
    'a',
    'a b',
    'a-b',
    'a_b',
    'ä',
    'ö',
    '1',
    '__typename',
    'id',
    'entity',
    'and',
    '-',
    '𝄞',
    '"',
    ' ',
  ];
  expect(new Set(fields.map(fieldNameOf)).size).toBe(fields.length);
  for (const name of fields.map(fieldNameOf)) expect(name).toMatch(/^(?!__)[A-Za-z_]\w*$/);
});

/** The graph with the part that does not depend on schemas. */
const WITH_BASE = extendSchema(GRAPH, parse(BASE));
const typedOf = (schemas: readonly { name: string; fields?: object[]; parent?: string }[]): TypedSchema =>
  new TypedSchema(catalogue(schemas), BASE);
const faultsOf = (schema: GraphQLSchema, document: string): string[] =>
  validate(schema, parse(document)).map(({ message }) => message);

const ODD = ['x', 'y z', 'é', '__proto__', 'constructor', '"""', '\\'].map((name, i) => ({
  name,
  field_type: ['string', 'int', 'json', 'bool', 'float', 'date', 'datetime'][i % 7],
  many: i % 2 === 0,
  description: `A "quoted" \\ text\n${name}`,
}));
const ODDLY = [
  'Query',
  'Mutation',
  'String',
  'Sample',
  'sample',
  'SampleWhere',
  'Omitted',
  'Typed',
  'a.b',
  'a-b',
].map((name) => ({
  name,
  fields: [
    ...ODD,
    { name: 'to', field_type: 'ref', references: 'Nothing' },
    { name: 'all', field_type: 'ref', references: 'Sample', many: true },
  ],
}));

test('schemas with any names and fields compose with the graph', async () => {
  const schema = extendSchema(GRAPH, parse(await typedOf(ODDLY).whole()));
  expect(schema.getQueryType()?.getFields()['typed']).toBeDefined();
  expect(Object.keys(schema.getType('Typed')?.toConfig() ?? {})).toContain('fields');
});

test('types built on demand equal those built all at once', async () => {
  const typed = typedOf(ODDLY);
  const atOnce = extendSchema(GRAPH, parse(await typed.whole()));
  const lazy = lazySchema(WITH_BASE, typed);
  expect(Object.keys(lazy.getTypeMap()).sort()).toEqual(Object.keys(atOnce.getTypeMap()).sort());
  const text = (schema: GraphQLSchema): string => printSchema(lexicographicSortSchema(schema));
  expect(text(lazy)).toBe(text(atOnce));
  const all = (schema: GraphQLSchema): string =>
    JSON.stringify(introspectionFromSchema(lexicographicSortSchema(schema)));
  expect(all(lazySchema(WITH_BASE, typed))).toBe(all(atOnce));
});

test('an unknown name is refused with the nearest names', () => {
  const lazy = lazySchema(
    WITH_BASE,
    typedOf([{ name: 'Sample', fields: [{ name: 'age', field_type: 'int' }] }]),
  );
  expect(faultsOf(lazy, '{ typed { sampel(id: "a") { id } } }')).toEqual([
    expect.stringMatching(/^Cannot query field "sampel" on type "Typed". Did you mean "sample"/),
  ]);
  expect(faultsOf(lazy, '{ typed { sample(id: "a") { agee } } }')).toEqual([
    'Cannot query field "agee" on type "Sample". Did you mean "age"?',
  ]);
  expect(faultsOf(lazy, 'query($w: SampleWher) { typed { sampleList(where: $w) { totalCount } } }')).toEqual([
    expect.stringMatching(/^Unknown type "SampleWher". Did you mean "SampleWhere"/),
  ]);
  for (const name of ['constructor', 'toString', 'hasOwnProperty'])
    expect(faultsOf(lazy, `{ typed { ${name} } }`)).toEqual([
      `Cannot query field "${name}" on type "Typed".`,
    ]);
});

test('a reference to a type without a schema leads to one that the schema, when it comes, only adds to', () => {
  const referring = { name: 'Sample', fields: [{ name: 'to', field_type: 'ref', references: 'Later' }] };
  const ask = '{ typed { sample(id: "a") { to { __typename id entity { data } } } } }';
  const before = lazySchema(WITH_BASE, typedOf([referring]));
  expect(faultsOf(before, ask)).toEqual([]);
  expect(faultsOf(before, '{ typed { laterList { totalCount } } }')).toHaveLength(1);
  const after = lazySchema(
    WITH_BASE,
    typedOf([referring, { name: 'Later', fields: [{ name: 'a', field_type: 'int' }] }]),
  );
  expect([
    faultsOf(after, ask),
    faultsOf(after, '{ typed { sample(id: "a") { to { a } } laterList { totalCount } } }'),
  ]).toEqual([[], []]);
});

test('a schema whose type exists in the graph is left out, and nothing else is', () => {
  const taken = extendSchema(WITH_BASE, parse('type Sample { id: ID }'));
  const lazy = lazySchema(taken, typedOf([{ name: 'Sample' }, { name: 'Donor' }]));
  expect(faultsOf(lazy, '{ typed { sample(id: "a") { id } } }')).toHaveLength(1);
  expect(faultsOf(lazy, '{ typed { donor(id: "a") { id } } }')).toEqual([]);
});

test('thousands of schemas are all available, and an operation builds only the types it names', () => {
  const fields = Array.from({ length: 20 }, (_, i) => ({ name: `f${i}`, field_type: 'string' }));
  const many = catalogue(
    Array.from({ length: 3000 }, (_, i) => ({ name: `T${String(i).padStart(4, '0')}`, fields })),
  );
  const next = many.with(readDefinition({ name: 'A0', version: '1', fields: [] }));
  new TypedSchema(many, BASE).typed.typeNames(); // names are computed once per schema
  const asked: string[] = [];
  const started = performance.now();
  const typed = new TypedSchema(next, BASE);
  const lazy = lazySchema(WITH_BASE, {
    holds: (name) => typed.holds(name),
    type: (name) => {
      asked.push(name);
      return typed.type(name);
    },
    field: (holder, name) => typed.field(holder, name),
    types: () => typed.types(),
    fields: (holder) => typed.fields(holder),
  });
  expect(
    faultsOf(
      lazy,
      '{ typed { t0000(id: "a") { f1 } t2999List(where: {f0: {eq: "x"}}) { nodes { f19 } } a0(id: "b") { id } } }',
    ),
  ).toEqual([]);
  const took = performance.now() - started;
  console.log(`an operation after a change over 3000 schemas: ${Math.round(took)} ms`);
  expect(
    new Set(asked.map((name) => name.replace(/(?:Where|Connection|Edge|ReferencedBy|Input)$/, ''))),
  ).toEqual(new Set(['T0000', 'T2999', 'A0']));
  expect(Object.keys(lazy.getTypeMap())).toHaveLength(
    Object.keys(WITH_BASE.getTypeMap()).length + 13 * 3000 + 7,
  );
});

test('what refers to many entities is costed by both pages, and what is measured by its weight', () => {
  const lazy = lazySchema(
    WITH_BASE,
    typedOf([
      { name: 'Donor', fields: [{ name: 'label', field_type: 'string' }] },
      { name: 'Sample', fields: [{ name: 'donor', field_type: 'ref', references: 'Donor' }] },
    ]),
  );
  const costOf = (source: string): number => {
    const document = parse(source);
    const [operation] = document.definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
    return compileCost(lazy, [], document, operation)({});
  };
  const back = (first: string): number =>
    costOf(
      `{ typed { donorList(first: 50) { nodes { referencedBy { sampleByDonor${first} { nodes { id } } } } } } }`,
    );
  const one = back('(first: 1)');
  expect(back('(first: 41)') - one).toBe(50 * 40);
  expect(back('') - one).toBe(50 * 99);
  const measured = costOf('{ typed { sampleAggregate(limit: 7) { groups { count } } } }');
  expect(measured).toBeGreaterThanOrEqual(20 + 7);
  expect(costOf('{ node(id: "a") { id ... on Sample { donor { id } } } }')).toBeLessThan(10);
});
