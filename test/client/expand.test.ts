// Client library: expansion, in one request (docs/reference/metadata.md#expand).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ValidationError } from '../../client/src/index.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { createClient, type Client } from '../../client/src/index.ts';

let server: TestServer;
let client: Client;
const warnings: string[] = [];
beforeAll(async () => {
  server = await startServer({ config: 'metadata: {expand_limit: 2}' });
  client = createClient({
    url: server.url,
    apiKey: server.key,
    onWarning: (warning) => warnings.push(warning),
  });
  await client.schemas.create({
    name: 'Donor',
    version: '1',
    fields: [{ name: 'name', fieldType: 'string' }],
  });
  await client.schemas.create({
    name: 'Sample',
    version: '1',
    fields: [
      { name: 'donor', fieldType: 'ref', references: 'Donor' },
      { name: 'from', fieldType: 'ref', references: 'Sample' },
    ],
  });
  await client.create('Donor', { name: 'Ada' }, { id: 'ada' });
  await client.create('Sample', { donor: 'ada' }, { id: 's1' });
  await client.create('Sample', { from: 's1' }, { id: 's2' });
  for (let i = 0; i < 3; i++) {
    await client.create('Sample', {}, { id: `part:${i}` });
    await client.relate('s1', `part:${i}`, 'has_part');
  }
});
afterAll(() => server[Symbol.asyncDispose]());

test("get with expand returns referenced entities, nested, in the client's spelling", async () => {
  const { expanded } = await client.get('Sample', 's2', { expand: ['from.donor'] });
  expect(expanded).toMatchObject({
    from: {
      id: 's1',
      entityType: 'Sample',
      isAvailable: true,
      data: { donor: 'ada' },
      expanded: { donor: { id: 'ada', entityType: 'Donor', version: 1, data: { name: 'Ada' } } },
    },
  });
  expect(JSON.stringify(expanded)).not.toMatch(/entity_type|created_at|is_available/);
});

test('query with expand returns it with every entity; absent references are null', async () => {
  const found = await client.query('Sample', { id: ['s1', 's2'] }, { expand: ['donor'] }).all();
  expect(found.map(({ expanded }) => expanded)).toEqual([
    { donor: expect.objectContaining({ id: 'ada', entityType: 'Donor' }) as object },
    { donor: null },
  ]);
});

test('onWarning is called for a list that is cut', async () => {
  warnings.length = 0;
  const { expanded } = await client.get('Sample', 's1', { expand: ['has_part[]'] });
  expect(expanded?.['has_part']).toMatchObject([{ id: 'part:0' }, { id: 'part:1' }]);
  expect(warnings).toEqual([expect.stringContaining('has_part[]')]);
});

test('without expand there is nothing expanded, and an unknown path is a ValidationError', async () => {
  expect(await client.get('Sample', 's1')).not.toHaveProperty('expanded');
  await expect(client.get('Sample', 's1', { expand: ['colour'] })).rejects.toBeInstanceOf(ValidationError);
});
