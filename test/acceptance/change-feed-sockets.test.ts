// The change feed over WebSockets, and the records of its streams.
import { setTimeout as sleep } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client as WsClient } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startServer } from '../testkit/server.ts';
import { FEED, server, setUp, sse, ws, wsClient, wsUrl } from './change-feed-testkit.ts';

setUp();

test('over a WebSocket, a token beyond the end of the log is refused', async () => {
  const reader = ws({ after: Buffer.from('e2.999999999.00000000').toString('base64url') });
  await reader.end();
  expect(JSON.stringify([reader.results, reader.ended])).toMatch(
    /beyond the end of the log.*INVALID_REQUEST/,
  );
});

test('on a WebSocket queries and mutations are answered too, each admitted by itself', async () => {
  const viewer = wsClient({
    connectionParams: { authorization: `Bearer ${await server.newKey({ role: 'viewer' })}` },
  });
  const run = async (client: WsClient, query: string): Promise<unknown> => {
    for await (const result of client.iterate({ query })) return result;
    return undefined;
  };
  expect(await run(viewer, '{ entities(limit: 1) { limit } }')).toMatchObject({
    data: { entities: { limit: 1 } },
  });
  await expect(
    run(viewer, 'mutation { ingestEntity(entityType: "Thing", data: {}) { id } }'),
  ).rejects.toMatchObject([
    { extensions: { code: 'INSUFFICIENT_ROLE', requestId: expect.any(String) as unknown } },
  ]);
  await expect(run(viewer, '{ nothing }')).rejects.toMatchObject([
    { message: expect.stringContaining('nothing') as unknown, extensions: { code: 'INVALID_REQUEST' } },
  ]);
  for (const deep of ['{ entity(id: ' + '['.repeat(1600), '{a'.repeat(1600)])
    await expect(run(viewer, deep)).rejects.toMatchObject([
      {
        message: expect.stringContaining('nested too deep') as unknown,
        extensions: { code: 'INVALID_REQUEST' },
      },
    ]);
  expect(await run(viewer, '{ entity(id: "none") { id } }')).toMatchObject({ data: { entity: null } });
  await viewer.dispose();
  const writer = wsClient();
  expect(
    await run(
      writer,
      'mutation { ingestEntity(entityType: "Thing", id: "by-socket", data: {n: 1}) { version } }',
    ),
  ).toMatchObject({ data: { ingestEntity: { version: 1 } } });
  await writer.dispose();
});

/** The close code of a raw socket, or the HTTP status of a refused upgrade. */
function fate(
  headers: Record<string, string>,
  ...messages: unknown[]
): Promise<{ code?: number; reason?: string; status?: number }> {
  return new Promise((resolve) => {
    const socket = new WebSocket(wsUrl(), 'graphql-transport-ws', { headers });
    socket.on('open', () => {
      for (const message of messages)
        socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    });
    socket.on('unexpected-response', (_, response) => {
      resolve({ status: response.statusCode ?? 0 });
      response.destroy();
    });
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
    });
    socket.on('error', () => undefined); // followed by one of the others
  });
}

test('a WebSocket without a valid credential is closed, a wrong one in the headers keeps it from opening', async () => {
  const init = (payload?: unknown) => ({ type: 'connection_init', payload });
  expect(await fate({}, init())).toMatchObject({
    code: 4401,
    reason: expect.stringContaining('a credential is required') as unknown,
  });
  expect(await fate({}, init({ apiKey: 'sk_wrong' }))).toMatchObject({ code: 4401 });
  expect(await fate({}, init({ apiKey: 5 }))).toMatchObject({ code: 4401 });
  expect(await fate({ 'x-api-key': 'sk_wrong' })).toEqual({ status: 401 });
  const other = await server.newKey({ role: 'viewer', owner: 'user:other' });
  expect(await fate({ 'x-api-key': server.key }, init({ apiKey: other }))).toMatchObject({
    code: 4401,
    reason: 'the two credentials name different actors',
  });
  expect(await fate({}, { id: '1', type: 'subscribe', payload: { query: FEED } })).toMatchObject({
    code: 4401,
  });
  expect(await fate({ 'x-api-key': server.key }, init(), 'no json')).toMatchObject({ code: 4400 });
  expect(
    await fate({ 'x-api-key': server.key }, init(), '['.repeat(20_000) + ']'.repeat(20_000)),
  ).toMatchObject({ code: 4400 });
});

test('pages of other origins may not open a WebSocket unless CORS allows them', async () => {
  expect(await fate({ 'x-api-key': server.key, origin: 'https://evil.example' })).toEqual({ status: 400 });
  expect(await fate({ 'x-api-key': server.key, origin: server.url }, 'no json')).toMatchObject({
    code: 4400,
  });
});

test('other upgrades and other paths are no WebSockets, and a request that only offers one is answered', async () => {
  const raw = await server.rest('GET', '/api/v1/metadata/health', { key: null });
  expect(raw.status).toBe(200);
  const status = await new Promise((resolve) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/metadata/entities`, {
      headers: { 'x-api-key': server.key },
    });
    socket.on('unexpected-response', (_, response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    socket.on('error', () => undefined);
  });
  expect(status).toBe(404);
});

test('every stream and every operation of a socket leaves its record', async () => {
  const reader = sse();
  await sleep(200);
  reader.stop();
  const client = wsClient();
  for await (const _ of client.iterate({ query: 'query Named { schemaRevision }' })) break;
  await client.dispose();
  await sleep(1500);
  const records = (await readFile(path.join(server.dataDir, 'audit.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records).toContainEqual(
    expect.objectContaining({ method: 'POST', path: '/graphql', status: 200, operation: 'Feed' }),
  );
  expect(records).toContainEqual(
    expect.objectContaining({
      method: 'WS',
      path: '/graphql',
      status: 200,
      operation: 'Named',
      actor: expect.stringMatching(/^user:/) as unknown,
    }),
  );
  expect(records).toContainEqual(expect.objectContaining({ method: 'GET', path: '/graphql', status: 101 }));
});

test('a server that stops lets its readers go at once: sockets with 1001, streams without an end of the operation', async () => {
  const other = await startServer();
  const stream = await fetch(`${other.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': other.key },
    body: JSON.stringify({ query: FEED }),
  });
  const closed = new Promise<number>((resolve) => {
    const socket = new WebSocket(`${other.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers: { 'x-api-key': other.key },
    });
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'connection_init' }));
    });
    socket.once('message', () => {
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: FEED } }));
    });
    socket.on('close', resolve);
  });
  await sleep(500);
  const started = Date.now();
  await other[Symbol.asyncDispose]();
  expect(Date.now() - started).toBeLessThan(8000);
  expect(await closed).toBe(1001);
  expect(await stream.text()).not.toContain('complete');
});
