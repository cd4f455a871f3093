// The words of a search as one of the conditions of lists, aggregates and exports (docs/reference/metadata.md#search).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer;
/** Before a1 and a4 changed, and a5 came. */
let before: string;

async function ok(method: string, path: string, body: object): Promise<void> {
  const { status, body: answer } = await server.rest(method, `/api/v1/metadata${path}`, { body });
  expect([status, answer.error]).toEqual([200, null]);
}
const ingest = (id: string, data: object): Promise<void> =>
  ok('POST', '/ingest', { entity_type: 'Sample', data: { id, ...data } });

async function asked<T>(query: string, variables: object = {}): Promise<T> {
  const { body } = await server.graphql(query, variables as Record<string, unknown>);
  expect(body.errors).toBeUndefined();
  return body.data as T;
}

interface Listed {
  readonly entities: { readonly total: number; readonly items: readonly { readonly id: string }[] };
}
const LIST = `query ($q: String, $filter: String, $orderBy: String, $at: DateTime, $gone: Boolean, $limit: Int, $cursor: String) {
  entities(entityType: "Sample", q: $q, filter: $filter, orderBy: $orderBy, asOf: $at, includeUnavailable: $gone, limit: $limit, cursor: $cursor) {
    total nextCursor items { id } } }`;
const ids = async (variables: object): Promise<readonly string[]> => {
  const { entities } = await asked<Listed>(LIST, variables);
  expect(entities.total).toBe(entities.items.length);
  return entities.items.map(({ id }) => id);
};

beforeAll(async () => {
  server = await startServer();
  await ok('POST', '/schemas', {
    name: 'Sample',
    version: '1',
    fields: [
      { name: 'label', field_type: 'string' },
      { name: 'tissue', field_type: 'enum', values: ['brain', 'liver'] },
      { name: 'depth', field_type: 'int' },
      { name: 'q', field_type: 'string', searchable: false },
      { name: 'project', field_type: 'string' },
    ],
  });
  await ingest('a1', { label: 'frozen slice', tissue: 'brain', depth: 30, q: 'other' });
  await ingest('a2', { label: 'frozen block', tissue: 'liver', depth: 10 });
  await ingest('a3', { label: 'fresh slice', tissue: 'brain', depth: 20 });
  await ingest('a4', { label: 'frozen frozen slice', tissue: 'brain', depth: 40, project: 'alpha' });
  before = new Date().toISOString();
  await ok('PUT', '/entities/Sample/a1', { data: { label: 'thawed slice' } });
  await ok('PUT', '/entities/Sample/a4', { data: { depth: 5 } });
  await ingest('a5', { label: 'frozen slice', tissue: 'brain', depth: 50 });
});
afterAll(() => server[Symbol.asyncDispose]());

test('words and conditions narrow a list together, in any order and page by page', async () => {
  expect(await ids({ q: 'frozen' })).toEqual(['a2', 'a4', 'a5']);
  expect(await ids({ q: 'FROZEN sl' })).toEqual(['a4', 'a5']);
  expect(await ids({ q: 'frozen', filter: 'data.depth > 7' })).toEqual(['a2', 'a5']);
  expect(await ids({ q: 'frozen', orderBy: '-data.depth' })).toEqual(['a5', 'a2', 'a4']);
  expect(await ids({ q: '', filter: 'data.depth > 25' })).toEqual(['a1', 'a5']);
  expect(await ids({ q: '…' })).toEqual([]);
  const first = await asked<Listed & { entities: { nextCursor: string } }>(LIST, { q: 'frozen', limit: 2 });
  const next = await asked<Listed>(LIST, { q: 'frozen', limit: 2, cursor: first.entities.nextCursor });
  expect(next.entities.items.map(({ id }) => id)).toEqual(['a5']);
});

test('of a filter that is checked row by row, too', async () => {
  expect(await ids({ q: 'frozen', filter: '[data.label].exists(l, l.size() > 12)' })).toEqual(['a4']);
});

test('as of a time the words of then are found, of what has changed since as of what has not', async () => {
  expect(await ids({ q: 'frozen', at: before })).toEqual(['a1', 'a2', 'a4']);
  expect(await ids({ q: 'frozen', filter: 'data.depth > 25', at: before })).toEqual(['a1', 'a4']);
  expect(await ids({ q: 'frozen', orderBy: 'data.depth', at: before })).toEqual(['a2', 'a1', 'a4']);
  expect(await ids({ q: 'thawed', at: before })).toEqual([]);
});

test('aggregates and facets take the words', async () => {
  interface Groups {
    readonly groups: readonly { readonly key: unknown; readonly count: number }[];
  }
  const { now, then, facets } = await asked<{
    now: Groups;
    then: Groups;
    facets: readonly { readonly values: unknown }[];
  }>(
    `query ($at: DateTime) {
      now: aggregate(entityType: "Sample", q: "frozen", groupBy: ["tissue"]) { groups { key count } }
      then: aggregate(entityType: "Sample", q: "frozen", groupBy: ["tissue"], asOf: $at) { groups { key count } }
      facets(entityType: "Sample", q: "frozen", filter: "data.depth > 7", of: ["tissue"]) { values { value count } } }`,
    { at: before },
  );
  expect(now.groups).toEqual([
    { key: { tissue: 'brain' }, count: 2 },
    { key: { tissue: 'liver' }, count: 1 },
  ]);
  expect(then.groups).toEqual([
    { key: { tissue: 'brain' }, count: 2 },
    { key: { tissue: 'liver' }, count: 1 },
  ]);
  expect(facets).toEqual([
    {
      values: [
        { value: 'brain', count: 1 },
        { value: 'liver', count: 1 },
      ],
    },
  ]);
});

const hits = async (query: Record<string, string>): Promise<readonly string[]> => {
  const path = `/api/v1/metadata/search?${new URLSearchParams({ entity_type: 'Sample', ...query }).toString()}`;
  const { status, body } = await server.rest('GET', path);
  expect([status, body.error]).toEqual([200, null]);
  return (body.data as { id: string }[]).map(({ id }) => id);
};

test('a search takes a filter, of which the best match comes first', async () => {
  expect((await hits({ q: 'frozen', filter: 'data.tissue == "brain"' })).toSorted()).toEqual(['a4', 'a5']);
  expect((await hits({ q: 'frozen', filter: 'data.depth > 7' })).toSorted()).toEqual(['a2', 'a5']);
  expect((await hits({ q: 'frozen', filter: 'data.depth > 25', as_of: before })).toSorted()).toEqual([
    'a1',
    'a4',
  ]);
  expect(await hits({ q: 'frozen', filter: `created_at > timestamp("${before}")` })).toEqual(['a5']);
  expect(
    await hits({ q: 'slice', filter: `updated_at > timestamp("2000-01-01T00:00:00Z")`, as_of: before }),
  ).toHaveLength(3);
  const refused = await server.rest(
    'GET',
    `/api/v1/metadata/search?${new URLSearchParams({ entity_type: 'Sample', q: 'frozen', filter: '[data.label].exists(l, l.size() > 12)' }).toString()}`,
  );
  expect(refused.status).toBe(422);
  expect(refused.body.error.message).toContain('a search cannot check entities one by one');
});

test('all matches are a file; a field of the name of a parameter stays a field in other files', async () => {
  const fileOf = async (path: string): Promise<readonly string[]> => {
    const answer = await fetch(`${server.url}/api/v1/metadata/${path}`, {
      headers: { 'x-api-key': server.key },
    });
    expect(answer.status).toBe(200);
    return (await answer.text())
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
  };
  expect(await fileOf('search/Sample.ndjson?q=frozen&order_by=-data.depth')).toEqual(['a5', 'a2', 'a4']);
  expect(
    await fileOf(`search/Sample.ndjson?q=frozen&filter=${encodeURIComponent('data.depth > 7')}`),
  ).toEqual(['a2', 'a5']);
  expect(await fileOf('export/Sample.ndjson?q=other')).toEqual(['a1']);
  expect((await server.rest('GET', '/api/v1/metadata/search/Sample.csv')).status).toBe(422);
});

test('another project is not there, nor counted', async () => {
  const key = await server.newKey({ role: 'viewer', project: 'beta' });
  const { body } = await server.graphql(LIST, { q: 'frozen' }, { key });
  expect(body.data.entities).toMatchObject({ total: 2, items: [{ id: 'a2' }, { id: 'a5' }] });
});
