// docs/reference/gateway.md#allowed-hosts: DNS rebinding has no effect where only the host name protects an
// endpoint.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { parseConfig } from '../../platform/config/load-config.ts';
import { startComponent } from '../../standalone/metadata.ts';
import { freshDatabase } from '../testkit/database.ts';
import { startServer } from '../testkit/server.ts';

/** Status and body of a raw request. */
async function ask(
  url: string,
  requestLine: string,
  headers: readonly string[],
  body = '',
): Promise<{ status: number; text: string }> {
  const { port } = new URL(url);
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.write(
    [
      requestLine,
      ...headers,
      'Connection: close',
      ...(body === ''
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
      '',
      body,
    ].join('\r\n'),
  );
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

const KEYS = '/api/v1/gateway/auth/api-keys';
const NEW_KEY = JSON.stringify({ label: 'mine', role: 'admin' });

describe('with auth.mode disabled', () => {
  test('a page of another host name reads nothing and writes nothing, however it sends requests', async () => {
    await using server = await startServer({ config: 'auth: {mode: disabled}' });
    const { host, port } = new URL(server.url);
    const evil = [`Host: evil.example:${port}`, `Origin: http://evil.example:${port}`];
    expect(await ask(server.url, `POST ${KEYS} HTTP/1.1`, evil, NEW_KEY)).toMatchObject({
      status: 421,
      text: expect.stringContaining('misdirected_request') as string,
    });
    for (const target of [
      KEYS,
      '/graphql?query={schemaRevision}',
      '/api/v1/metadata/entities',
      '/api/v1/gateway/metrics',
      '/api/v1/openapi.json',
      '/',
    ]) {
      expect([target, (await ask(server.url, `GET ${target} HTTP/1.1`, evil)).status]).toEqual([target, 421]);
    }
    expect(
      (await ask(server.url, `OPTIONS ${KEYS} HTTP/1.1`, [...evil, 'Access-Control-Request-Method: POST']))
        .status,
    ).toBe(421);
    for (const name of [
      'Host: EVIL.example',
      'Host: 127.0.0.1.evil.example',
      'Host: localhost.evil.example:80',
      'Host: user@127.0.0.1',
      'Host: ',
      'Host: 10.0.0.1',
      'Host: [::2]',
    ]) {
      expect([name, (await ask(server.url, `GET ${KEYS} HTTP/1.1`, [name])).status]).toEqual([name, 421]);
    }
    expect((await ask(server.url, `GET ${KEYS} HTTP/1.0`, [])).status).toBe(421);
    expect((await ask(server.url, `GET ${KEYS} HTTP/1.0`, ['Host: evil.example'])).status).toBe(421);
    expect(
      (await ask(server.url, `GET ${KEYS} HTTP/1.1`, [`Host: ${host}`, 'Host: evil.example'])).status,
    ).toBe(400);
    for (const name of [`Host: ${host}`, 'Host: LOCALHOST', 'Host: localhost.:9999', 'Host: [::1]:1']) {
      expect([name, (await ask(server.url, `GET ${KEYS} HTTP/1.1`, [name])).status]).toEqual([name, 200]);
    }
    const socket = new WebSocket(`ws://${host}/graphql`, 'graphql-transport-ws', {
      headers: { host: 'evil.example', origin: 'http://evil.example' },
    });
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(421);
    const rows = await server.database.pool.query<{ label: string }>(
      "SELECT label FROM gateway.api_key WHERE label = 'mine'",
    );
    expect(rows.rows).toEqual([]);
  });

  test('server.allowed_hosts says which names are served instead', async () => {
    await using server = await startServer({
      config: 'auth: {mode: disabled}\nserver: {allowed_hosts: [cairn.lab, "127.0.0.1:1"]}',
    });
    const status = async (host: string): Promise<number> =>
      (await ask(server.url, `GET ${KEYS} HTTP/1.1`, [`Host: ${host}`])).status;
    expect([
      await status('cairn.lab'),
      await status('CAIRN.lab.:8080'),
      await status('127.0.0.1:1'),
      await status('127.0.0.1'),
      await status('localhost'),
    ]).toEqual([200, 200, 200, 421, 421]);
  });
});

test('pages with sessions are served under their own names alone; what a credential answers is not asked for its name', async () => {
  await using server = await startServer({ config: 'auth: {issuer: "https://cairn.example.org"}' });
  const status = async (target: string, headers: readonly string[]): Promise<number> =>
    (await ask(server.url, `GET ${target} HTTP/1.1`, headers)).status;
  for (const target of ['/device', '/portal/sign-in', '/api/v1/gateway/auth/authorize?client_id=x'])
    expect([target, await status(target, ['Host: evil.example'])]).toEqual([target, 421]);
  expect((await ask(server.url, 'POST /portal/sign-in HTTP/1.1', ['Host: evil.example'], '{}')).status).toBe(
    421,
  );
  expect(await status('/portal/sign-in', ['Host: cairn.example.org'])).toBe(200);
  expect(await status(KEYS, ['Host: evil.example', `X-Api-Key: ${server.key}`])).toBe(200);
  expect(await status(KEYS, ['Host: evil.example'])).toBe(401);
  expect(await status('/livez', ['Host: evil.example'])).toBe(200);
  // trusted only because of its address
  expect(await status('/api/v1/gateway/metrics', ['Host: evil.example'])).toBe(421);
  expect(await status('/api/v1/gateway/metrics', ['Host: localhost'])).toBe(200);
  const withKey = (key: string): string[] => ['Host: evil.example', `X-Api-Key: ${key}`];
  expect(await status('/api/v1/gateway/metrics', withKey(server.key))).toBe(200);
  expect(await status('/api/v1/gateway/metrics', withKey(await server.newKey({ role: 'viewer' })))).toBe(421);
});

test('a component on loopback answers only under its own host names', async () => {
  await using database = await freshDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-hosts-'));
  const env = { CAIRN_PORT: '0', CAIRN_DATA_DIR: dataDir, DATABASE_URL: database.url };
  const component = await startComponent({
    config: parseConfig('', path.join(dataDir, 'gateway.yaml'), { env, cwd: dataDir }),
    log: pino({ level: 'silent' }),
  });
  const status = async (target: string, host: string): Promise<number> =>
    (await ask(component.url, `GET ${target} HTTP/1.1`, [`Host: ${host}`, 'Authorization: Bearer x'])).status;
  for (const target of ['/entities', '/graphql', '/health'])
    expect([target, await status(target, 'evil.example')]).toEqual([target, 421]);
  expect(await status('/entities', 'localhost')).not.toBe(421);
  await component.close();
  await rm(dataDir, { recursive: true });
});
