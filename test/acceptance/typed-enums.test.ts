// Words of an enum come and go without a change of the graph (docs/reference/metadata.md#typed-writes,
// docs/decisions/0113-enums-stay-texts-in-typed-graphql.md).
import { expect, test } from 'vitest';
import { startServer } from '../testkit/server.ts';

const schema = (version: string, values: readonly string[]) => ({
  name: 'Tissue',
  version,
  fields: [{ name: 'state', field_type: 'enum', values, required: true }],
});

test('a document goes on working where a word is added that is no name of GraphQL, and what was stored is read', async () => {
  await using server = await startServer();
  const register = async (version: string, ...values: readonly string[]): Promise<void> => {
    const { status, text } = await server.rest('POST', '/api/v1/metadata/schemas', {
      body: schema(version, values),
    });
    expect(status, text).toBe(200);
  };
  const create = async (id: string, state: string) =>
    (
      await server.graphql(
        'mutation ($id: ID!, $state: String!) { typed { createTissue(input: {id: $id, state: $state}) { state } } }',
        { id, state },
      )
    ).body;
  const read = async (): Promise<unknown> =>
    (
      await server.graphql(
        'query ($state: String!) { typed { tissueList(where: {state: {ne: $state}}, orderBy: "id") { nodes { state } } } }',
        { state: 'none' },
      )
    ).body.data;
  await register('1', 'fresh', 'dried');
  // a component in another process tells of the new type in a moment
  await expect
    .poll(async () => (await create('t1', 'fresh')).data, { timeout: 20_000 })
    .toEqual({ typed: { createTissue: { state: 'fresh' } } });
  await register('2', 'fresh', 'dried', 'n/a', '> 2 days', 'true');
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
