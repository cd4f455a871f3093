// Client library: the change feed, resumed by its tokens, across lost connections
// (docs/reference/metadata.md#following-events).
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, type FeedItem, MetadataError } from '../../client/src/index.ts';
import { faultyProxy } from './faulty-proxy.ts';
import { freePort } from '../testkit/free-port.ts';
import { type Served, servedClient } from './served-client.ts';

let served: Served;
beforeAll(async () => {
  served = await servedClient();
});
afterAll(() => served[Symbol.asyncDispose]());

const told = ({ event }: FeedItem): string => `${event.eventType} ${event.entityId ?? ''}`.trim();

/** The first items of a feed, which is then closed. */
async function take(feed: AsyncIterable<FeedItem>, count: number): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  for await (const item of feed) if (items.push(item) === count) break;
  return items;
}

test('the whole log from its start, each event once, in order, with the fields of the specification', async () => {
  const { client } = served;
  await client.create('Sample', { name: 'a' }, { id: 'e1', provenanceContext: { notes: 'why' } });
  await client.update('Sample', 'e1', { name: 'b' });
  const items = await take(client.events({ after: 'start', entityTypes: ['Sample'] }), 2);
  expect(items.map(told)).toEqual(['EntityCreated e1', 'EntityUpdated e1']);
  expect(items[0]?.event).toMatchObject({
    entityType: 'Sample',
    actor: 'user:admin',
    context: { notes: 'why' },
    payload: { initial_state: { name: 'a' } },
  });
  expect(items.map(({ event }) => event)).toEqual(await client.history('Sample', 'e1').all());
});

test('new events arrive when they are written', async () => {
  const { client } = served;
  const after = await client.eventToken();
  const coming = take(client.events({ after, eventTypes: ['EntityCreated'] }), 3);
  for (const id of ['n1', 'n2', 'n3']) await client.create('Sample', { name: id }, { id });
  expect((await coming).map(told)).toEqual(['EntityCreated n1', 'EntityCreated n2', 'EntityCreated n3']);
});

test('a token continues after its event, also in another client', async () => {
  const { client, connect } = served;
  const after = await client.eventToken();
  for (const id of ['t1', 't2', 't3']) await client.create('Sample', { name: id }, { id });
  const [first] = await take(client.events({ after }), 1);
  const rest = await take(connect().events({ after: first?.token }), 2);
  expect([first, ...rest].map((item) => item && told(item))).toEqual([
    'EntityCreated t1',
    'EntityCreated t2',
    'EntityCreated t3',
  ]);
});

test('types, entity types with their subtypes, and CEL choose events', async () => {
  const { client } = served;
  const after = await client.eventToken();
  await client.create('Donor', { name: 'x' }, { id: 'd1' });
  await client.create('Biopsy', { name: 'x' }, { id: 'b1' });
  await client.update('Biopsy', 'b1', { name: 'y' });
  await client.delete('Donor', 'd1');
  expect((await take(client.events({ after, entityTypes: ['Sample'] }), 2)).map(told)).toEqual([
    'EntityCreated b1',
    'EntityUpdated b1',
  ]);
  expect((await take(client.events({ after, eventTypes: ['AvailabilityChanged'] }), 1)).map(told)).toEqual([
    'AvailabilityChanged d1',
  ]);
  expect(
    (await take(client.events({ after, filter: 'payload.new_state.name == "y"' }), 1)).map(told),
  ).toEqual(['EntityUpdated b1']);
});

test('a lost connection is reopened, and no event is missed or delivered twice', async () => {
  const { client } = served;
  const after = await client.eventToken();
  await using proxy = await faultyProxy(served.server.url);
  const lost: MetadataError[] = [];
  const follower = createClient({
    url: proxy.url,
    apiKey: served.server.key,
    retries: { attempts: 0, minDelayMs: 5, maxDelayMs: 20 },
  });
  const seen: string[] = [];
  const following = (async () => {
    for await (const item of follower.events({
      after,
      eventTypes: ['EntityCreated'],
      onDisconnect: (error) => lost.push(error),
    })) {
      seen.push(told(item));
      if (seen.length % 10 === 0) proxy.cut();
      if (seen.length === 5)
        proxy.plan('cut before', { status: 503 }, { status: 429, headers: { 'retry-after': '0' } });
      if (seen.length === 40) break;
    }
  })();
  for (let i = 0; i < 40; i++) await client.create('Sample', { name: 'x' }, { id: `lost:${i}` });
  await following;
  expect(seen).toEqual(Array.from({ length: 40 }, (_, i) => `EntityCreated lost:${i}`));
  expect(lost.length).toBeGreaterThanOrEqual(3);
  expect(lost.every((error) => error instanceof MetadataError)).toBe(true);
});

test('a feed that is limited is opened again when the server says', async () => {
  const { client, server } = served;
  const after = await client.eventToken();
  await using proxy = await faultyProxy(server.url);
  proxy.plan({ status: 429, headers: { 'retry-after': '1' } });
  const patient = createClient({
    url: proxy.url,
    apiKey: server.key,
    retries: { attempts: 1, minDelayMs: 1 },
  });
  await client.create('Sample', { name: 'x' }, { id: 'limited' });
  const before = performance.now();
  expect((await take(patient.events({ after }), 1)).map(told)).toEqual(['EntityCreated limited']);
  expect(performance.now() - before).toBeGreaterThanOrEqual(950);
});

test('a signal ends the feed with its own reason, also while nothing happens', async () => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const following = take(
    served.client.events({ after: await served.client.eventToken(), signal: controller.signal }),
    1,
  );
  setTimeout(() => {
    controller.abort(reason);
  }, 100);
  await expect(following).rejects.toBe(reason);
});

test('a rejected subscription is an exception, not a feed', async () => {
  const { client, connect } = served;
  await expect(take(client.events({ after: 'nonsense' }), 1)).rejects.toMatchObject({
    name: 'ValidationError',
    code: 'INVALID_REQUEST',
  });
  await expect(
    take(client.events({ after: btoa('e2.999999999.00000000').replace(/=*$/, '') }), 1),
  ).rejects.toMatchObject({
    name: 'ValidationError',
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('beyond the end of the log') as unknown,
  });
  await expect(take(client.events({ filter: 'event_type ==' }), 1)).rejects.toMatchObject({
    name: 'ValidationError',
    details: { line: 1 },
  });
  await expect(take(client.events({ entityTypes: ['Nothing'] }), 1)).rejects.toMatchObject({
    name: 'SchemaError',
  });
  await expect(take(connect({ apiKey: 'sk_wrong' }).events(), 1)).rejects.toMatchObject({
    name: 'UnauthorizedError',
  });
  await expect(
    take(connect({ url: `http://127.0.0.1:${await freePort()}`, retries: 0 }).events(), 1),
  ).rejects.toMatchObject({ name: 'UnavailableError', reached: 'no' });
});

test('a token that is refused is replaced by another one', async () => {
  const feed = served
    .connect({
      apiKey: undefined,
      getToken: ({ rejected }) => (rejected === undefined ? 'sk_wrong' : served.server.key),
    })
    .events({ after: 'start' });
  expect(await take(feed, 1)).toHaveLength(1);
});

test(
  'a credential that ends while the feed is open is replaced, and nothing is missed; one that cannot be ends the feed',
  { timeout: 120_000 },
  async () => {
    const { client, server, connect } = served;
    const after = await client.eventToken();
    const {
      createApiKey: { secret, key },
    } = await client.graphql<{ createApiKey: { secret: string; key: { id: string } } }>(
      'mutation MakeKey { createApiKey(input: { label: "short", role: viewer }) { secret key { id } } }',
    );
    const renewing = connect({
      apiKey: undefined,
      getToken: ({ rejected }) => (rejected === undefined ? secret : server.key),
    });
    const [followed, fixed] = [
      take(renewing.events({ after }), 2),
      take(connect({ apiKey: secret }).events({ after }), 3),
    ];
    const ended = expect(fixed).rejects.toMatchObject({ name: 'UnauthorizedError', code: 'REVOKED_TOKEN' });
    await client.create('Sample', { name: 'x' }, { id: 'held:1' });
    await client.graphql('mutation Revoke($id: ID!) { revokeApiKey(id: $id) { id } }', { id: key.id });
    await ended;
    await client.create('Sample', { name: 'x' }, { id: 'held:2' });
    expect((await followed).map(told)).toEqual(['EntityCreated held:1', 'EntityCreated held:2']);
  },
);

test('a feed from now on misses nothing, though its connection is lost before the first event', async () => {
  const { client, server } = served;
  await using proxy = await faultyProxy(server.url);
  const coming = take(
    createClient({ url: proxy.url, apiKey: server.key, retries: { minDelayMs: 200 } }).events({
      eventTypes: ['EntityCreated'],
    }),
    2,
  );
  while (!proxy.asked.includes('ProvenanceEvents')) await sleep(20);
  await sleep(100);
  proxy.cut();
  for (const id of ['gap:1', 'gap:2']) await client.create('Sample', { name: id }, { id });
  expect((await coming).map(told)).toEqual(['EntityCreated gap:1', 'EntityCreated gap:2']);
});

test('a read after taking a token, followed by the feed from that token, misses nothing', async () => {
  const { client } = served;
  const after = await client.eventToken();
  await client.create('Sample', { name: 'x' }, { id: 'both:1' });
  const read = await client.query('Sample', {}, { filter: 'id.startsWith("both:")' }).all();
  await client.create('Sample', { name: 'x' }, { id: 'both:2' });
  expect(read.map(({ id }) => id)).toEqual(['both:1']);
  expect((await take(client.events({ after }), 2)).map(told)).toEqual([
    'EntityCreated both:1',
    'EntityCreated both:2',
  ]);
});
