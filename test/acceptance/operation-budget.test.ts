// Operation budgets over every transport and placement of components: refusals state the limit, the cost and
// what is allowed.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient as createWsClient } from 'graphql-ws';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { asSuperuser } from '../testkit/database.ts';
import { startServer, type TestServer } from '../testkit/server.ts';

const CONFIG = 'graphql: {limits: {cost: 5000, objects: 200, bytes: 30 kB, time_ms: 6000}}\n';
const HUBS = Array.from({ length: 6 }, (_, i) => `hub-${i}`);
const hops = (count: number): string =>
  `{ entity(id: "hub-0") { ${'relationships(limit: 5) { target { '.repeat(count)} id ${'} } '.repeat(count)} } }`;
const BIG = '{ entities(entityType: "Big") { items { id data } } }';
const BIG_BY_VALUES = '{ entities(entityType: "Big") { items { ...F } } } fragment F on Entity { id data }';

let server: TestServer;
let viewer: string;

beforeAll(async () => {
  server = await startServer({ config: CONFIG });
  for (const name of ['Hub', 'Big'])
    await server.rest('POST', '/api/v1/metadata/schemas', {
      body: {
        name,
        version: '1',
        fields: [
          { name: 'text', field_type: 'string' },
          { name: 'of', field_type: 'ref', references: 'Hub' },
        ],
      },
    });
  for (const id of HUBS)
    await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Hub', data: { id } } });
  for (let i = 0; i < 8; i++)
    await server.rest('POST', '/api/v1/metadata/ingest', {
      body: { entity_type: 'Big', data: { id: `big-${i}`, text: 'x'.repeat(8000), of: 'hub-0' } },
    });
  for (const a of HUBS)
    for (const b of HUBS)
      if (a !== b)
        await server.graphql(
          'mutation($a: ID!, $b: ID!) { relate(sourceId: $a, targetId: $b, relationshipType: "knows") { id } }',
          { a, b },
        );
  viewer = await server.newKey({ role: 'viewer' });
});
afterAll(() => server[Symbol.asyncDispose]());

// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects
const overSse = async (query: string): Promise<Record<string, any>> => {
  const { text } = await server.rest('POST', '/graphql', {
    key: viewer,
    body: { query },
    headers: { accept: 'text/event-stream' },
  });
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as Record<string, unknown>;
};
const overSocket = async (query: string): Promise<unknown> => {
  const client = createWsClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { apiKey: viewer },
  });
  try {
    for await (const result of client.iterate({ query })) return result;
    return undefined;
  } catch (errors) {
    return { errors };
  } finally {
    await client.dispose();
  }
};
const refusal = (limit: string, allowed: number) => ({
  errors: [
    {
      message: expect.stringContaining('exceeds a limit') as unknown,
      extensions: {
        code: 'INVALID_REQUEST',
        details: { limit, asked: expect.any(Number) as unknown, allowed },
      },
    },
  ],
});

test.each([
  ['cost', 5000, hops(6)],
  ['objects', 200, hops(3)],
  ['bytes', 30_000, BIG],
  ['bytes', 30_000, BIG_BY_VALUES],
  ['bytes', 30_000, '{ typed { bigList { nodes { text } } } }'],
  ['bytes', 30_000, '{ entity(id: "big-0") { a: data b: data c: data d: data } }'],
  [
    'bytes',
    30_000,
    '{ entity(id: "big-0") { ...F } } fragment F on Entity { a: data b: data c: data d: data }',
  ],
])('too many %s (%i) are refused over every transport: %s', async (limit, allowed, query) => {
  const { status, body } = await server.graphql(query, {}, { key: viewer });
  expect({ status, keys: Object.keys(body as object) }).toEqual({ status: 400, keys: ['errors'] });
  expect(body).toMatchObject(refusal(limit, allowed));
  if (limit !== 'cost') expect(await overSse(query)).toMatchObject(refusal(limit, allowed));
  expect(await overSocket(query)).toMatchObject(refusal(limit, allowed));
});

test('an operation within the limits gets the same answer over every transport', async () => {
  const query =
    '{ entity(id: "hub-0") { id relationships(limit: 5) { target { id } } } big: entities(entityType: "Big", limit: 2) { items { data } } }';
  const { status, body } = await server.graphql(query, {}, { key: viewer });
  expect(status).toBe(200);
  expect([await overSse(query), await overSocket(query)]).toEqual([body, body]);
});

test('sizes that variables say are counted', async () => {
  const query =
    'query($n: Int = 3) { entity(id: "hub-0") { relationships(limit: $n) { target { relationships(limit: $n) { id } } } } }';
  expect((await server.graphql(query, {}, { key: viewer })).status).toBe(200);
  expect((await server.graphql(query, { n: 500 }, { key: viewer })).body).toMatchObject(
    refusal('cost', 5000),
  );
});

test('REST rows have the same budget', async () => {
  const { status, body } = await server.rest('GET', '/api/v1/metadata/entities?entity_type=Big', {
    key: viewer,
  });
  expect([status, body]).toMatchObject([
    400,
    { error: { code: 400, message: expect.stringContaining('30000 are allowed') as unknown } },
  ]);
  expect(
    (await server.rest('GET', '/api/v1/metadata/entities?entity_type=Big&limit=2', { key: viewer })).status,
  ).toBe(200);
  const expanded = await server.rest(
    'GET',
    '/api/v1/metadata/entities?entity_type=Hub&expand=knows[].knows[].knows[]',
    { key: viewer },
  );
  expect([expanded.status, expanded.body.error?.message]).toEqual([
    400,
    expect.stringContaining('objects, but at most 200 are allowed'),
  ]);
});

test('an event of a subscription that exceeds the budget is an error of that event alone', async () => {
  const client = createWsClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { apiKey: viewer },
  });
  const results = client.iterate({
    query: 'subscription { provenanceEvents(types: ["EntityUpdated"]) { event { entityId payload } } }',
  });
  const next = results.next();
  await sleep(300);
  await server.rest('PUT', '/api/v1/metadata/entities/Big/big-7', {
    body: { data: { text: 'y'.repeat(40_000) } },
  });
  await server.rest('PUT', '/api/v1/metadata/entities/Hub/hub-5', { body: { data: { text: 'small' } } });
  expect((await next).value).toMatchObject({
    errors: [{ extensions: { code: 'INVALID_REQUEST', details: { limit: 'bytes', allowed: 30_000 } } }],
  });
  expect((await results.next()).value).toMatchObject({
    data: { provenanceEvents: { event: { entityId: 'hub-5' } } },
  });
  await client.dispose();
});

/** Relationships cannot be read meanwhile: readers wait for PostgreSQL. */
async function whileLocked(work: (waiting: () => Promise<number>) => Promise<void>): Promise<void> {
  const { pathname } = new URL(server.database.url);
  const name = pathname.slice(1);
  const owner = new pg.Client(inject('database').superuserUrl.replace(/\/[^/]*$/, `/${name}`));
  await owner.connect();
  const waiting = async (): Promise<number> =>
    (
      await asSuperuser<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = '${name}' AND wait_event_type = 'Lock'`,
      )
    )[0]?.n ?? 0;
  try {
    await owner.query('BEGIN; LOCK TABLE metadata.relationship IN ACCESS EXCLUSIVE MODE');
    await work(waiting);
  } finally {
    await owner.query('ROLLBACK');
    await owner.end();
  }
}
const until = async (is: () => Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + 20_000; !(await is());) {
    if (performance.now() > end) throw new Error('it never came to be');
    await sleep(20);
  }
};

test('a deadline ends the work in PostgreSQL too', async () => {
  await whileLocked(async (waiting) => {
    const asked = server.graphql(hops(1), {}, { key: viewer });
    await until(async () => (await waiting()) === 1);
    expect((await asked).body).toMatchObject(refusal('time', 6000));
    await until(async () => (await waiting()) === 0);
  });
  expect((await server.graphql(hops(1), {}, { key: viewer })).status).toBe(200);
});

test('a client that disconnects also ends the work in PostgreSQL', async () => {
  await whileLocked(async (waiting) => {
    const leaving = new AbortController();
    const asked = fetch(`${server.url}/graphql`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'content-type': 'application/json', 'x-api-key': viewer },
      body: JSON.stringify({ query: hops(1) }),
    }).catch(() => undefined);
    await until(async () => (await waiting()) === 1);
    leaving.abort();
    const from = performance.now();
    await asked;
    await until(async () => (await waiting()) === 0);
    expect(performance.now() - from).toBeLessThan(4000); // long before its deadline
  });
});
