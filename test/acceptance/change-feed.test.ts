// The change feed for its readers: server-sent events and WebSockets, with the same credentials, roles,
// projects and audit records as requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FEED, Reader, server, setUp, sse, type Transport, ws, wsClient } from './change-feed-testkit.ts';

setUp();

const ingest = (id: string, data: Record<string, unknown> = {}) =>
  server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Thing', data: { id, ...data } } });

const log = async (): Promise<string[]> =>
  (
    await server.database.pool.query<{ id: string }>('SELECT id FROM metadata.provenance ORDER BY position')
  ).rows.map((r) => r.id);

const TRANSPORTS: [string, Transport][] = [
  ['server-sent events', sse],
  ['a WebSocket', ws],
];

test.each(TRANSPORTS)(
  'over %s, an event arrives when it is committed, and its token resumes after it',
  async (_, open) => {
    const first = open();
    await sleep(300);
    await ingest(`live-${open.name}`, { n: 1 });
    const [item] = await first.take(1);
    expect(item).toMatchObject({
      event: {
        eventType: 'EntityCreated',
        entityId: `live-${open.name}`,
        payload: { initial_state: { n: 1 } },
      },
    });
    first.stop();
    await ingest(`away-${open.name}`);
    await ingest(`away-${open.name}`, { n: 2 });
    const again = open({ after: item?.token });
    expect((await again.take(2)).map((i) => [i.event.entityId, i.event.eventType])).toEqual([
      [`away-${open.name}`, 'EntityCreated'],
      [`away-${open.name}`, 'EntityUpdated'],
    ]);
    again.stop();
  },
);

const LOG = 'subscription Log($after: Int) { runLog(runId: "r", after: $after) { attempt } }';
test.each([
  [
    'number',
    FEED,
    4,
    /^Variable "\$after" got invalid value 4; String cannot represent a non string value: 4$/,
  ],
  ['list', FEED, ['start'], /^Variable "\$after" got invalid value \["start"\]/],
  ['null', LOG, null, /^Argument "after" of non-null type "Int!" must not be null\.$/],
])(
  'a subscription whose variable is a %s, and should be another, is refused',
  async (_, query, after, message) => {
    const refused = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', 'x-api-key': server.key },
      body: JSON.stringify({ query, variables: { after } }),
    });
    const {
      errors: [error],
    } = (await refused.json()) as { errors: [{ message: string; extensions: unknown }] };
    expect([refused.status, error.message]).toEqual([400, expect.stringMatching(message)]);
    expect(error.extensions).toMatchObject({ code: 'INVALID_REQUEST' });
    const client = wsClient();
    const reader = new Reader((sink) => client.subscribe({ query, variables: { after } }, sink));
    await reader.end();
    expect(reader.results).toMatchObject([
      { errors: [{ message: error.message, extensions: { code: 'INVALID_REQUEST' } }] },
    ]);
  },
);

test.each(TRANSPORTS)('over %s, projects and roles hold', async (_, open) => {
  const [alpha, beta] = [
    await server.newKey({ role: 'viewer', project: 'alpha' }),
    await server.newKey({ role: 'viewer', project: 'beta' }),
  ];
  const all = (await log()).length;
  const token = (
    await (async () => {
      const r = open({ after: 'start' });
      const items = await r.take(all);
      r.stop();
      return items;
    })()
  ).at(-1)?.token;
  await ingest(`a-${open.name}`, { project: 'alpha' });
  await ingest(`b-${open.name}`, { project: 'beta' });
  await ingest(`s-${open.name}`);
  const seen = async (key: string): Promise<(string | null)[]> => {
    const r = open({ after: token }, key);
    const items = await r.take(2);
    r.stop();
    return items.map((i) => i.event.entityId);
  };
  expect(await seen(alpha)).toEqual([`a-${open.name}`, `s-${open.name}`]);
  expect(await seen(beta)).toEqual([`b-${open.name}`, `s-${open.name}`]);
});

test.each(TRANSPORTS)('over %s, a revoked key ends the stream at once', async (_, open) => {
  const made = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
    body: { label: 'short-lived', role: 'viewer' },
  });
  const { secret, id } = made.body as { secret: string; id: string };
  const reader = open({}, secret);
  await sleep(500);
  await ingest(`before-${open.name}`);
  await reader.take(1);
  const revoked = Date.now();
  expect((await server.rest('DELETE', `/api/v1/gateway/auth/api-keys/${id}`)).status).toBe(200);
  const end = await reader.end();
  // the end is announced: polling would take four seconds
  expect(Date.now() - revoked).toBeLessThan(3000);
  if (open === ws) expect(end).toMatchObject({ code: 4401 });
  else expect(reader.results.at(-1)?.errors?.[0]?.extensions).toMatchObject({ code: 'REVOKED_TOKEN' });
});

test('three readers that come and go at random, over both transports, get every event exactly once, in order, while eight writers write', async () => {
  const before = (await log()).length;
  const start = sse({ after: 'start' });
  const token = (await start.take(before)).at(-1)?.token;
  start.stop();
  const [WRITERS, ROUNDS] = [8, 25];
  const writing = Promise.all(
    Array.from({ length: WRITERS }, async (_, w) => {
      for (let i = 0; i < ROUNDS; i++) await ingest(`w${w}-${i % 5}`, { n: i * 8 + w });
    }),
  );
  const expected = WRITERS * ROUNDS;
  const read = async (turn: number): Promise<string[]> => {
    const seen: string[] = [];
    for (let after = token; seen.length < expected; turn++) {
      const reader = (turn % 2 === 0 ? sse : ws)({ after });
      for (const item of await reader.take(
        Math.min(1 + Math.floor(Math.random() * 40), expected - seen.length),
      )) {
        seen.push(item.event.id);
        after = item.token;
      }
      reader.stop();
    }
    return seen;
  };
  const reading = Promise.all([read(0), read(1), read(2)]);
  await Promise.allSettled([reading, writing]); // a second try must not meet writes of the first
  const readers = await reading;
  await writing;
  const ids = (await log()).slice(before);
  expect(ids).toHaveLength(expected);
  for (const seen of readers) expect(seen).toEqual(ids);
});

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'x-api-key': server.key,
      ...headers,
    },
    body: JSON.stringify(body),
  });

test('a subscription that cannot start is rejected before the stream, with status and code', async () => {
  const code = async (response: Response): Promise<[number, unknown]> => {
    const body = (await response.json()) as {
      errors?: { extensions: Record<string, unknown> }[];
      error?: string;
    };
    return [response.status, body.errors?.[0]?.extensions['code'] ?? body.error];
  };
  expect(await code(await post({ query: FEED, variables: { after: 'x' } }))).toEqual([
    400,
    'INVALID_REQUEST',
  ]);
  expect(
    await code(
      await post({
        query: FEED,
        variables: { after: Buffer.from('e2.999999999.00000000').toString('base64url') },
      }),
    ),
  ).toEqual([400, 'INVALID_REQUEST']);
  expect(await code(await post({ query: FEED, variables: { filter: 'nonsense(' } }))).toEqual([
    422,
    'VALIDATION_FAILED',
  ]);
  expect(await code(await post({ query: 'subscription { nothing }' }))).toEqual([400, 'INVALID_REQUEST']);
  expect(await code(await post({ query: FEED }, { 'x-api-key': 'sk_wrong' }))).toEqual([
    401,
    'invalid_token',
  ]);
  const asJson = (accept: string): Promise<Response> => post({ query: FEED, variables: {} }, { accept });
  expect(await code(await asJson('application/graphql-response+json'))).toEqual([400, 'INVALID_REQUEST']);
  // for clients that only accept plain JSON, a status other than 200 is not an answer of GraphQL
  expect(await code(await asJson('application/json'))).toEqual([200, 'INVALID_REQUEST']);
});

test('the stream has the form of GraphQL over SSE; a query is answered by one event and the end', async () => {
  const response = await post({ query: '{ schemaRevision }' });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toMatch(
    /^:\n\nevent: next\ndata: \{"data":\{"schemaRevision":"1"\}.*\}\n\nevent: complete\ndata:\n\n$/,
  );
});

test('a client that accepts event streams and JSON gets a stream for a subscription, and JSON for a query', async () => {
  const ask = (query: string) =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: {
        'x-api-key': server.key,
        'content-type': 'application/json',
        accept: 'application/json;q=0.9, text/event-stream',
      },
      body: JSON.stringify({ query }),
    });
  const query = await ask('{ schemaRevision }');
  expect([query.headers.get('content-type'), await query.json()]).toEqual([
    expect.stringContaining('application/json'),
    expect.objectContaining({ data: { schemaRevision: expect.any(String) } }),
  ]);
  const feed = await ask('subscription { provenanceEvents { token } }');
  expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  await feed.body?.cancel();
});
