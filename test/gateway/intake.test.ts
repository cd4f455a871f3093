// Limits on what one process takes in: large, slow and endless bodies, unread answers, many connections.
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readBody } from '../../platform/read-body.ts';
import type { Route } from '../../router/edge/http/routes.ts';
import { sendJson } from '../../router/edge/http/send-json.ts';
import { Circuit } from '../../router/circuit/circuit.ts';
import { createPassThrough } from '../../router/pass-through/pass-through.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway-testkit.ts';
import { PUBLIC, connected, begin, whole } from './intake-testkit.ts';

const hook: Route = {
  method: 'POST',
  path: PUBLIC,
  access: 'public',
  handle: async (ctx) => {
    sendJson(ctx, 200, { bytes: (await readBody(ctx)).length });
  },
};

const start = (limits: GatewayOptions['limits'], more: GatewayOptions = {}): Promise<Gateway> =>
  startGateway({ routes: [hook], limits: { ...limits }, ...more });

test('unfinished bodies of one address are limited together; another address has its own limit', async () => {
  await using gateway = await start({ bodyBytesPerAddress: 100_000 });
  const [first, second] = [await begin(gateway, 50_000, 40_000), await begin(gateway, 50_000, 40_000)];
  const late = await Promise.all([1, 2, 3].map(() => begin(gateway, 50_000, 40_000)));
  expect(await Promise.all(late.map(({ status }) => status))).toEqual([429, 429, 429]);
  expect([first.answered(), second.answered()]).toEqual([false, false]);
  expect(await whole(gateway, 40_000, ['X-Forwarded-For: 203.0.113.7'])).toBe(200);
  first.socket.write('a'.repeat(10_000));
  expect(await first.status).toBe(200);
  first.socket.destroy();
  second.socket.destroy();
  await Promise.all([first.closed, second.closed]);
  await expect.poll(() => whole(gateway, 90_000)).toBe(200);
  for (const { socket } of late) socket.destroy();
});

test('X-Forwarded-For of an untrusted peer does not raise its limit', async () => {
  await using gateway = await start({ bodyBytesPerAddress: 100_000 }, { trustedNetworks: ['10.0.0.0/8'] });
  const held = await begin(gateway, 90_000, 80_000, ['X-Forwarded-For: 203.0.113.7']);
  await expect.poll(() => whole(gateway, 40_000, ['X-Forwarded-For: 203.0.113.8'])).toBe(429);
  held.socket.destroy();
});

test('callers without a credential use at most half of the total; callers with one can still write', async () => {
  await using gateway = await start({
    bodyBytes: 200_000,
    bodyBytesPerAddress: 90_000,
    bodyBytesPerActor: 60_000,
  });
  const key = await gateway.keyFor('analyst');
  const held = [await begin(gateway, 90_000, 80_000, ['X-Forwarded-For: 203.0.113.7'])];
  await expect.poll(() => whole(gateway, 30_000, ['X-Forwarded-For: 203.0.113.8'])).toBe(503);
  const write = (length: number): Promise<Response> =>
    gateway.fetch('/api/v1/metadata/x', {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `"${'a'.repeat(length)}"`,
    });
  expect((await write(50_000)).status).toBe(200);
  const refused = await write(70_000); // more than this caller may ever have under way
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([413, null]);
  for (const { socket } of held) socket.destroy();
});

test('a body that stops coming is answered 408, and the connection closed', async () => {
  await using gateway = await start({ bodyIdleSeconds: 1 });
  const client = await begin(gateway, 1000, 10);
  expect(await client.status).toBe(408);
  await client.closed;
  expect((await gateway.audited()).map(({ status }) => status)).toContain(408);
  expect(await whole(gateway, 1000)).toBe(200);
});

test('a body that arrives too slowly is 408 at its deadline', async () => {
  await using gateway = await start({ bodyIdleSeconds: 60, bodySeconds: 1 });
  const client = await begin(gateway, 100_000, 10);
  const trickle = setInterval(() => client.socket.write('a'), 50);
  expect(await client.status).toBe(408);
  await client.closed;
  clearInterval(trickle);
});

test('an unread body does not keep its connection open', async () => {
  await using gateway = await start({ bodyIdleSeconds: 1 });
  const client = await begin(gateway, 1000, 10, [], '/api/v1/metadata/x');
  expect(await client.status).toBe(401);
  await client.closed;
  const trickling = await begin(gateway, 100_000, 10, [], '/api/v1/metadata/x');
  const trickle = setInterval(() => trickling.socket.write('a'), 50);
  expect(await trickling.status).toBe(401);
  await trickling.closed;
  clearInterval(trickle);
});

test('a body that is streamed on to another service takes as long as it goes on coming, and 408 where it stops', async () => {
  const upstream = createServer((req, res) => {
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    req.on('end', () => {
      res.end(String(length));
    });
  });
  await new Promise<void>((resolve) => {
    upstream.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`; // It listens on TCP.
  await using gateway = await start(
    { bodyIdleSeconds: 2, bodySeconds: 1, bodyBytes: 50, bodyBytesPerActor: 50 },
    {
      restApis: ({ addresses }) => ({
        viewer: createPassThrough({
          circuit: new Circuit('viewer'),
          perActor: () => () => undefined,
          name: 'viewer',
          url,
          timeoutMs: 30_000,
          addresses,
          sign: () => 'signed',
        }),
      }),
    },
  );
  const key = await gateway.keyFor('viewer');
  const headers = [`X-Api-Key: ${key}`];
  const client = await begin(gateway, 100, 10, headers, '/api/v1/viewer/x');
  for (let sent = 10; sent < 100; sent += 10) {
    await sleep(400); // longer in total than the time limit of a buffered body
    client.socket.write('a'.repeat(10));
  }
  expect(await client.status).toBe(200);
  client.socket.destroy();
  const stopped = await begin(gateway, 100, 10, headers, '/api/v1/viewer/x');
  expect(await stopped.status).toBe(408);
  await stopped.closed;
  upstream.closeAllConnections();
  upstream.close();
});

test('a body in chunks of one byte takes about as much memory as its content', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // It exists once the flag is set.
  await using gateway = await start({});
  const held = (): number => {
    collect();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };
  const before = held();
  const client = await connected(gateway.port);
  client.socket.write(`POST ${PUBLIC} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const some = '1\r\na\r\n'.repeat(50_000);
  for (let i = 0; i < 16; i++)
    await new Promise((resolve) => {
      client.socket.write(some, resolve);
    });
  await sleep(500); // until the last of it has been read, which has no event
  expect((held() - before) / 1e6).toBeLessThan(40);
  client.socket.write('0\r\n\r\n');
  expect(await client.status).toBe(200);
  client.socket.destroy();
});

test('a client can send at most eight bodies in small pieces at the same time', async () => {
  await using gateway = await start({});
  const clients = await Promise.all(Array.from({ length: 12 }, () => connected(gateway.port)));
  for (const { socket } of clients)
    socket.write(
      `POST ${PUBLIC} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(5000)}`,
    );
  while (clients.filter(({ answered }) => answered()).length < 4) await sleep(10);
  for (const { socket } of clients) if (socket.writable) socket.write('0\r\n\r\n');
  const statuses = await Promise.all(clients.map(({ status }) => status));
  expect(statuses.sort((a, b) => a - b)).toEqual([
    ...Array.from({ length: 8 }, () => 200),
    ...Array.from({ length: 4 }, () => 429),
  ]);
  for (const { socket } of clients) socket.destroy();
});
