// The first steps of a user, over HTTP: declare, ingest, read, list, read the past; by REST and by GraphQL.
import { expect, test } from 'vitest';
import { startServer } from '../testkit/server.ts';

test('an entity written by REST is read equally by REST and by GraphQL', async () => {
  await using server = await startServer();
  const { rest, graphql } = server;
  await rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'Sample', version: '1', fields: [{ name: 'a', field_type: 'int' }] },
  });
  const ingested = await rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Sample', data: { id: 's1', a: 1 } },
  });
  expect(ingested.status).toBe(200);
  expect(ingested.headers.get('etag')).toBe('"1"');
  const read = await rest('GET', '/api/v1/metadata/entities/s1');
  expect(read.body.data).toEqual(ingested.body.data);
  expect(read.headers.get('x-request-id')).toBe(read.body.meta.request_id);
  const { body } = await graphql(
    '{ entity(id: "s1") { id entity_type: entityType data version created_at: createdAt updated_at: updatedAt is_available: isAvailable } }',
  );
  expect(body.data.entity).toEqual(read.body.data);
  const absent = await rest('GET', '/api/v1/metadata/entities/nope');
  expect(absent.status).toBe(404);
  expect(absent.body).toMatchObject({
    data: null,
    error: { code: 404, message: 'entity not found: nope' },
    meta: { schema_version: '1' },
  });
});

test('a request without a credential contacts no component and gets a challenge', async () => {
  await using server = await startServer();
  const refused = await server.rest('GET', '/api/v1/metadata/entities', { key: null });
  expect(refused.status).toBe(401);
  expect(refused.body).toMatchObject({ error: 'missing_token', details: {} });
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer realm="cairn"/);
});
