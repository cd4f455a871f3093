// WebSockets that components of kind `rest` take, through the gateway: who may open one, what reaches the component, and
// what ends it.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startServer, type TestServer } from '../testkit/server.ts';

interface Notebook {
  readonly url: string;
  readonly seen: IncomingMessage[];
  /** The sockets that it has open. */
  readonly sockets: ReadonlySet<WebSocket>;
}

/** Says what it hears; greets at once; refuses `/closed`. */
async function startNotebook(): Promise<Notebook> {
  const seen: IncomingMessage[] = [];
  const server = createServer((_, res) => res.writeHead(418, { 'x-own': 'yes' }).end('no WebSocket here'));
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'kernel' });
  server.on('upgrade', (req, socket, head) => {
    seen.push(req);
    if (req.url === '/away')
      return void socket.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
    if (req.url?.startsWith('/closed') === true)
      return void socket.end('HTTP/1.1 403 Forbidden\r\nx-own: yes\r\ncontent-length: 6\r\n\r\nclosed');
    sockets.handleUpgrade(req, socket, head, (made) => {
      made.send('welcome');
      made.on('message', (data, isBinary) => made.send(data, { binary: isBinary }));
      made.on('error', () => made.terminate());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    for (const one of sockets.clients) one.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return { url: `http://127.0.0.1:${port}`, seen, sockets: sockets.clients };
}

const startBefore = (url: string, more = ''): Promise<TestServer> =>
  startServer({
    config: `components: {notebook: {kind: rest, url: "${url}"}}\n${more}`,
    transport: 'in-process',
  });

const connect = (
  server: TestServer,
  path: string,
  headers: Record<string, string> = { 'x-api-key': server.key },
): WebSocket => new WebSocket(server.url.replace('http', 'ws') + path, ['kernel'], { headers });

/** The status of a refused upgrade, and its body. */
async function refused(socket: WebSocket): Promise<[status: number | undefined, body: string]> {
  socket.once('open', () => socket.emit('error', new Error('the upgrade was made')));
  const [, res] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  let body = '';
  for await (const chunk of res) body += String(chunk);
  return [res.statusCode, body];
}
const said = async (socket: WebSocket): Promise<string> => {
  const [data] = (await once(socket, 'message')) as [Buffer];
  return data.toString();
};

test('a WebSocket passes to the component, with the identity in place of the credential', async () => {
  const notebook = await startNotebook();
  await using server = await startBefore(notebook.url);
  const socket = connect(server, '/api/v1/notebook/api/kernels?token=1');
  expect(await said(socket)).toBe('welcome');
  expect(socket.protocol).toBe('kernel');
  const large = 'x'.repeat(3_000_000);
  socket.send(large);
  expect(await said(socket)).toBe(large);
  const [{ url, headers } = {} as IncomingMessage] = notebook.seen;
  expect(url).toBe('/api/kernels?token=1');
  expect(headers).toMatchObject({ 'x-platform-actor': 'user:admin', 'x-forwarded-for': '127.0.0.1' });
  expect(headers).not.toHaveProperty('x-api-key');
  socket.close(4001, 'done');
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  expect([code, reason.toString()]).toEqual([4001, 'done']);
  await expect.poll(() => notebook.sockets.size).toBe(0);
});

test('who has no credential, or comes from a page of elsewhere, is refused before the component hears of it', async () => {
  const notebook = await startNotebook();
  await using server = await startBefore(notebook.url, 'cors: {allowed_origins: ["https://lab.example"]}');
  const path = '/api/v1/notebook/x';
  expect((await refused(connect(server, path, {})))[0]).toBe(401);
  expect((await refused(connect(server, path, { 'x-api-key': 'sk_wrong' })))[0]).toBe(401);
  const elsewhere = { 'x-api-key': server.key, origin: 'https://evil.example' };
  expect((await refused(connect(server, path, elsewhere)))[0]).toBe(400);
  expect(
    (await refused(connect(server, `${path}?project=p`, { 'x-api-key': await keyOf(server, 'q') })))[0],
  ).toBe(403);
  expect((await refused(connect(server, '/api/v1/metadata/x')))[0]).toBe(404);
  expect(notebook.seen).toEqual([]);
});

const keyOf = (server: TestServer, project: string): Promise<string> =>
  server.newKey({ role: 'viewer', project });

test('what the component answers instead of the upgrade reaches the client', async () => {
  const notebook = await startNotebook();
  await using server = await startBefore(notebook.url);
  expect(await refused(connect(server, '/api/v1/notebook/closed'))).toEqual([403, 'closed']);
  const [status, body] = await refused(connect(server, '/api/v1/notebook/away'));
  expect([status, JSON.parse(body)]).toMatchObject([
    503,
    { error: 'component_unavailable', details: { component: 'notebook', upstream_status: 503 } },
  ]);
  await using nowhere = await startBefore('http://127.0.0.1:1');
  expect((await refused(connect(nowhere, '/api/v1/notebook/x')))[0]).toBe(503);
});

test('a revoked key ends its WebSockets, a lost component those to it, and one actor has a number of them', async () => {
  const notebook = await startNotebook();
  await using server = await startBefore(notebook.url, 'server: {limits: {websockets_per_actor: 2}}');
  const { body: made } = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
    body: { label: 'k', role: 'viewer', project: 'p' },
  });
  const key = { 'x-api-key': String(made.secret) };
  const sockets = [connect(server, '/api/v1/notebook/a', key), connect(server, '/api/v1/notebook/b', key)];
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    expect(await said(socket)).toBe('welcome');
  }
  expect((await refused(connect(server, '/api/v1/notebook/c', key)))[0]).toBe(429);
  const closed = sockets.map((socket) => once(socket, 'close'));
  await server.rest('DELETE', `/api/v1/gateway/auth/api-keys/${made.id}`);
  await Promise.all(closed);
  await expect.poll(() => notebook.sockets.size).toBe(0);

  const other = connect(server, '/api/v1/notebook/d');
  expect(await said(other)).toBe('welcome');
  const ended = once(other, 'close');
  for (const one of notebook.sockets) one.terminate();
  await ended;
});

test('a server that stops ends them, and does not wait for them', async () => {
  const notebook = await startNotebook();
  const server = await startBefore(notebook.url);
  const socket = connect(server, '/api/v1/notebook/a');
  expect(await said(socket)).toBe('welcome');
  const ended = once(socket, 'close');
  const began = performance.now();
  await server[Symbol.asyncDispose]();
  await ended;
  expect(performance.now() - began).toBeLessThan(10_000);
});
