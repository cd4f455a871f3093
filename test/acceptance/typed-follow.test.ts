// Typed nodes and subscriptions, and what clients compile against.
import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { beforeAll, expect, test } from 'vitest';
import { setUp, server, ask, told } from './typed-graph-testkit.ts';

setUp();

beforeAll(async () => {
  await told('mutation { typed { createPuddle(input: {id: "p1", label: "north"}) { id } } }');
});

test('node answers in the type of the schema, with the fields that other components add', async () => {
  await told(
    'mutation { typed { createBeetle(input: {id: "n1", puddle: "p1", horns: 1, legs: 6}) { id } } }',
  );
  const node = (selection: string): Promise<unknown> =>
    told<{ node: unknown }>(`{ node(id: "n1") { ${selection} } }`).then((data) => data.node);
  expect(await node('__typename id')).toEqual({ __typename: 'Entity', id: 'n1' });
  expect(await node('id ... on Specimen { __typename legs }')).toEqual({
    id: 'n1',
    __typename: 'Specimen',
    legs: 6,
  });
  expect(await node('... on Specimen { legs } ... on Beetle { __typename horns }')).toEqual({
    __typename: 'Beetle',
    horns: 1,
  });
  expect(await node('__typename ... on Puddle { label }')).toEqual({ __typename: 'Entity' });
  expect(await node('... on Entity { version runs { runId } }')).toEqual({ version: 1, runs: [] });
  expect(await node('... on Entity { version } ... on Beetle { horns entity { runs { runId } } }')).toEqual({
    horns: 1,
    entity: { runs: [] },
  });
  expect(await told('{ node(id: "nobody") { id ... on Beetle { horns } } }')).toEqual({ node: null });
  for (let i = 0; i < 6; i++)
    // as relay-compiler writes it for @refetchable
    expect(
      await told(
        'query Refetch($id: ID!) { node(id: $id) { __typename ...Beetle_fields id } } fragment Beetle_fields on Beetle { id horns puddle { id label } }',
        { id: 'n1' },
      ),
    ).toEqual({
      node: { __typename: 'Beetle', id: 'n1', horns: 1, puddle: { id: 'p1', label: 'north' } },
    });
});

test('changes of one schema are followed, filtered and with the state that each left', async () => {
  const client = createSseClient({
    url: `${server.url}/graphql`,
    headers: { 'x-api-key': server.key },
    retryAttempts: 0,
  });
  const changes = client.iterate<{
    typed: { token: string; specimenChanged: { event: unknown; node: unknown; token: string } };
  }>({
    query: `subscription ($filter: String) { typed { token specimenChanged(types: ["EntityUpdated"], filter: $filter, after: "start") {
      token event { eventType entityId } node { __typename id legs puddle { id label } } } } }`,
    variables: { filter: 'entity_id == "f1"' },
  });
  await told('mutation { typed { createSpecimen(input: {id: "f1", puddle: "p1", legs: 1}) { id } } }');
  for (const legs of [2, 3])
    await told(`mutation { typed { updateSpecimen(id: "f1", set: {legs: ${legs}}) { id } } }`);
  const seen: unknown[] = [];
  for await (const { data, errors } of changes) {
    expect(errors).toBeUndefined();
    expect(data?.typed.token).toBe(data?.typed.specimenChanged.token);
    seen.push([data?.typed.specimenChanged.event, data?.typed.specimenChanged.node]);
    if (seen.length === 2) break;
  }
  const event = { eventType: 'EntityUpdated', entityId: 'f1' };
  const state = { __typename: 'Specimen', id: 'f1', puddle: { id: 'p1', label: 'north' } };
  expect(seen).toEqual([
    [event, { ...state, legs: 2 }],
    [event, { ...state, legs: 3 }],
  ]);
  const refusals = async (source: string): Promise<string> => {
    const { body } = await server.rest('POST', '/graphql', {
      body: { query: source },
      headers: { accept: 'text/event-stream' },
    });
    return JSON.stringify(body);
  };
  expect(
    await refusals('subscription { typed { puddleChanged { token } specimenChanged { token } } }'),
  ).toContain('exactly one field');
  expect(await refusals('subscription { typed { token } }')).toContain('exactly one field');
  expect(
    await refusals('subscription { typed { specimenChanged { node { entity { runs { runId } } } } } }'),
  ).toContain('fields of one component');
  client.dispose();
});

test('documents of a client compile against the schema, and everything in it is described', async () => {
  const { data, errors } = await ask<IntrospectionQuery>(
    getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true }),
  );
  expect(errors).toBeUndefined();
  const schema = buildClientSchema(data);
  const documents = [
    'mutation ($input: SpecimenCreateInput!) { typed { createSpecimen(input: $input) { id ...S } } } fragment S on Specimen { puddle { referencedBy { specimenByPuddle(first: 3) { edges { cursor node { id } } } } } }',
    'query ($id: ID!) { node(id: $id) { ... on Specimen { id } } }',
    'subscription { typed { specimenChanged { token node { id } } } }',
    '{ typed { specimenAggregate(groupBy: [{field: state}, {field: found, period: MONTH}, {field: legs, width: 2}], having: "count > 1") { groups { count fields { state { key } legs { avg percentiles(at: [0.9]) } } } } specimenFacets(of: [state, legs]) { field values { value count } } } }',
  ];
  for (const document of documents) expect(validate(schema, parse(document))).toEqual([]);
  const bare: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (!type.description && !['Query', 'Mutation', 'Subscription'].includes(type.name)) bare.push(type.name);
    if (!('getFields' in type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.description) bare.push(`${type.name}.${field.name}`);
      if (isObjectType(type) && 'args' in field)
        for (const arg of field.args)
          if (!arg.description) bare.push(`${type.name}.${field.name}(${arg.name})`);
    }
  }
  expect(bare).toEqual([]);
  const scalars = Object.values(data.__schema.types).filter(
    (type) => type.kind === 'SCALAR' && !['String', 'Int', 'Float', 'Boolean', 'ID'].includes(type.name),
  );
  expect(scalars.length).toBeGreaterThan(3);
  for (const type of scalars)
    expect(type).toMatchObject({ specifiedByURL: expect.stringMatching(/^https:/) });
});
