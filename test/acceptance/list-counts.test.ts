// `Prefer: count=…` of a listing (docs/reference/metadata.md#totals).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;
const list = async (search: string, prefer?: string, key?: string) => {
  const { status, headers, body } = await server.rest('GET', `/api/v1/metadata/entities?${search}`, {
    ...(prefer === undefined ? {} : { headers: { prefer } }),
    ...(key === undefined ? {} : { key }),
  });
  expect([status, body.error]).toEqual([200, null]);
  return {
    total: body.data.total as number | null,
    shown: body.data.items.length as number,
    applied: headers.get('preference-applied'),
  };
};

beforeAll(async () => {
  server = await startServer();
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: {
      name: 'Well',
      version: '1',
      fields: [
        { name: 'depth', field_type: 'int' },
        { name: 'project', field_type: 'string' },
      ],
    },
  });
  const rows = Array.from({ length: 60 }, (_, i) => ({
    id: `w${i}`,
    depth: i % 4,
    project: i < 40 ? 'a' : 'b',
  }));
  for (const data of rows)
    await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Well', data } });
});
afterAll(() => server[Symbol.asyncDispose]());

test('without Prefer a list is counted, and the answer has no Preference-Applied', async () => {
  expect(await list('entity_type=Well&depth=1&limit=2')).toEqual({ total: 15, shown: 2, applied: null });
});

test('count=exact counts, count=none does not and its total is null', async () => {
  expect(await list('entity_type=Well&depth=1&limit=2', 'count=exact')).toEqual({
    total: 15,
    shown: 2,
    applied: 'count=exact',
  });
  const none = { total: null, shown: 2, applied: 'count=none' };
  expect(await list('entity_type=Well&depth=1&limit=2', 'count=none')).toEqual(none);
  expect(await list('entity_type=Well&limit=2&expand=derived_from[]', 'count=none')).toEqual(none);
  // checked row by row
  expect(
    await list(
      `entity_type=Well&limit=2&filter=${encodeURIComponent('data.depth * 1.0 < 9.0')}`,
      'count=none',
    ),
  ).toEqual(none);
});

test('count=estimated is within what there is, and exact where nothing is filtered', async () => {
  expect(await list('entity_type=Well&limit=2', 'count=estimated')).toEqual({
    total: 60,
    shown: 2,
    applied: 'count=estimated',
  });
  for (const search of ['depth=1', `depth=1&as_of=${encodeURIComponent(new Date().toISOString())}`]) {
    const { total, applied } = await list(`entity_type=Well&limit=2&${search}`, 'count=estimated');
    expect(applied).toBe('count=estimated');
    expect(total).toBeGreaterThanOrEqual(0);
    expect(total).toBeLessThanOrEqual(60);
  }
});

test('a caller that sees only some projects gets the exact number, because an estimate would reveal the others', async () => {
  const key = await server.newKey({ role: 'viewer', project: 'a' });
  expect(await list('entity_type=Well&depth=1&limit=2', 'count=estimated', key)).toMatchObject({ total: 10 });
});

test('the header is read as the standard says: several wishes, quotes, what is not known ignored', async () => {
  const search = 'entity_type=Well&depth=1&limit=2';
  expect((await list(search, 'respond-async, count="none"; x=1, wait=3')).total).toBeNull();
  expect((await list(search, 'Count=none, count=exact')).total).toBeNull();
  expect(await list(search, 'count=planned')).toMatchObject({ total: 15, applied: null });
  expect(await list(search, 'discount=none')).toMatchObject({ total: 15, applied: null });
});

test('in GraphQL the total is counted only where it is selected, in the way that `count` says', async () => {
  const { body } = await server.graphql(
    `{ exact: entities(entityType: "Well", limit: 1) { total }
       none: entities(entityType: "Well", limit: 1, count: NONE) { total items { id } }
       estimated: entities(entityType: "Well", limit: 1, count: ESTIMATED) { total } }`,
  );
  expect(body).toMatchObject({
    data: { exact: { total: 60 }, none: { total: null, items: [{ id: 'w0' }] }, estimated: { total: 60 } },
  });
});
