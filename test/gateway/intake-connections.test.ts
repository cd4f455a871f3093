// How many connections are taken, how answers are given up, and what parsed bodies take.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readBody } from '../../platform/read-body.ts';
import type { Route } from '../../router/edge/http/routes.ts';
import { sendJson } from '../../router/edge/http/send-json.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway-testkit.ts';
import { type Answer, startServer } from '../testkit/server.ts';
import { PUBLIC, connected, whole } from './intake-testkit.ts';

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

test('64 pipelined requests of a connection are processed at once, and one more ends it', async () => {
  let [underWay, most, holdMs] = [0, 0, 20];
  const slow: Route = {
    method: 'GET',
    path: '/api/v1/gateway/test/slow',
    access: 'public',
    handle: async (ctx) => {
      most = Math.max(most, ++underWay);
      await sleep(holdMs);
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
  holdMs = 2000; // none ends before the last has been read, on a busy machine, too
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
  await expect.poll(() => closed).toEqual(['deaf']);
  await sleep(3000); // longer than the other's time limit
  expect(closed).toEqual(['deaf']);
  for (const { socket } of [slow, deaf]) socket.destroy();
});

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
});

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
