// Limits on what one process takes in: large, slow and endless bodies, unread answers, many connections.
import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readBody } from '../../platform/read-body.ts';
import type { Route } from '../../router/edge/http/routes.ts';
import { sendJson } from '../../router/edge/http/send-json.ts';
import { createPassThrough } from '../../router/pass-through/pass-through.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway-testkit.ts';
import { type Answer, startServer } from '../testkit/server.ts';

const PUBLIC = '/api/v1/gateway/test/hook';
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

interface Client {
  readonly socket: net.Socket;
  /** The first answer's status, once it has arrived. */
  readonly status: Promise<number>;
  readonly answered: () => boolean;
  readonly closed: Promise<unknown>;
}

async function connected(port: number): Promise<Client> {
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  let answered = false;
  const status = new Promise<number>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const found = /^HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n/.exec(text);
      if (!found) return;
      answered = true;
      resolve(Number(found[1]));
    });
  });
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  socket.on('error', () => undefined); // some connections are closed while they send
  await once(socket, 'connect');
  return { socket, status, answered: () => answered, closed };
}

/** Sends a head that declares `length` bytes, and `sent` of them. */
async function begin(
  { port }: Gateway,
  length: number,
  sent: number,
  headers: readonly string[] = [],
  path = PUBLIC,
): Promise<Client> {
  const client = await connected(port);
  client.socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${length}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${'a'.repeat(sent)}`,
  );
  return client;
}

const whole = async (gateway: Gateway, length: number, headers: readonly string[] = []): Promise<number> => {
  const { status, socket } = await begin(gateway, length, length, headers);
  const known = await status;
  socket.destroy();
  return known;
};

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
  const refused = await write(70_000);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
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

test('64 pipelined requests of a connection are processed at once, and one more ends it', async () => {
  let [underWay, most] = [0, 0];
  const slow: Route = {
    method: 'GET',
    path: '/api/v1/gateway/test/slow',
    access: 'public',
    handle: async (ctx) => {
      most = Math.max(most, ++underWay);
      await sleep(20);
      underWay--;
      sendJson(ctx, 200, {});
    },
  };
  await using gateway = await start({}, { routes: [slow] });
  const ahead = async (count: number): Promise<number[]> => {
    const { socket, closed } = await connected(gateway.port);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    const statuses = (): number[] =>
      [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((found) => Number(found[1]));
    socket.write(`GET ${slow.path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count));
    const all = (async () => {
      while (statuses().length < count) await sleep(5);
    })();
    await Promise.race([closed, all]);
    socket.destroy();
    return statuses();
  };
  expect(await ahead(64)).toEqual(Array.from({ length: 64 }, () => 200));
  expect(most).toBeLessThanOrEqual(64);
  expect(await ahead(500)).toEqual([...Array.from({ length: 64 }, () => 200), 429]);
  expect(most).toBeLessThanOrEqual(64);
});

test('an answer that its client does not read is aborted; one that is read slowly is not', async () => {
  const large = Buffer.alloc(100_000_000, 97); // more than the system's own buffers
  const closed: (string | undefined)[] = [];
  const route: Route = {
    method: 'GET',
    path: '/api/v1/gateway/test/large',
    access: 'public',
    handle: ({ req, res, search }) => {
      req.socket.once('close', () => {
        closed.push(search);
      });
      res.writeHead(200, { 'content-length': large.length }).end(large);
    },
  };
  await using gateway = await startGateway({ routes: [route], limits: { unreadSeconds: 2 } });
  const ask = (who: string): string => `GET ${route.path}?${who} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const slow = await connected(gateway.port);
  slow.socket.on('data', () => {
    slow.socket.pause();
    setTimeout(() => slow.socket.resume(), 1).unref();
  });
  slow.socket.write(ask('slow'));
  const deaf = await connected(gateway.port);
  deaf.socket.pause();
  deaf.socket.write(ask('deaf'));
  await expect.poll(() => closed, { timeout: 20_000 }).toEqual(['deaf']);
  await sleep(3000); // longer than the other's time limit
  expect(closed).toEqual(['deaf']);
  for (const { socket } of [slow, deaf]) socket.destroy();
}, 40_000);

test('the connections of an address are limited; the next is refused with a reason and closed, and one that ends frees a place', async () => {
  await using gateway = await start({ connectionsPerAddress: 3 }, { trustedNetworks: [] });
  const open = await Promise.all([1, 2, 3].map(() => connected(gateway.port)));
  const refused = await connected(gateway.port);
  expect(await refused.status).toBe(429);
  await refused.closed;
  open[0]?.socket.destroy();
  await expect.poll(() => whole(gateway, 10)).toBe(200);
  for (const { socket } of open) socket.destroy();
});

test('the total number of connections is limited, those of proxies included', async () => {
  await using gateway = await start({ connections: 2, connectionsPerAddress: 1 });
  const open = await Promise.all([1, 2].map(() => connected(gateway.port)));
  const refused = await connected(gateway.port);
  expect(await refused.status).toBe(503);
  await refused.closed;
  for (const { socket } of open) socket.destroy();
});

test('heads that never end are answered 408 in turns, each once, and their connections closed', async () => {
  await using gateway = await start({ connections: 500 });
  const clients = await Promise.all(Array.from({ length: 200 }, () => connected(gateway.port)));
  for (const { socket } of clients) socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nX-Never: ');
  let seen = 0;
  for (const { status } of clients) void status.then(() => seen++);
  while (seen === 0) await sleep(20); // Node looks for late heads every two seconds
  expect(seen).toBeLessThan(100); // of 200 that are late at one time, others run before the last is answered
  expect(new Set(await Promise.all(clients.map(({ status }) => status)))).toEqual(new Set([408]));
  await Promise.all(clients.map(({ closed }) => closed));
}, 30_000);

test('memory of parsed bodies is counted: many bodies of small values are refused, a single one is not', async () => {
  await using server = await startServer({
    config: 'server: {limits: {body_bytes_per_actor: 4 MiB, json_values: 50000, json_names: 1000}}',
  });
  const ask = (variables: unknown): Promise<Answer> =>
    server.rest('POST', '/graphql', { body: { query: '{ health { status } }', variables } });
  const feed = (variables: unknown): Promise<Response> =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: {
        'x-api-key': server.key,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({
        query: 'subscription { provenanceEvents(after: "start") { token } }',
        variables,
      }),
    });
  const small = { a: Array.from({ length: 40_000 }, () => ({})) }; // 120 kB of text, 3.2 MB of values
  const underWay = await feed(small);
  const second = await feed(small);
  expect([underWay.status, second.status]).toEqual([200, 429]);
  await underWay.body?.cancel();
  await expect.poll(async () => (await ask(small)).status).toBe(200); // it is given back
  expect(await ask({ a: new Array(50_000).fill(1) })).toMatchObject({
    status: 400,
    body: {
      errors: [{ extensions: { details: { limit: 'json_values', asked: 50_004, allowed: 50_000 } } }],
    },
  });
  const named = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, i]));
  expect(
    await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'Any', data: named } }),
  ).toMatchObject({
    status: 400,
    body: { error: { code: 400, message: expect.stringContaining('names in one object') } },
  });
});
