// Client library: which requests are retried after a failure, through a proxy with scripted faults.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  AdapterError,
  type Client,
  type ClientOptions,
  ConfigError,
  createClient,
  RateLimitedError,
  UnavailableError,
} from '../../client/src/index.ts';
import { type FaultyProxy, faultyProxy } from './faulty-proxy.ts';
import { freePort } from '../testkit/free-port.ts';
import { startServer } from '../testkit/server.ts';
import { type Served, servedClient } from './served-client.ts';

let served: Served;
let proxy: FaultyProxy;
let client: Client;
const connect = (more: Partial<ClientOptions> = {}): Client =>
  createClient({
    url: proxy.url,
    apiKey: served.server.key,
    retries: { attempts: 3, minDelayMs: 1, maxDelayMs: 1500 },
    ...more,
  });

beforeAll(async () => {
  served = await servedClient();
  await served.client.create('Sample', { name: 'there' }, { id: 'there' });
  await served.client.create('Sample', { name: 'there too' }, { id: 'there:2' });
});
afterAll(() => served[Symbol.asyncDispose]());
beforeEach(async () => {
  proxy = await faultyProxy(served.server.url);
  client = connect();
  return () => proxy[Symbol.asyncDispose]();
});

const BUSY = { status: 503, headers: { 'retry-after': '0' } };

test.each([
  'cut before',
  'cut after',
  'cut within',
  { status: 502 },
  { status: 503 },
  { status: 504 },
  { status: 429 },
] as const)('a read is sent again after %j', async (fault) => {
  proxy.plan(fault, fault);
  expect(await client.get('Sample', 'there')).toMatchObject({ id: 'there' });
  expect(proxy.asked).toEqual(['GetEntity', 'GetEntity', 'GetEntity']);
});

test('a read that keeps failing fails, after as many attempts as were allowed', async () => {
  proxy.plan('cut before', 'cut before', 'cut before', 'cut before', 'cut before');
  await expect(client.get('Sample', 'there')).rejects.toMatchObject({
    name: 'UnavailableError',
    code: 'UNREACHABLE',
    reached: 'unknown',
  });
  expect(proxy.asked).toHaveLength(4);
  await expect(connect({ retries: 0 }).get('Sample', 'there')).rejects.toBeInstanceOf(UnavailableError);
  expect(proxy.asked).toHaveLength(5);
});

test.each([
  ['cut before', 'NotMade'],
  ['cut after', 'Made'],
] as const)('a write whose connection was %s is not sent again: it may have been made', async (fault, id) => {
  proxy.plan(fault);
  await expect(client.ingest('Sample', { name: 'a' }, { id })).rejects.toMatchObject({
    name: 'UnavailableError',
    reached: 'unknown',
  });
  expect(proxy.asked).toEqual(['IngestEntity']);
  expect(await served.client.query('Sample', { id }).count()).toBe(id === 'Made' ? 1 : 0);
});

test('a write is sent again where the connection was refused: nothing has been sent', async () => {
  const port = await freePort();
  const early = createClient({
    url: `http://127.0.0.1:${port}`,
    apiKey: served.server.key,
    retries: { attempts: 20, minDelayMs: 50, maxDelayMs: 100 },
  });
  const related = early.relate('there', 'there:2', 'later');
  await sleep(150);
  await using late = await faultyProxy(served.server.url, port);
  expect(await related).toMatchObject({ id: 'there->there:2:later' });
  expect(late.asked).toEqual(['Relate']);
});

test('a connection that is refused for good is an UnavailableError that says that nothing has happened', async () => {
  const nowhere = createClient({
    url: `http://127.0.0.1:${await freePort()}`,
    apiKey: served.server.key,
    retries: { attempts: 1, minDelayMs: 1 },
  });
  await expect(nowhere.relate('there', 'there:2', 'never')).rejects.toMatchObject({
    name: 'UnavailableError',
    reached: 'no',
    message: expect.stringContaining('ECONNREFUSED') as string,
  });
});

test('an idempotent write is sent again where the server says when', async () => {
  proxy.plan(BUSY, { status: 429, headers: { 'retry-after': '0' } });
  expect(await client.create('Sample', { name: 'once' })).toMatchObject({ version: 1 });
  expect(proxy.asked).toEqual(['IngestEntity', 'IngestEntity', 'IngestEntity']);
  expect(await served.client.query('Sample', { name: 'once' }).count()).toBe(1);
});

test('an idempotent write is not sent again where the server does not say when', async () => {
  proxy.plan({ status: 503 });
  await expect(client.update('Sample', 'there', { name: 'x' })).rejects.toBeInstanceOf(UnavailableError);
  expect(proxy.asked).toHaveLength(1);
});

test('any write is sent again where the server limits requests and says when: it has refused it', async () => {
  proxy.plan({ status: 429, headers: { 'retry-after': '0' } });
  expect(await client.relate('there', 'there:2', 'patient')).toMatchObject({ id: 'there->there:2:patient' });
  expect(proxy.asked).toEqual(['Relate', 'Relate']);
  proxy.plan({ status: 429 });
  await expect(client.relate('there', 'there:2', 'hasty')).rejects.toBeInstanceOf(RateLimitedError);
  expect(proxy.asked).toHaveLength(3);
});

test('a timeout longer than a timer can hold does not fire at once', async () => {
  proxy.plan({ delayMs: 100 });
  expect(await connect({ retries: 0, timeoutMs: 2 ** 31 }).me()).toMatchObject({ actor: 'user:admin' });
  expect(proxy.asked).toHaveLength(1);
  await expect(client.me({ timeoutMs: -1 })).rejects.toBeInstanceOf(ConfigError);
  await expect(client.me({ timeoutMs: Number.NaN })).rejects.toBeInstanceOf(ConfigError);
});

test('a write that can succeed only once is never sent again', async () => {
  proxy.plan(BUSY, BUSY, BUSY);
  await expect(client.relate('there', 'there:2', 'x')).rejects.toBeInstanceOf(UnavailableError);
  await expect(client.update('Sample', 'there', { name: 'x' }, { ifVersion: 1 })).rejects.toBeInstanceOf(
    UnavailableError,
  );
  await expect(client.graphql('mutation Own { deleteEntity(id: "there") { id } }')).rejects.toBeInstanceOf(
    UnavailableError,
  );
  expect(proxy.asked).toEqual(['Relate', 'UpdateEntity', 'Own']);
});

test('graphql retries queries, and mutations that are declared idempotent', async () => {
  proxy.plan(BUSY, 'pass', BUSY);
  await client.graphql('query Mine { me { actor } }');
  await client.graphql(
    'mutation Yours { setAvailability(id: "there", isAvailable: true) { id } }',
    {},
    { safety: 'idempotent' },
  );
  expect(proxy.asked).toEqual(['Mine', 'Mine', 'Yours', 'Yours']);
});

test("the server's Retry-After is waited for; one beyond the longest wait is an error that tells it", async () => {
  proxy.plan({ status: 429, headers: { 'retry-after': '1' } });
  const before = performance.now();
  await client.me();
  expect(performance.now() - before).toBeGreaterThanOrEqual(950);
  proxy.plan({ status: 429, headers: { 'retry-after': '60' } });
  const limited = client.me();
  await expect(limited).rejects.toBeInstanceOf(RateLimitedError);
  await expect(limited).rejects.toMatchObject({ retryAfterSeconds: 60 });
});

test("the gateway's own refusal keeps its message and its request's id", async () => {
  const body = JSON.stringify({
    error: 'rate_limit_exceeded',
    message: 'slow down',
    request_id: 'r',
    details: {},
  });
  proxy.plan({
    status: 429,
    headers: { 'retry-after': '0', 'content-type': 'application/json', 'x-request-id': 'r' },
    body,
  });
  await expect(connect({ retries: 0 }).me()).rejects.toMatchObject({
    name: 'RateLimitedError',
    message: 'slow down',
    requestId: 'r',
    retryAfterSeconds: 0,
  });
});

test('a platform that limits requests is asked again until every one has been answered', async () => {
  await using limited = await startServer({
    config: 'rate_limit: {enabled: true, per_actor_rps: 10, burst: 3}',
  });
  const statuses: number[] = [];
  const counting = async (input: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    statuses.push(response.status);
    return response;
  };
  const patient = createClient({
    url: limited.url,
    apiKey: limited.key,
    retries: { attempts: 20, minDelayMs: 20 },
    fetch: counting,
  });
  const answers = await Promise.all(Array.from({ length: 8 }, () => patient.me()));
  expect(answers.every(({ actor }) => actor === 'user:admin')).toBe(true);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status === 200)).toHaveLength(8);
});

test('an attempt that exceeds its timeout is aborted: a read is sent again, a write is not', async () => {
  const hasty = connect({ timeoutMs: 150 });
  proxy.plan({ delayMs: 600 });
  expect(await hasty.get('Sample', 'there')).toMatchObject({ id: 'there' });
  proxy.plan({ delayMs: 600 });
  await expect(hasty.availability.set('there', true)).rejects.toMatchObject({
    name: 'UnavailableError',
    code: 'TIMEOUT',
    reached: 'unknown',
  });
  proxy.plan({ delayMs: 300 });
  await hasty.availability.set('there', true, { timeoutMs: 5000 });
});

test('a signal ends a request, a wait and a listing, with its own reason', async () => {
  const reason = new Error('never mind');
  const ending = async (run: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    const controller = new AbortController();
    const running = run(controller.signal);
    setTimeout(() => {
      controller.abort(reason);
    }, 50);
    await expect(running).rejects.toBe(reason);
  };
  proxy.plan({ delayMs: 1000 });
  await ending((signal) => client.get('Sample', 'there', { signal }));
  proxy.plan({ status: 503, headers: { 'retry-after': '1' } });
  await ending((signal) => client.get('Sample', 'there', { signal }));
  proxy.plan({ delayMs: 1000 });
  await ending((signal) => client.query('Sample', {}, { signal }).all());
  await expect(client.me({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test("an answer that is not the platform's is an AdapterError, a redirect a ConfigError that names its target", async () => {
  proxy.plan(
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' },
    { status: 404, body: 'no' },
    { status: 200, headers: { 'content-type': 'application/json' }, body: '{"hello": 1}' },
    { status: 308, headers: { location: 'https://elsewhere.example/graphql' } },
  );
  for (let i = 0; i < 3; i++) await expect(client.me()).rejects.toBeInstanceOf(AdapterError);
  const redirected = client.me();
  await expect(redirected).rejects.toBeInstanceOf(ConfigError);
  await expect(redirected).rejects.toThrow('https://elsewhere.example/graphql');
});

test('a bulk ingest over an unreliable connection is executed once', async () => {
  proxy.plan(BUSY, 'pass', BUSY, BUSY);
  const rows = Array.from({ length: 100 }, (_, i) => ({ entityType: 'Sample', data: { name: `line ${i}` } }));
  expect(await client.ingestAll(rows, { batchSize: 20, concurrency: 2 }).summary()).toMatchObject({
    created: 100,
    failed: 0,
  });
  expect(await served.client.query('Sample', {}, { filter: 'data.name.startsWith("line ")' }).count()).toBe(
    100,
  );
});
