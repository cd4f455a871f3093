// Facets of fields that are lists (docs/reference/metadata.md#facets).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = (what: string, search: Readonly<Record<string, string>>) =>
  server.rest('GET', `/api/v1/metadata/${what}?${new URLSearchParams(search).toString()}`);
const facets = async (search: Readonly<Record<string, string>>): Promise<unknown> => {
  const { status, body } = await ask('facets', search);
  expect([status, body.error]).toEqual([200, null]);
  return body.data;
};

test('facets of a list count each of its values once for an entity, beside single values', async () => {
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Tagged',
      version: '1',
      fields: [
        { name: 'tags', field_type: 'string', many: true },
        { name: 'ranks', field_type: 'int', many: true },
        { name: 'kind', field_type: 'string' },
      ],
    },
  });
  const ingest = async (id: string, data: object): Promise<void> => {
    const { status } = await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Tagged', id, data },
    });
    expect(status).toBeLessThan(300);
  };
  await ingest('t1', { tags: ['a', 'b', 'a'], ranks: [1], kind: 'x' });
  await ingest('t2', { tags: ['b'], ranks: [1, 2] });
  await ingest('t3', { tags: [], kind: 'x' });
  await ingest('t4', { tags: null });
  await ingest('t5', {});
  const { body } = await server.rest('GET', '/api/v1/metadata/entities/t5');
  const then = (body.data as { created_at: string }).created_at;
  const facet = (field: string, values: [unknown, number][], missing: number, distinct = values.length) => ({
    field,
    values: values.map(([value, count]) => ({ value, count })),
    distinct,
    missing,
  });
  const counted = [
    facet(
      'tags',
      [
        ['b', 2],
        ['a', 1],
      ],
      3,
    ),
    facet('kind', [['x', 2]], 3),
    facet(
      'ranks',
      [
        [1, 2],
        [2, 1],
      ],
      3,
    ),
  ];
  const tagged = { entity_type: 'Tagged', of: 'tags,kind,ranks' };
  expect(await facets(tagged)).toEqual(counted);
  const typed = await server.graphql(
    '{ typed { taggedFacets(of: [tags, kind, ranks]) { field values { value count } missing distinct } } }',
  );
  expect(typed.body.data?.typed.taggedFacets).toEqual(counted);
  const grouped = await server.graphql(
    '{ typed { taggedAggregate(groupBy: [{field: tags}]) { groups { count } } } }',
  );
  expect(grouped.body.errors?.[0]?.message).toContain('tags');
  await ingest('t5', { tags: ['a', 'c'], ranks: [] });
  expect(await facets({ ...tagged, as_of: then })).toEqual(counted);
  expect(await facets({ ...tagged, of: 'tags', limit: '1' })).toEqual([facet('tags', [['a', 2]], 2, 3)]);
  expect(await facets({ ...tagged, of: 'tags', filter: 'data.kind == "x"' })).toEqual([
    facet(
      'tags',
      [
        ['a', 1],
        ['b', 1],
      ],
      1,
    ),
  ]);
  expect((await ask('aggregate', { entity_type: 'Tagged', group_by: 'tags' })).status).toBe(422);
});
