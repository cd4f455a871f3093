// A WebSocket upgrade passes the same stages as a request; an invalid one is answered like a request.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startServer, type TestServer } from '../testkit/server.ts';

const FEED = 'subscription { provenanceEvents(after: "start") { token } }';

/** The complete answer to a raw request, until the server closes. */
async function raw(server: TestServer, request: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  socket.write(request.replaceAll('\n', '\r\n'));
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(socket, 'close');
  return text;
}

type Message = { type: string; id?: string; payload?: unknown };

/** An acknowledged connection. */
async function connected(
  server: TestServer,
  headers: Record<string, string> = { 'x-api-key': server.key },
): Promise<{ socket: WebSocket; send: (m: Message) => void; next: (type: string) => Promise<Message> }> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers,
  });
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()) as Message);
    for (const wake of waiting) wake();
  });
  await once(socket, 'open');
  const next = async (type: string): Promise<Message> => {
    for (;;) {
      const at = messages.findIndex((m) => m.type === type);
      if (at >= 0) return messages.splice(at, 1)[0] as Message;
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
      });
    }
  };
  const send = (m: Message): void => {
    socket.send(JSON.stringify(m));
  };
  send({ type: 'connection_init' });
  await next('connection_ack');
  return { socket, send, next };
}

test('only upgrades to WebSocket are made: h2c is refused, requests that can be answered without it are', async () => {
  await using server = await startServer();
  const head = (request: string, more: string): string =>
    `${request} HTTP/1.1\nHost: x\nConnection: upgrade\n${more}\n`;
  expect(await raw(server, head('GET /livez', 'Upgrade: h2c\n'))).toMatch(/^HTTP\/1.1 400 /);
  expect(await raw(server, head('GET /livez', 'Upgrade: TLS/1.0\n'))).toMatch(/^HTTP\/1.1 200 /);
  expect(await raw(server, head('POST /graphql', 'Upgrade: TLS/1.0\nContent-Length: 2\n\n{}'))).toMatch(
    /^HTTP\/1.1 400 [\s\S]*this protocol upgrade is not supported/,
  );
  expect(await raw(server, head('GET /graphql/../graphql', 'Upgrade: websocket\n'))).toMatch(
    /^HTTP\/1.1 400 /,
  );
  expect(await raw(server, head('GET /graphql', 'Upgrade: websocket\n'))).toMatch(/^HTTP\/1.1 400 /);
  expect((await server.rest('GET', '/livez', { key: null })).status).toBe(200);
});

test('connections that break at any moment of their opening do not harm the server', async () => {
  await using server = await startServer();
  const { hostname, port } = new URL(server.url);
  const request = `GET /graphql HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\nX-Api-Key: ${server.key}\r\n\r\n`;
  for (let i = 0; i < 40; i++) {
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => undefined); // broken on purpose
    await once(socket, 'connect');
    socket.write(request);
    if (i % 2 === 0)
      await new Promise((resolve) => {
        setTimeout(resolve, i % 5);
      });
    socket.resetAndDestroy();
  }
  const { socket } = await connected(server);
  socket.close();
  expect((await server.rest('GET', '/livez', { key: null })).status).toBe(200);
});

test('operations on a socket count as requests of their actor', async () => {
  await using server = await startServer({
    config: 'rate_limit: {enabled: true, per_actor_rps: 1, per_ip_rps: 1000, burst: 3}',
  });
  const { send, next, socket } = await connected(server); // the upgrade is the first
  for (const id of ['1', '2', '3']) send({ id, type: 'subscribe', payload: { query: '{ schemaRevision }' } });
  expect(await next('error')).toMatchObject({ payload: [{ extensions: { code: 'RATE_LIMIT_EXCEEDED' } }] });
  expect([(await next('complete')).id, (await next('complete')).id].sort()).toEqual(['1', '2']);
  socket.close();
});

test('an actor has at most 100 concurrent streams; one that ends frees a place', async () => {
  await using server = await startServer();
  const { send, next, socket } = await connected(server);
  for (let id = 0; id < 101; id++) send({ id: String(id), type: 'subscribe', payload: { query: FEED } });
  expect(await next('error')).toMatchObject({
    payload: [{ message: 'more than 100 concurrent streams', extensions: { code: 'RATE_LIMIT_EXCEEDED' } }],
  });
  send({ id: '5', type: 'complete' });
  send({ id: 'again', type: 'subscribe', payload: { query: FEED } });
  const ids = new Set<string | undefined>();
  const all = (async () => {
    while (ids.size < 100) ids.add((await next('next')).id);
  })();
  // until each has one: a stream that opens later begins with what comes then
  for (let n = 1; ids.size < 100; n++, await sleep(500))
    await server.rest('POST', '/api/v1/metadata/schemas', {
      body: { name: 'T', version: `${n}`, fields: [] },
    });
  await all;
  expect(ids.has('again')).toBe(true);
  expect(ids.has('5')).toBe(false);
  socket.close();
});

test('with authentication disabled, a page of another origin still gets no socket', async () => {
  await using server = await startServer({ config: 'auth: {mode: disabled}' });
  const { socket } = await connected(server, { origin: server.url });
  socket.close();
  const refused = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: { origin: 'http://evil.example' },
  });
  const [, response] = (await once(refused, 'unexpected-response')) as [unknown, { statusCode: number }];
  expect(response.statusCode).toBe(400);
});

test('a component that becomes unavailable during a stream is reported as such, and the stream ends', async () => {
  await using server = await startServer({ transport: 'http' });
  const { send, next, socket } = await connected(server);
  send({ id: 'feed', type: 'subscribe', payload: { query: FEED } });
  await sleep(300);
  await server.stopComponents();
  expect(await next('next')).toMatchObject({
    id: 'feed',
    payload: { errors: [{ extensions: { code: 'COMPONENT_UNAVAILABLE' } }] },
  });
  expect(await next('complete')).toMatchObject({ id: 'feed' });
  socket.close();
});

/** The close code and reason. */
const closing = async (socket: WebSocket): Promise<string> => {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  return `${code} ${reason.toString()}`;
};

const open = async (server: TestServer, key = server.key): Promise<WebSocket> => {
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}/graphql`,
    'graphql-transport-ws',
    key === '' ? {} : { headers: { 'x-api-key': key } },
  );
  await once(socket, 'open');
  return socket;
};

test('a socket whose operations are refused repeatedly is closed; meanwhile others do not wait for it', async () => {
  await using server = await startServer({ config: 'server: {limits: {refusals_per_minute: 100}}' });
  const { socket, send } = await connected(server);
  const closed = closing(socket);
  const refusals: unknown[] = [];
  socket.on('message', (data: Buffer) => {
    refusals.push((JSON.parse(data.toString()) as Message).type);
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  for (let id = 0; id < 5000; id++)
    send({ id: String(id), type: 'subscribe', payload: { query: `{ nothing${id} }` } });
  await new Promise(setImmediate); // the time to send them does not count
  delay.enable();
  expect(await closed).toBe('1008 more than 100 refused operations a minute');
  delay.disable();
  expect(refusals.length).toBeLessThan(150);
  expect(delay.max / 1e6).toBeLessThan(1000);
  const again = await connected(server); // refusals count per actor, over all sockets
  const ended = closing(again.socket);
  for (let id = 0; id < 10; id++)
    again.send({ id: String(id), type: 'subscribe', payload: { query: '{ nothing }' } });
  expect(await ended).toMatch(/^1008 /);
});

test('subscriptions that are refused at the start count as refusals, too', async () => {
  await using server = await startServer({ config: 'server: {limits: {refusals_per_minute: 5}}' });
  const { socket, send } = await connected(server);
  const closed = closing(socket);
  for (let id = 0; id < 10; id++)
    send({
      id: String(id),
      type: 'subscribe',
      payload: { query: 'subscription { provenanceEvents(after: "nonsense") { token } }' },
    });
  expect(await closed).toMatch(/^1008 more than 5 refused operations/);
});

test('a 429 of the GraphQL endpoint itself says when to come again', async () => {
  await using server = await startServer({
    config: 'server: {limits: {streams_per_actor: 1, body_bytes_per_actor: 10000}}',
  });
  const ask = (query: string, accept: string): Promise<Response> =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': server.key, 'content-type': 'application/json', accept },
      body: JSON.stringify({ query }),
    });
  const held = await ask(FEED, 'text/event-stream');
  expect(held.status).toBe(200);
  const stream = await ask('{ schemaRevision }', 'text/event-stream');
  const large = await ask(`{ schemaRevision } #${'a'.repeat(20_000)}`, 'application/json');
  expect([stream.status, stream.headers.get('retry-after')]).toEqual([429, '1']);
  expect([large.status, large.headers.get('retry-after')]).toEqual([413, null]); // it would never be taken
  await held.body?.cancel();
});

test('an actor, and an address without a credential, have as many sockets as they may', async () => {
  await using server = await startServer({
    config: 'server: {limits: {websockets_per_actor: 2, websockets_per_address: 2}}',
  });
  const viewer = await server.newKey({ role: 'viewer', owner: 'user:v' });
  const tried = async (key: string): Promise<number> => {
    const socket = new WebSocket(
      `${server.url.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
      key === '' ? {} : { headers: { 'x-api-key': key } },
    );
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    if (response.statusCode === 429) expect(response.headers['retry-after']).toBe('1');
    return response.statusCode ?? 0;
  };
  const own = [await open(server, viewer), await open(server, viewer)];
  expect(await tried(viewer)).toBe(429);
  const unknown = [await open(server, ''), await open(server, '')];
  expect(await tried('')).toBe(429);
  const [late] = unknown;
  const closed = late && closing(late);
  late?.send(JSON.stringify({ type: 'connection_init', payload: { apiKey: viewer } }));
  expect(await closed).toBe('1008 more than 2 concurrent WebSockets');
  const gone = own[0] && once(own[0], 'close');
  own[0]?.terminate();
  await gone;
  await expect
    .poll(async () => {
      try {
        (await open(server, viewer)).terminate();
        return true;
      } catch {
        return false;
      }
    })
    .toBe(true);
  for (const socket of [...own, ...unknown]) socket.terminate();
});

test("a socket accepts only small messages before authentication, and messages of at most a body's size after it", async () => {
  await using server = await startServer({ config: 'server: {limits: {body_bytes_per_actor: 1 MiB}}' });
  const unknown = await open(server, '');
  const first = closing(unknown);
  unknown.send('x'.repeat(100_000), { fin: false });
  expect(await first).toMatch(/^1009 /);
  const known = await open(server);
  const second = closing(known);
  for (let i = 0; i < 12; i++) known.send('x'.repeat(100_000), { fin: false });
  expect(await second).toMatch(/^1009 /);
});

test('memory of parsed variables is counted like bytes, for as long as their operations run', async () => {
  await using server = await startServer({
    config: 'server: {limits: {body_bytes_per_actor: 3 MiB, json_values: 100000}}',
  });
  const { socket, send } = await connected(server);
  const closed = closing(socket);
  const subscribe = (id: number, values: number): void =>
    send({
      id: String(id),
      type: 'subscribe',
      payload: { query: FEED, variables: { unused: Array.from({ length: values }, () => ({})) } },
    });
  for (let id = 0; id < 3; id++) subscribe(id, 10_000); // 0.8 MB each, and 30 kB of text
  await expect.poll(() => socket.readyState).toBe(WebSocket.OPEN);
  subscribe(3, 10_000);
  expect(await closed).toMatch(/^1008 more than \d+ bytes of concurrent requests/);
  const many = await connected(server);
  const refused = closing(many.socket);
  many.send({
    id: '1',
    type: 'subscribe',
    payload: { query: FEED, variables: { a: new Array(100_000).fill(0) } },
  });
  expect(await refused).toBe('4400 the JSON has 100007 values, but at most 100000 are allowed');
});

test('pings without end, of either protocol, and a second connection_init close a socket', async () => {
  await using server = await startServer({ config: 'server: {limits: {pings_per_minute: 50}}' });
  const frames = await connected(server);
  const first = closing(frames.socket);
  for (let i = 0; i < 55; i++) frames.socket.ping();
  expect(await first).toBe('1008 more than 50 pings a minute');
  const messages = await connected(server);
  const second = closing(messages.socket);
  for (let i = 0; i < 60; i++) messages.send({ type: 'ping' });
  expect(await second).toBe('1008 more than 50 pings a minute');
  const twice = await connected(server);
  const third = closing(twice.socket);
  for (let i = 0; i < 1000; i++) twice.send({ type: 'connection_init' });
  expect(await third).toMatch(/^4429 /);
});
