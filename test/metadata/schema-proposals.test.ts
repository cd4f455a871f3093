// A schema proposed for a table, with what the caller may see of the entities that it refers to.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

const QUERY = `query ($rows: [JSON!]!, $empty: [String!]!) {
  proposeSchema(name: "Reads", rows: $rows, empty: $empty) { definition idColumn columns { column field } } }`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const donor = { name: 'Donor', version: '1', fields: [{ name: 'project', field_type: 'string' }] };
  expect((await server.rest('POST', '/api/v1/metadata/schemas', { body: donor })).status).toBe(200);
  const body = { id: 'donor:1', entity_type: 'Donor', data: { project: 'hidden' } };
  expect((await server.rest('POST', '/api/v1/metadata/ingest', { body })).status).toBe(200);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const rows = Array.from({ length: 4 }, (_, i) => ({
  well: `w${i}`,
  donor: 'donor:1',
  count: i === 3 ? 'NA' : i,
}));
const propose = async (sent: readonly unknown[], key = server.key) => {
  const { body } = await server.graphql(QUERY, { rows: sent, empty: ['NA'] }, { key });
  return body;
};

test('the fields, the column of the ids, and what a column refers to', async () => {
  expect((await propose(rows)).data.proposeSchema).toEqual({
    definition: {
      name: 'Reads',
      version: '1.0.0',
      fields: [
        { name: 'donor', field_type: 'ref', references: 'Donor', required: true },
        { name: 'count', field_type: 'int' },
      ],
    },
    idColumn: 'well',
    columns: [
      { column: 'well', field: null },
      { column: 'donor', field: expect.objectContaining({ name: 'donor' }) },
      { column: 'count', field: expect.objectContaining({ name: 'count' }) },
    ],
  });
});

test('an entity of another project is not told of', async () => {
  const key = await server.newKey({ role: 'analyst', project: 'mine' });
  const [field] = (await propose(rows, key)).data.proposeSchema.definition.fields;
  expect(field).toEqual({ name: 'donor', field_type: 'string', required: true });
});

test('neither no rows, nor more than 5000', async () => {
  for (const sent of [[], ['text'], Array.from({ length: 5001 }, () => ({ a: 1 }))])
    expect((await propose(sent)).errors[0].extensions.code).toBe('VALIDATION_FAILED');
});
