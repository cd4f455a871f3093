// Truncated lists are marked, in both APIs, and continue by cursor: nothing is missed or repeated under
// concurrent writes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;
const ingest = (entities: readonly unknown[]): Promise<unknown> =>
  server.graphql(
    'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created errors { message } } }',
    { e: entities },
  );
const COUNT = 1005;

beforeAll(async () => {
  server = await startServer();
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'n', field_type: 'int' },
        { name: 'name', field_type: 'string' },
      ],
    },
  });
  await ingest([
    { entityType: 'Thing', id: 'hub', data: { n: 0 } },
    ...Array.from({ length: COUNT }, (_, i) => ({
      entityType: 'Thing',
      id: `t${i}`,
      data: { n: i, name: `brain ${i % 3 === 0 ? 'brain' : 'tissue'}` },
    })),
  ]);
  for (let i = 0; i < COUNT; i += 335) {
    await Promise.all(
      Array.from({ length: 335 }, (_, k) =>
        server.graphql(
          'mutation($s: ID!) { relate(sourceId: "hub", targetId: $s, relationshipType: "has") { id } }',
          { s: `t${i + k}` },
        ),
      ),
    );
  }
});
afterAll(() => server[Symbol.asyncDispose]());

const LISTS = {
  history: ['/api/v1/metadata/entities/hub/history', COUNT + 1, (row: { id: string }) => row.id],
  relationships: ['/api/v1/metadata/entities/hub/relationships', COUNT, (row: { id: string }) => row.id],
  search: ['/api/v1/metadata/search?entity_type=Thing&q=brain', COUNT, (row: { id: string }) => row.id],
} as const;

test.each(Object.entries(LISTS))(
  'REST: %s is cut at 1,000, says so in `meta`, and continues by cursor to the end',
  async (_, [path, count, idOf]) => {
    const seen: string[] = [];
    const sizes: number[] = [];
    const join = path.includes('?') ? '&' : '?';
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body } = await server.rest(
        'GET',
        `${path}${join}limit=1000${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expect([status, Object.keys(body.meta)]).toEqual([200, expect.arrayContaining(['next_cursor'])]);
      seen.push(...(body.data as { id: string }[]).map(idOf));
      sizes.push(body.data.length);
      cursor = body.meta.next_cursor;
      await server.rest('PUT', '/api/v1/metadata/entities/Thing/t1', {
        body: { data: { n: 5000 + sizes.length } },
      }); // whatever is written meanwhile
    }
    expect(sizes).toEqual([1000, count - 1000]);
    expect(new Set(seen).size).toBe(count);
  },
);

test('REST: a complete list says that it is complete; a cursor of another list is refused', async () => {
  const whole = await server.rest('GET', '/api/v1/metadata/entities/t7/history');
  expect(whole.body.meta.next_cursor).toBeNull();
  const { body } = await server.rest('GET', '/api/v1/metadata/search?entity_type=Thing&q=brain&limit=2');
  expect(body.meta.next_cursor).toEqual(expect.any(String));
  expect(
    (
      await server.rest(
        'GET',
        `/api/v1/metadata/entities/hub/history?cursor=${body.meta.next_cursor as string}`,
      )
    ).status,
  ).toBe(422);
  for (const path of Object.values(LISTS).map(([p]) => p))
    for (const cursor of [
      'x',
      'W10',
      '%00',
      Buffer.from('["1","99999999999999999999"]').toString('base64url'),
    ])
      expect(
        (await server.rest('GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`)).status,
      ).toBe(422);
  expect((await server.rest('GET', '/api/v1/metadata/entities/hub')).body.meta).not.toHaveProperty(
    'next_cursor',
  );
});

test('REST: a cursor keeps the moment of its list', async () => {
  const { body: first } = await server.rest('GET', '/api/v1/metadata/entities/hub/history?limit=3');
  const asOf = first.data[2].timestamp as string;
  const page = await server.rest('GET', `/api/v1/metadata/entities/hub/history?limit=2&as_of=${asOf}`);
  const next = await server.rest(
    'GET',
    `/api/v1/metadata/entities/hub/history?limit=100&cursor=${page.body.meta.next_cursor as string}`,
  );
  expect([page.body.data.length, next.body.data.length, next.body.meta.next_cursor]).toEqual([2, 1, null]);
});

test.each([
  ['entityHistoryPage(entityId: "hub", limit: 400, cursor: $c)', COUNT + 1],
  ['searchPage(entityType: "Thing", q: "brain", limit: 400, cursor: $c)', COUNT],
  ['findRelationships(entityId: "hub", limit: 400, cursor: $c)', COUNT],
])('GraphQL: %s', async (field, count) => {
  const ids: string[] = [];
  for (let c: string | null | undefined; c !== null;) {
    const { body } = await server.graphql(
      `query($c: String) { page: ${field} { items { id } limit nextCursor } }`,
      { c },
    );
    expect(body.errors).toBeUndefined();
    ids.push(...(body.data.page.items as { id: string }[]).map(({ id }) => id));
    c = body.data.page.nextCursor;
  }
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
});

test('GraphQL: below an entity there are pages, and lists of the usual length warn where that is not all', async () => {
  const ask = async (c?: string | null) =>
    (
      await server.graphql(
        'query($c: String) { entity(id: "hub") { historyPage(limit: 600, cursor: $c) { items { id } nextCursor } relationshipPage(direction: OUT, limit: 600) { items { id } nextCursor } } }',
        { c },
      )
    ).body.data.entity;
  const first = await ask();
  const second = await ask(first.historyPage.nextCursor);
  expect([
    first.historyPage.items.length,
    second.historyPage.items.length,
    second.historyPage.nextCursor,
    first.relationshipPage.items.length,
  ]).toEqual([600, COUNT + 1 - 600, null, 600]);
  const { body } = await server.graphql(
    '{ entity(id: "hub") { history { id } relationships { id } } entityHistory(entityId: "hub") { id } search(entityType: "Thing", q: "brain") { id } }',
  );
  expect([body.data.entity.history.length, body.data.entity.relationships.length]).toEqual([100, 100]);
  expect(body.extensions.warnings).toEqual(
    expect.arrayContaining([
      expect.stringContaining('history is cut at 100'),
      expect.stringContaining('relationships is cut at 100'),
      expect.stringContaining('entityHistory is cut at 1000'),
      expect.stringContaining('search is cut at 100'),
    ]),
  );
  expect(body.extensions).not.toHaveProperty('nextCursor');
  expect(
    (await server.graphql('{ entity(id: "hub") { history(limit: 5) { id } } }')).body.extensions?.warnings,
  ).toBeUndefined();
});
