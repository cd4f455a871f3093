// How types follow schemas, and stand beside the rest of the graph.
import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { setUp, server, define, ingest, typed } from './typed-testkit.ts';

setUp();

test('roles and projects hold as everywhere', async () => {
  const viewer = await server.newKey({ role: 'viewer', project: 'beta' });
  const seen = await typed<{
    sampleList: { nodes: { id: string; donor: { id: string } | null }[]; totalCount: number };
  }>('sampleList { totalCount nodes { id donor { id } } }', {}, viewer);
  expect(seen.sampleList.totalCount).toBe(11);
  expect(seen.sampleList.nodes.map((node) => node.id)).not.toContain('s11');
  // a donor of another project
  expect(seen.sampleList.nodes.find((node) => node.id === 's02')?.donor).toBeNull();
  expect(await typed('sample(id: "s11") { id } donor(id: "d2") { id }', {}, viewer)).toEqual({
    sample: null,
    donor: null,
  });
  expect((await server.graphql('{ typed { omitted } }', {}, { key: null })).status).toBe(401);
});

test('typed reads accept as_of', async () => {
  const { body } = await server.graphql(
    'mutation { updateEntity(entityType: "Sample", id: "s00", data: {age: 90, donor: "d1"}) { createdAt } }',
  );
  const at = body.data.updateEntity.createdAt as string;
  expect(
    await typed(
      `then: sample(id: "s00", asOf: "${at}") { age donor { id } entity { version } } now: sample(id: "s00") { age donor { id } } sampleList(asOf: "${at}") { totalCount nodes { id age } }`,
    ),
  ).toEqual({
    then: { age: 20, donor: { id: 'd0' }, entity: { version: 1 } },
    now: { age: 90, donor: { id: 'd1' } },
    sampleList: { totalCount: 1, nodes: [{ id: 's00', age: 20 }] },
  });
});

test('types change with their schemas at once, and other operations are not prepared again', async () => {
  await expect(typed('reagent(id: "r") { id }')).rejects.toThrow(
    'INVALID_REQUEST: Cannot query field "reagent" on type "Typed"',
  );
  await define({ name: 'Reagent', fields: [{ name: 'lot', field_type: 'string' }] });
  await ingest('Reagent', 'r1', { lot: 'L1' });
  expect(await typed('reagent(id: "r1") { lot }')).toEqual({ reagent: { lot: 'L1' } });
  await define({
    name: 'Reagent',
    version: '2',
    fields: [
      { name: 'lot', field_type: 'string' },
      { name: 'grade', field_type: 'enum', values: ['a'] },
    ],
  });
  expect(await typed('reagent(id: "r1") { lot grade }')).toEqual({ reagent: { lot: 'L1', grade: null } });
  await define({
    name: 'Reagent',
    version: '3',
    fields: [
      { name: 'lot', field_type: 'string' },
      { name: 'grade', field_type: 'enum', values: ['a', 'b'], description: 'Two.' },
    ],
  });
  await ingest('Reagent', 'r1', { grade: 'b' });
  // the same document, with the current schema
  expect(await typed('reagent(id: "r1") { lot grade }')).toEqual({ reagent: { lot: 'L1', grade: 'b' } });
  await expect(typed('reagent(id: "r1") { colour }')).rejects.toThrow(
    'Cannot query field "colour" on type "Reagent"',
  );
});

test('introspection shows the types of schemas', async () => {
  const { body } = await server.graphql('{ __schema { queryType { fields { name } } types { name } } }');
  expect(body.data.__schema.queryType.fields.map((field: { name: string }) => field.name)).toEqual(
    expect.arrayContaining(['entity', 'typed', 'runs']),
  );
  expect(body.data.__schema.types.map((type: { name: string }) => type.name)).toEqual(
    expect.arrayContaining(['Sample', 'SampleWhere', 'SampleConnection', 'SampleEdge', 'Biopsy', 'Run']),
  );
  const get = await server.rest(
    'GET',
    `/graphql?query=${encodeURIComponent('{ typed { sample(id: "s01") { age } } }')}`,
  );
  expect(get.body.data).toEqual({ typed: { sample: { age: 21 } } });
});

test('a large introspection is compressed where the client takes that, and is of the schemas of now', async () => {
  const ask = (encoding: string, query = getIntrospectionQuery()) =>
    server.graphql(query, {}, { headers: { 'accept-encoding': encoding } });
  const [plain, zipped] = [await ask('identity'), await ask('gzip')];
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(plain.headers.get('content-encoding')).toBeNull();
  for (const { headers } of [plain, zipped]) expect(headers.get('vary')).toMatch(/accept-encoding/i);
  expect(zipped.body).toEqual(plain.body);
  const sizeOf = ({ headers }: typeof plain): number => Number(headers.get('content-length'));
  expect(sizeOf(plain) / sizeOf(zipped)).toBeGreaterThan(5);
  const small = await ask('gzip', '{ __schema { queryType { name } } }');
  expect(small.headers.get('content-encoding')).toBeNull();
  await define({ name: 'Instrument', version: '1', fields: [{ name: 'maker', field_type: 'string' }] });
  const names = (await ask('gzip')).body.data.__schema.types.map((type: { name: string }) => type.name);
  expect(names).toContain('InstrumentConnection');
});

test('typed fields combine with other root fields, and have the fields of other components below them', async () => {
  const { status, body } = await server.graphql(
    `query Mixed($first: Int, $id: ID!, $of: ID!) {
    __typename typed { sampleList(first: $first) { nodes { id entity { version runs { runId } artifacts { hash } } } } } ...Rest ... { hall: __type(name: "Sample") { name } } }
    fragment Rest on Query { entities(entityType: "Donor", limit: 1) { items { id runs { runId } } } runs(limit: 1) { total } one: typed { sample(id: $id) { age donor { entity { id producedBy { status } } } } } entity(id: $of) { data } }`,
    { first: 2, id: 's01', of: 'd1' },
  );
  expect(body.errors).toBeUndefined();
  expect(status).toBe(200);
  const node = (id: string): object => ({
    id,
    entity: { version: expect.any(Number), runs: [], artifacts: [] },
  });
  expect(body.data).toEqual({
    __typename: 'Query',
    typed: { sampleList: { nodes: [node('s00'), node('s01')] } },
    entities: { items: [{ id: 'd0', runs: [] }] },
    runs: { total: expect.any(Number) },
    one: { sample: { age: 21, donor: { entity: { id: 'd1', producedBy: null } } } },
    entity: { data: { label: 'Donor 1' } },
    hall: { name: 'Sample' },
  });
  expect(Object.keys(body.data)).toEqual([
    '__typename',
    'typed',
    'entities',
    'runs',
    'one',
    'entity',
    'hall',
  ]);
  const viewer = await server.newKey({ role: 'viewer', project: 'beta' });
  const seen = await server.graphql(
    '{ typed { sample(id: "s11") { entity { runs { runId } } } } entity(id: "s11") { id } runs(limit: 1) { total } }',
    {},
    { key: viewer },
  );
  expect(seen.body.data).toMatchObject({ typed: { sample: null }, entity: null });
});

test('schemas with the names of what the graph has already, or with odd ones, have types of their own', async () => {
  for (const name of ['Run', 'Query', 'sample', 'Sample.v2', 'SampleList', '__x', 'Typed'])
    await define({
      name,
      fields: [
        { name: 'entity', field_type: 'string' },
        { name: 'and', field_type: 'int' },
      ],
    });
  await ingest('Run', 'run1', { entity: 'e', and: 1 });
  const { body } = await server.graphql('{ __type(name: "Typed") { fields { name } } }');
  const names = (body.data.__type.fields as { name: string }[]).map((field) => field.name);
  const run = names.find((name) => /^run_[\da-f]{8}$/.test(name)) ?? '';
  const page = await typed<Record<string, { nodes: Record<string, unknown>[] }>>(
    `${run}List { nodes { id entity { id } } }`,
  );
  expect(page[`${run}List`]?.nodes).toEqual([{ id: 'run1', entity: { id: 'run1' } }]);
  expect(names.filter((name) => /_[\da-f]{8}$/.test(name))).toHaveLength(7);
  expect(await typed('sample(id: "s01") { age }')).toEqual({ sample: { age: 21 } });
});
