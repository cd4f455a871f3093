// Words of an enum come and go, and no document that was written before is refused by it
// (docs/reference/metadata.md#typed-enums).
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

const schema = (version: string, values: readonly string[]) => ({
  name: 'Tissue',
  version,
  fields: [{ name: 'state', field_type: 'enum', values, required: true }],
});
const register = async (server: TestServer, version: string, ...values: readonly string[]): Promise<void> => {
  const { status, text } = await server.rest('POST', '/api/v1/metadata/schemas', {
    body: schema(version, values),
  });
  expect(status, text).toBe(200);
};
/** As the document of a client says it: a text, or the enum. */
const creating =
  (server: TestServer, type: 'String' | 'TissueStateEnum') => async (id: string, state: unknown) =>
    (
      await server.graphql(
        `mutation ($id: ID!, $state: ${type}!) { typed { createTissue(input: {id: $id, state: $state}) { state } } }`,
        { id, state },
      )
    ).body;
const typeOf = async (server: TestServer): Promise<unknown> =>
  (
    await server.graphql(
      '{ __type(name: "TissueUpdateInput") { inputFields { type { name enumValues { name } } } } }',
    )
  ).body.data?.__type?.inputFields[0].type;

test('an enum takes what its documents have said before, and a word that is added at once', async () => {
  await using server = await startServer();
  const [create, createText] = [creating(server, 'TissueStateEnum'), creating(server, 'String')];
  await register(server, '1', 'fresh', 'dried');
  // a component in another process tells of the new type in a moment
  await expect
    .poll(async () => (await create('t0', 'fresh')).data)
    .toEqual({ typed: { createTissue: { state: 'fresh' } } });
  expect(await typeOf(server)).toEqual({
    name: 'TissueStateEnum',
    enumValues: [{ name: 'fresh' }, { name: 'dried' }],
  });
  // so often that the operations are compiled
  for (let i = 1; i < 6; i++) {
    expect(await create(`e${i}`, 'fresh')).toMatchObject({
      data: { typed: { createTissue: { state: 'fresh' } } },
    });
    expect(await createText(`s${i}`, 'dried')).toMatchObject({
      data: { typed: { createTissue: { state: 'dried' } } },
    });
  }
  await register(server, '2', 'fresh', 'dried', 'frozen');
  for (const [id, make] of [
    ['f1', create],
    ['f2', createText],
  ] as const)
    expect((await make(id, 'frozen')).data).toEqual({ typed: { createTissue: { state: 'frozen' } } });
  const literal = (word: string) =>
    server.graphql(`mutation { typed { updateTissue(id: "t0", set: {state: ${word}}) { state } } }`);
  for (const word of ['dried', '"fresh"', 'frozen'])
    expect((await literal(word)).body).toMatchObject({
      data: { typed: { updateTissue: { state: word.replaceAll('"', '') } } },
    });
  for (const refused of [await create('x', 'wet'), await createText('x', 'wet'), (await literal('wet')).body])
    expect(refused.errors).toMatchObject([
      {
        message: 'field state must be one of fresh, dried, frozen',
        extensions: { code: 'VALIDATION_FAILED' },
      },
    ]);
  expect((await create('x', 7)).errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST' } }]);
  expect((await create('x', null)).errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST' } }]);
});

test('a document goes on working where a word is added that is no name of GraphQL, and what was stored is read', async () => {
  await using server = await startServer();
  const create = creating(server, 'String');
  const read = async (): Promise<unknown> =>
    (
      await server.graphql(
        'query ($state: String!) { typed { tissueList(where: {state: {ne: $state}}, orderBy: "id") { nodes { state } } } }',
        { state: 'none' },
      )
    ).body.data;
  await register(server, '1', 'fresh', 'dried');
  // a component in another process tells of the new type in a moment
  await expect
    .poll(async () => (await create('t1', 'fresh')).data)
    .toEqual({ typed: { createTissue: { state: 'fresh' } } });
  await register(server, '2', 'fresh', 'dried', 'n/a', '> 2 days', 'true');
  for (const [id, state] of [
    ['t2', 'n/a'],
    ['t3', '> 2 days'],
    ['t4', 'true'],
    ['t5', 'dried'],
  ] as const)
    expect((await create(id, state)).data).toEqual({ typed: { createTissue: { state } } });
  const { errors } = await create('t6', 'frozen');
  expect(errors[0]).toMatchObject({
    message: 'field state must be one of fresh, dried, n/a, > 2 days, true',
    extensions: { code: 'VALIDATION_FAILED' },
  });
  const states = ['fresh', 'n/a', '> 2 days', 'true', 'dried'].map((state) => ({ state }));
  expect(await read()).toEqual({ typed: { tissueList: { nodes: states } } });
});
