// docs/reference/gateway.md#visibility: for an actor of one project, another project's entity is
// indistinguishable from a missing one, on every path.
import { randomBytes } from 'node:crypto';
import { createClient as createSseClient } from 'graphql-sse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collector } from '../testkit/otlp-collector.ts';
import { type Answer, type CallOptions, startServer, type TestServer } from '../testkit/server.ts';
import { waitFor } from '../testkit/wait-for.ts';

let server: TestServer;
let otlp: Awaited<ReturnType<typeof collector>>;
let key: string;
let secrets: string[];

const FILE = { name: 'file', size: 4, checksum: 'a'.repeat(64) };
const META = '/api/v1/metadata';
/** The id of an existing entity of beta, and a missing one of the same length. */
const THERE = 'beta-entity-1';
const NOBODYS = 'none-entity-1';

const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  server.rest(method, META + path, options);

async function done(method: string, path: string, body: unknown): Promise<void> {
  const { status, text } = await call(method, path, { body });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
}

beforeAll(async () => {
  otlp = await collector();
  server = await startServer({
    config: `observability: {tracing: {otlp_url: "${otlp.url}"}}\n`,
    transport: 'in-process',
  });
  await done('POST', '/schemas', {
    name: 'Sample',
    version: '1.0.0',
    fields: [
      { name: 'name', field_type: 'string', unique: false },
      { name: 'project', field_type: 'string' },
      { name: 'parent', field_type: 'ref', references: 'Sample' },
      { name: 'uri', field_type: 'uri' },
      { name: 'size', field_type: 'int' },
      { name: 'checksum', field_type: 'string' },
    ],
  });
  const make = (id: string, data: Record<string, unknown>): Promise<void> =>
    done('POST', '/ingest', { entity_type: 'Sample', id, data });
  await make(THERE, {
    ...FILE,
    name: 'zyzzyva secret',
    project: 'beta',
    uri: 'https://files.example.org/zyzzyva',
  });
  await make('beta-entity-2', { ...FILE, name: 'zyzzyva other', project: 'beta', parent: THERE });
  await make('own', { name: 'ours', project: 'alpha' });
  await make('points-over', { name: 'pointer', project: 'alpha', parent: THERE });
  await make('shared', { name: 'for all', parent: THERE });
  await done('POST', `/entities/own/relationships`, {
    target_entity_id: THERE,
    relationship_type: 'derived_from',
  });
  await done('POST', `/entities/${THERE}/relationships`, {
    target_entity_id: 'shared',
    relationship_type: 'derived_from',
  });
  await done('POST', `/entities/${THERE}/external-ids`, { id_type: 'lims', external_id: 'ZYZ-1' });
  await done('PUT', `/entities/Sample/${THERE}`, { data: { name: 'zyzzyva renamed' } });
  key = await server.newKey({ role: 'project_lead', project: 'alpha' });
  secrets = ['zyzzyva', 'beta-entity-2', 'ZYZ-1', '"beta"'];
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await otlp[Symbol.asyncDispose]();
});

/** An answer without its variable parts: request ids, and the requested id. */
const plain = ({ status, text }: Answer): unknown => [
  status,
  text
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'uuid')
    .replaceAll(THERE, 'asked')
    .replaceAll(NOBODYS, 'asked')
    .replaceAll('ZYZ-1', 'xid')
    .replaceAll('NON-1', 'xid'),
];

test.each<[method: string, path: string, body?: Record<string, unknown>]>([
  ['GET', '/entities/ID'],
  ['GET', '/entities/ID?expand=parent'],
  ['GET', '/entities/ID?as_of=2100-01-01T00:00:00Z'],
  ['PUT', '/entities/Sample/ID', { data: { name: 'mine now' } }],
  ['PUT', '/entities/Sample/ID', { data: { project: 'alpha' } }],
  ['DELETE', '/entities/ID'],
  ['GET', '/entities/ID/history'],
  ['GET', '/entities/ID/history?event_types=EntityCreated'],
  ['GET', '/entities/ID/state?at=2100-01-01T00:00:00Z'],
  ['GET', '/entities/ID/availability'],
  ['POST', '/entities/ID/availability', { is_available: false }],
  ['GET', '/entities/ID/relationships'],
  ['POST', '/entities/ID/relationships', { target_entity_id: 'own', relationship_type: 'x' }],
  ['POST', '/entities/own/relationships', { target_entity_id: 'ID', relationship_type: 'x' }],
  ['DELETE', '/entities/ID/relationships/00000000-0000-4000-8000-000000000000'],
  ['GET', '/entities/ID/external-ids'],
  ['POST', '/entities/ID/external-ids', { id_type: 'mine', external_id: 'M-1' }],
  ['GET', '/external-ids/lims/XID'],
  ['GET', '/external-ids?id_type=lims&external_id=XID'],
  ['POST', '/entities/ID/supersede', { id_type: 'lims', old_external_id: 'XID', new_external_id: 'N-1' }],
  ['POST', '/entities/own/supersede', { id_type: 'lims', old_external_id: 'XID', new_external_id: 'N-1' }],
  ['GET', '/entities/ID/superseded'],
  ['GET', '/ga4gh/drs/v1/objects/ID'],
  ['GET', '/entities?entity_type=Sample&filter=id%20%3D%3D%20%22ID%22'],
  ['GET', '/entities?entity_type=Sample&parent=ID&name=none'],
  ['POST', '/entities/Sample/bulk-availability', { entity_ids: ['ID'], available: false }],
])("%s %s answers the same for another project's entity as for an absent one", async (method, path, body) => {
  const ask = (id: string, xid: string): Promise<Answer> => {
    const filled = (text: string): string => text.replaceAll('XID', xid).replaceAll('ID', id);
    return call(method, filled(path), {
      key,
      ...(body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body))) as unknown }),
    });
  };
  const [foreign, absent] = [await ask(THERE, 'ZYZ-1'), await ask(NOBODYS, 'NON-1')];
  expect(plain(foreign)).toEqual(plain(absent));
});

test('the entity is unchanged after all these requests', async () => {
  const { body } = await call('GET', `/entities/${THERE}`);
  expect(body.data).toMatchObject({
    is_available: true,
    version: 2,
    data: { name: 'zyzzyva renamed', project: 'beta' },
  });
});

test.each<[what: string, ask: () => Promise<Answer>]>([
  ['a list', () => call('GET', '/entities?entity_type=Sample', { key })],
  ['a list with what is unavailable', () => call('GET', '/entities?include_unavailable=true', { key })],
  ['a list of the past', () => call('GET', '/entities?as_of=2100-01-01T00:00:00Z', { key })],
  ['an order by a field', () => call('GET', '/entities?entity_type=Sample&order_by=-data.name', { key })],
  [
    'a filter that is always true',
    () => call('GET', '/entities?entity_type=Sample&filter=data.name%20!%3D%20%22%22', { key }),
  ],
  ['a search', () => call('GET', '/search?entity_type=Sample&q=zyz', { key })],
  [
    'a list in GraphQL, with its count',
    () =>
      server.graphql(
        '{ entities(entityType: "Sample") { total items { data history { payload } relationships { sourceId targetId } } } }',
        {},
        { key },
      ),
  ],
  [
    'a search in GraphQL',
    () =>
      server.graphql(
        '{ search(entityType: "Sample", query: "zyz") { hits { entity { id data } } } }',
        {},
        { key },
      ),
  ],
])('%s shows nothing of it', async (_, ask) => {
  const { status, text } = await ask();
  expect(status).toBeLessThan(500);
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test.each<[what: string, method: string, path: string, body: Record<string, unknown>]>([
  [
    "its id, for an entity of one's own",
    'POST',
    '/ingest',
    { entity_type: 'Sample', id: THERE, data: { name: 'n', project: 'alpha' } },
  ],
  ['its external id', 'POST', '/entities/own/external-ids', { id_type: 'lims', external_id: 'ZYZ-1' }],
])('%s is refused as taken, without further details', async (_, method, path, body) => {
  const { status, text } = await call(method, path, { key, body });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(/zyzzyva|"beta"/);
  if (path !== '/ingest') expect(text).not.toContain(THERE);
});

test('counts do not include it', async () => {
  const { body } = await call('GET', '/entities?entity_type=Sample&limit=1', { key });
  expect(body.data.total).toBe(3);
});

test('a visible entity shows the id that it stores, but neither expands it nor lists the relationship', async () => {
  for (const id of ['points-over', 'shared']) {
    const { body, text } = await call('GET', `/entities/${id}?expand=parent`, { key });
    expect(body.data.data.parent).toBe(THERE);
    expect(text).not.toMatch(/zyzzyva|"beta"/);
  }
  for (const id of ['own', 'shared'])
    expect((await call('GET', `/entities/${id}/relationships`, { key })).body.data).toEqual([]);
  const { body } = await server.graphql(
    '{ entity(id: "own") { relationships { targetId } } findRelationships { items { targetId } } }',
    {},
    { key },
  );
  expect(JSON.stringify(body)).not.toContain(THERE);
});

test('the history of a visible entity does not show it, by REST, GraphQL, PROV or feed', async () => {
  const {
    body: {
      data: { provenanceToken },
    },
  } = await server.graphql('{ provenanceToken }');
  const id = 'told';
  await done('POST', '/ingest', { entity_type: 'Sample', id, data: { name: 'told' } });
  await done('POST', '/ingest', { entity_type: 'Sample', id: 'seen', data: { name: 'seen' } });
  for (const target of [THERE, 'seen'])
    await done('POST', `/entities/${id}/relationships`, {
      target_entity_id: target,
      relationship_type: 'made:of',
      metadata: { why: 'because' },
    });
  for (const target of [THERE, 'seen'])
    await done(
      'DELETE',
      `/entities/${id}/relationships/${encodeURIComponent(`${id}->${target}:made:of`)}`,
      undefined,
    );
  const supersede = (of: string, by: string): Promise<Answer> =>
    server.graphql(
      'mutation ($of: ID!, $by: ID!) { supersedeEntity(id: $of, replacementId: $by) { superseded { id } } }',
      { of, by },
    );
  await supersede(THERE, id);
  await done('POST', '/ingest', {
    entity_type: 'Sample',
    id: `${THERE}-too`,
    data: { name: 'too', project: 'beta' },
  });
  await supersede(id, `${THERE}-too`);
  const types = ['EntityCreated', 'RelationshipCreated', 'RelationshipRemoved', 'AvailabilityChanged'];
  const seen = await call('GET', `/entities/${id}/history`, { key });
  expect((seen.body.data as { event_type: string }[]).map((event) => event.event_type)).toEqual(types);
  const graph = await server.graphql(
    'query ($id: ID!) { entity(id: $id) { history { eventType payload } } provenanceDocument(entityIds: [$id]) }',
    { id },
    { key },
  );
  expect((graph.body.data.entity.history as { eventType: string }[]).map((event) => event.eventType)).toEqual(
    types,
  );
  const client = createSseClient({
    url: `${server.url}/graphql`,
    headers: { 'x-api-key': key },
    retryAttempts: 0,
  });
  const feed: { entityId: string; eventType: string }[] = [];
  for await (const { data } of client.iterate<{
    provenanceEvents: { event: { entityId: string; eventType: string } };
  }>({
    query: `subscription { provenanceEvents(after: "${String(provenanceToken)}") { event { entityId eventType payload } } }`,
  })) {
    if (data) feed.push(data.provenanceEvents.event);
    if (feed.length > types.length) break; // and that the other one was created
  }
  client.dispose();
  expect(feed.filter((event) => event.entityId === id).map((event) => event.eventType)).toEqual(types);
  for (const text of [seen.text, graph.text, JSON.stringify(feed)]) expect(text).not.toContain(THERE);
  // an actor of both projects sees everything
  expect((await call('GET', `/entities/${id}/history`)).body.data).toHaveLength(9);
});

test('GraphQL fields by reference do not show it: entity, entities, history, runs, traversal', async () => {
  const ask = async (id: string): Promise<unknown> =>
    plain(
      await server.graphql(
        'query ($id: ID!) { entity(id: $id) { id } entityHistory(entityId: $id) { eventType } relationships(entityId: $id) { id } externalIds(entityId: $id) { externalId } entityAt(id: $id, at: "2100-01-01T00:00:00Z") { id } entitiesPresent(ids: [$id]) }',
        { id },
        { key },
      ),
    );
  expect(await ask(THERE)).toEqual(await ask(NOBODYS));
});

test('both cases run the same statements, so that the response time does not reveal it', async () => {
  const statements = async (method: string, path: string): Promise<unknown> => {
    const traceId = randomBytes(16).toString('hex');
    await call(method, path, {
      key,
      headers: { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` },
      ...(method === 'GET' ? {} : { body: { data: { name: 'x' } } }),
    });
    await waitFor(() => {
      expect(otlp.of(traceId).some(({ parentSpanId }) => parentSpanId === '1'.repeat(16))).toBe(true);
    });
    return otlp
      .of(traceId)
      .map(({ attributes }) => attributes['db.query.text'])
      .filter((text) => String(text).includes('metadata.')); // without reads of the key
  };
  for (const [method, path] of [
    ['GET', '/entities/ID'],
    ['GET', '/entities/ID/history'],
    ['GET', '/entities/ID/relationships'],
    ['PUT', '/entities/Sample/ID'],
  ] as const) {
    const [foreign, absent] = [
      await statements(method, path.replace('ID', THERE)),
      await statements(method, path.replace('ID', NOBODYS)),
    ];
    expect(foreign).not.toEqual([]);
    expect([method, path, foreign]).toEqual([method, path, absent]);
  }
});
