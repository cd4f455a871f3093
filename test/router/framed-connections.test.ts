// Connections that carry operations of a router to a component: how they begin, what they hold, and how they end
// (docs/reference/gateway.md#operations-over-one-connection).
import http from 'node:http';
import type net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { FRAME, FRAMES_PROTOCOL, frameOf, MAX_FRAME } from '../../platform/operation-frames/frame-format.ts';
import { createSubgraphHandler } from '../../platform/serve-subgraph.ts';
import { caller, log } from './library.ts';
import { listen } from './over-http.ts';
import { connect, createEcho, framed, noted, remoteOf, serveFramed, signing } from './framed-testkit.ts';

const away = { extensions: { code: 'COMPONENT_UNAVAILABLE' } };

/** Asks for an upgrade; the status, and the socket where it is made. */
const upgrade = (
  url: string,
  headers: Record<string, string> = {},
  protocol = FRAMES_PROTOCOL,
): Promise<{ status: number; socket?: net.Socket }> =>
  new Promise((resolve, reject) => {
    const request = http.get(`${url}/graphql`, {
      headers: { connection: 'Upgrade', upgrade: protocol, ...headers },
    });
    request.on('upgrade', (_, socket: net.Socket) => resolve({ status: 101, socket }));
    request.on('response', (res) => {
      res.resume();
      resolve({ status: res.statusCode ?? 0 });
    });
    request.on('error', reject);
  });

const PLAIN = { 'x-platform-actor': 'service:router', 'x-platform-roles': '' };

test('a component that dies under way: queries are asked again, what writes says that its outcome is not known', async () => {
  const { remote, seen, sockets } = await framed();
  const asked = Promise.all([
    remote.prepare('{ wait(ms: 200, name: "a") }')({}, caller),
    remote.prepare('mutation { write(name: "once", ms: 200) }')({}, caller),
    remote.prepare('{ say(text: "b") }')({}, caller),
  ]);
  await expect.poll(() => seen.writes).toEqual(['once']);
  for (const socket of sockets) socket.destroy();
  const [wait, write, say] = await asked;
  expect([wait.data, say.data]).toEqual([{ wait: 'a' }, { say: 'b' }]);
  expect(write).toMatchObject({ data: null, errors: [away] });
  await sleep(300);
  expect(seen.writes).toEqual(['once']);
  expect(seen.requests.filter((one) => one === 'POST')).toHaveLength(1); // the one that had no answer yet
});

test('a component that is stopped asks its routers to leave, and answers what is under way', async () => {
  const { remote, frames, seen } = await framed();
  const under = remote.prepare('mutation { write(name: "last", ms: 300) }')({}, caller);
  await expect.poll(() => seen.writes).toEqual(['last']);
  frames.leave();
  const say = remote.prepare('query($text: String) { say(text: $text) }');
  for (let n = 0; n < 20; n++) {
    expect((await say({ text: `${n}` }, caller)).data).toEqual({ say: `${n}` });
    await sleep(5);
  }
  expect((await under).data).toEqual({ write: 'last' });
  await expect.poll(() => frames.open).toBe(0);
  expect(seen.requests.filter((one) => one === 'POST').length).toBeGreaterThan(15);
});

test('a connection that ends is replaced', async () => {
  const { remote, frames, sockets, seen } = await framed();
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => frames.open).toBe(0);
  const say = remote.prepare('{ say(text: "x") }');
  await expect
    .poll(
      async () => {
        expect((await say({}, caller)).data).toEqual({ say: 'x' });
        return frames.open;
      },
      { timeout: 120_000 },
    )
    .toBeGreaterThan(0);
  await sleep(50);
  seen.requests.length = 0;
  expect((await say({}, caller)).data).toEqual({ say: 'x' });
  expect(seen.requests).not.toContain('POST');
});

test('a component of an earlier version is asked in requests of their own', async () => {
  const local = createEcho(noted());
  const requests: string[] = [];
  const handler = createSubgraphHandler(local, { believes: () => true, bodyLimit: 1_000_000, log });
  const { url, close } = await listen((req, res) => {
    requests.push(req.method ?? '');
    return handler(req, res);
  });
  const remote = remoteOf(url);
  onTestFinished(async () => {
    await remote.close();
    await close();
  });
  const say = remote.prepare('{ say(text: "x") }');
  for (let n = 0; n < 20; n++) expect((await say({}, caller)).data).toEqual({ say: 'x' });
  await sleep(100);
  expect((await say({}, caller)).data).toEqual({ say: 'x' });
  expect(requests.filter((one) => one === 'POST')).toHaveLength(21);
  expect(requests.filter((one) => one === 'GET')).toHaveLength(1); // once in ten seconds
});

test("somebody else's component that makes another upgrade, or never answers one, is asked in requests of their own", async () => {
  for (const answer of [
    'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n',
    '',
  ]) {
    const { url, server, close } = await listen((_, res) => {
      res.setHeader('content-type', 'application/json');
      res.end('{"data":{"say":"x"}}');
    });
    const sockets: { destroy(): unknown }[] = [];
    server.on('upgrade', (_, socket) => {
      sockets.push(socket);
      socket.write(answer);
    });
    const remote = remoteOf(url, { timeoutMs: 500 });
    const say = remote.prepare('{ say(text: "x") }');
    for (let n = 0; n < 5; n++) {
      expect((await say({}, caller)).data).toEqual({ say: 'x' });
      await sleep(20);
    }
    expect(sockets).toHaveLength(1);
    await remote.close();
    for (const socket of sockets) socket.destroy();
    await close();
  }
});

test('variables that are large go as a request of their own; a large answer lets others pass', async () => {
  const { remote, seen } = await framed({ timeoutMs: 20_000 });
  const say = remote.prepare('query($text: String) { say(text: $text) }');
  const text = 'x'.repeat(70_000);
  expect((await say({ text }, caller)).data).toEqual({ say: text });
  expect(seen.requests.filter((one) => one === 'POST')).toHaveLength(1);
  const ended: string[] = [];
  const note = <Result>(name: string, work: Promise<Result>): Promise<Result> =>
    work.finally(() => ended.push(name));
  const big = note('big', remote.prepare('{ big(bytes: 8000000) }')({}, caller));
  const others = [];
  while (!ended.includes('big')) {
    others.push(note('small', say({ text: 'small' }, caller)));
    await sleep(1);
  }
  await Promise.all(others);
  expect(String((await big).data?.['big'])).toHaveLength(4_000_000);
  expect(ended[0]).toBe('small');
  expect(seen.requests.filter((one) => one === 'POST')).toHaveLength(1);
});

test('only who proves to be the router gets a connection for operations', async () => {
  const { sign, reader } = await signing('echo');
  const { served, frames } = await serveFramed(createEcho(noted()), reader);
  onTestFinished(async () => {
    frames.close();
    await served.close();
  });
  const token = (await sign({ actor: 'service:router', roles: [], projects: [] }, 'echo')) ?? '';
  expect((await upgrade(served.url)).status).toBe(401);
  expect((await upgrade(served.url, PLAIN)).status).toBe(401);
  expect((await upgrade(served.url, { 'x-platform-identity': `${token}x` })).status).toBe(401);
  expect((await upgrade(served.url, { 'x-platform-identity': token }, 'h2c')).status).toBe(405);
  expect(frames.open).toBe(0);
  const { status, socket } = await upgrade(served.url, { 'x-platform-identity': token });
  expect(status).toBe(101);
  // and each operation proves its own: the connection's is nobody's
  const answered = new Promise<Buffer>((resolve) => socket?.once('data', resolve));
  socket?.write(
    Buffer.concat([
      frameOf(
        FRAME.document,
        [
          [0, 2],
          [0, 2],
        ],
        [],
        '{ who }',
      ),
      frameOf(FRAME.identity, [[0, 2]], [], JSON.stringify({ ...PLAIN, 'x-platform-roles': 'admin' })),
      frameOf(
        FRAME.ask,
        [
          [1, 4],
          [0, 2],
          [0, 2],
          [0, 2],
        ],
        [],
        '{}',
      ),
    ]),
  );
  expect((await answered).toString()).toContain('MISSING_TOKEN');
  socket?.destroy();
});

test.each([
  ['a frame over the limit', Buffer.from([(MAX_FRAME >> 24) & 255, 255, 255, 255])],
  ['a frame without a type', Buffer.alloc(4)],
  [
    'an operation of a document that was never named',
    frameOf(
      FRAME.ask,
      [
        [1, 4],
        [7, 2],
        [0, 2],
        [0, 2],
      ],
      [],
      '{}',
    ),
  ],
  [
    'a number out of range',
    frameOf(
      FRAME.document,
      [
        [60_000, 2],
        [0, 2],
      ],
      [],
      '{ who }',
    ),
  ],
  ['an identity that is no JSON', frameOf(FRAME.identity, [[0, 2]], [], '{')],
  ['a frame that ends too early', frameOf(FRAME.ask, [[1, 1]], [])],
])('%s ends the connection, and nothing else', async (_, bytes) => {
  const { remote, served, frames } = await framed();
  const { socket } = await upgrade(served.url, PLAIN);
  const closed = new Promise((resolve) => socket?.once('close', resolve));
  socket?.on('error', () => undefined);
  socket?.write(bytes);
  await closed;
  expect((await remote.prepare('{ say(text: "x") }')({}, caller)).data).toEqual({ say: 'x' });
  expect(frames.open).toBeGreaterThan(0);
});

test('a component that answers no more is left within its time, and found again', async () => {
  const { remote, sockets, served, seen } = await framed({ timeoutMs: 300 });
  for (const socket of sockets) socket.pause(); // its other side swallows what comes
  const say = remote.prepare('{ say(text: "x") }');
  const began = performance.now();
  expect((await say({}, caller)).errors).toMatchObject([away]);
  expect(performance.now() - began).toBeLessThan(2000);
  await expect.poll(async () => (await say({}, caller)).data).toEqual({ say: 'x' });
  expect(served.server.listening).toBe(true);
  expect(seen.requests).toContain('POST');
});

test('a peer that reads no answers is asked for no more operations', async () => {
  const { served, sockets } = await framed();
  const before = new Set(sockets);
  const { socket } = await upgrade(served.url, PLAIN);
  onTestFinished(() => void socket?.destroy());
  const [own] = [...sockets].filter((one) => !before.has(one));
  const number = (value: number, width: 2 | 4): readonly [number, 2 | 4] => [value, width];
  const document = frameOf(FRAME.document, [number(0, 2), number(0, 2)], [], '{ big(bytes: 60000) }');
  const headers = JSON.stringify({ ...PLAIN, 'x-platform-roles': 'admin' });
  const variables = JSON.stringify({ unused: 'x'.repeat(2000) });
  const asks = Array.from({ length: 2000 }, (_, id) =>
    frameOf(FRAME.ask, [number(id + 1, 4), number(0, 2), number(0, 2), number(0, 2)], [], variables),
  );
  socket?.pause();
  socket?.write(Buffer.concat([document, frameOf(FRAME.identity, [[0, 2]], [], headers), ...asks]));
  await expect.poll(() => own?.writableLength).toBeGreaterThan(100_000);
  await sleep(500);
  expect(own?.writableLength).toBeLessThan(20_000_000);
  let read = 0;
  socket?.on('data', (chunk: Buffer) => (read += chunk.length));
  socket?.resume();
  await expect.poll(() => read).toBeGreaterThan(2000 * 60_000);
});

test('several connections share the operations', async () => {
  const all = await framed();
  await connect(all.remote, all, 4);
  const wait = all.remote.prepare('{ wait(ms: 20) }');
  for (let n = 0; n < 10; n++)
    expect((await Promise.all([wait({}, caller), wait({}, caller)])).map(({ data }) => data)).toEqual(
      Array.from({ length: 2 }, () => ({ wait: 'one' })),
    );
  expect(all.frames.open).toBe(4);
});
