// docs/reference/metadata.md#events-of-a-request: an event names the request that wrote it, and administrators find the
// events of a request.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../testkit/server.ts';

let server: TestServer & AsyncDisposable;
const since = new Date(Date.now() - 1000).toISOString();

beforeAll(async () => {
  server = await startServer({ transport: 'in-process' });
  const fields = [
    { name: 'note', field_type: 'string' },
    { name: 'project', field_type: 'string' },
  ];
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'Note', version: '1', fields },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const ingest = async (id: string, data: object): Promise<string> => {
  const { status, headers } = await server.rest('POST', '/api/v1/metadata/ingest', {
    body: { entity_type: 'Note', id, data },
  });
  expect(status).toBe(200);
  return headers.get('x-request-id') ?? '';
};
interface Found {
  readonly items: readonly { eventType: string; entityId: string | null; requestId: string | null }[];
  readonly nextCursor: string | null;
}
const found = async (id: string, more = '', key = server.key): Promise<Found> => {
  const { body } = await server.graphql(
    `{ requestEvents(requestId: "${id}", since: "${since}"${more}) { items { eventType entityId requestId } nextCursor } }`,
    {},
    { key },
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data.requestEvents as Found;
};

test('the events of a request are those that it wrote, over REST and GraphQL', async () => {
  const first = await ingest('n:1', { note: 'a' });
  const second = await ingest('n:1', { note: 'b' });
  expect((await found(first)).items).toEqual([
    { eventType: 'EntityCreated', entityId: 'n:1', requestId: first },
  ]);
  expect((await found(second)).items).toEqual([
    { eventType: 'EntityUpdated', entityId: 'n:1', requestId: second },
  ]);
  const { body, headers } = await server.graphql(
    'mutation { a: ingestEntity(entityType: "Note", id: "n:2", data: {note: "a"}) { id } b: ingestEntity(entityType: "Note", id: "n:3", data: {note: "a"}) { id } }',
  );
  expect(body.errors).toBeUndefined();
  const both = await found(headers.get('x-request-id') ?? '');
  expect(both.items.map(({ entityId }) => entityId)).toEqual(['n:2', 'n:3']);
});

test('a history names the request of each event, also as plain text and with a fragment', async () => {
  const id = await ingest('n:4', { note: 'a' });
  for (const [selection, rest] of [
    ['requestId', ''],
    ['...F', 'fragment F on ProvenanceEvent { requestId }'],
  ]) {
    const { body } = await server.graphql(`{ entityHistory(entityId: "n:4") { ${selection} } } ${rest}`);
    expect(body.data).toEqual({ entityHistory: [{ requestId: id }] });
  }
});

test('a schema is registered by a request, too', async () => {
  const { headers } = await server.rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'Other', version: '1', fields: [{ name: 'note', field_type: 'string' }] },
  });
  const { items } = await found(headers.get('x-request-id') ?? '');
  expect(items.map(({ eventType }) => eventType)).toEqual(['MigrationApplied']);
});

test('they come in pages, and within the times that are asked for', async () => {
  const rows = Array.from({ length: 7 }, (_, i) => ({
    entityType: 'Note',
    id: `p:${i}`,
    data: { note: 'x' },
  }));
  const { headers } = await server.graphql(
    'mutation ($rows: [IngestedEntity!]!) { ingestEntities(entities: $rows) { created } }',
    { rows },
  );
  const id = headers.get('x-request-id') ?? '';
  const seen: (string | null)[] = [];
  let cursor: string | null = null;
  do {
    const page: Found = await found(id, `, limit: 3${cursor === null ? '' : `, cursor: "${cursor}"`}`);
    seen.push(...page.items.map(({ entityId }) => entityId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(rows.map((row) => row.id));
  expect((await found(id, ', until: "2020-01-01T00:00:00Z"')).items).toEqual([]);
  expect((await found('no-such-id')).items).toEqual([]);
  await expect(found(id, ', limit: 0')).rejects.toThrow(/limit/);
  await expect(found(id, ', cursor: "x"')).rejects.toThrow(/cursor/);
});

test('an administrator of one project sees those of entities that it sees; others are refused', async () => {
  const key = await server.newKey({ role: 'admin', project: 'alpha' });
  const id = await ingest('n:b', { note: 'b', project: 'beta' });
  const own = await ingest('n:a', { note: 'a', project: 'alpha' });
  expect((await found(id)).items).toHaveLength(1);
  expect((await found(id, '', key)).items).toEqual([]);
  expect((await found(own, '', key)).items).toHaveLength(1);
  for (const role of ['viewer', 'project_lead', 'service'] as const)
    await expect(found(id, '', await server.newKey({ role }))).rejects.toThrow(/INSUFFICIENT_ROLE/);
});
