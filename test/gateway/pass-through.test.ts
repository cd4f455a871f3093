// docs/reference/gateway.md#forwarding, docs/reference/gateway.md#forwarded-headers,
// docs/reference/gateway.md#identity-headers, docs/reference/gateway.md#component-failures.
import { createHash } from 'node:crypto';
import { Agent, createServer, type IncomingHttpHeaders, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { createPassThrough } from '../../router/pass-through/pass-through.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway-testkit.ts';
import { rawRequest } from './raw-http.ts';

interface Upstream extends AsyncDisposable {
  readonly url: string;
}

async function startUpstream(listener: (...args: Parameters<RequestListener>) => unknown): Promise<Upstream> {
  const server = createServer((req, res) => {
    void listener(req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const startBefore = (url: string, options: GatewayOptions & { timeoutMs?: number } = {}): Promise<Gateway> =>
  startGateway({
    ...options,
    restApis: ({ addresses }) => ({
      viewer: createPassThrough({
        name: 'viewer',
        url,
        timeoutMs: options.timeoutMs ?? 2000,
        addresses,
        sign: (identity, audience) => `signed.${audience}.${identity.actor}`,
      }),
    }),
  });

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  names: string[];
  body: string;
}

/** Reports the request that reached it. */
const mirror: RequestListener = (req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const seen: Seen = {
      method: req.method ?? '',
      url: req.url ?? '',
      headers: req.headers,
      names: req.rawHeaders.filter((_, i) => i % 2 === 0),
      body: Buffer.concat(chunks).toString(),
    };
    const text = JSON.stringify(seen);
    res
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text);
  });
};

test('method, path without prefix, query and body reach the component as they are', async () => {
  await using upstream = await startUpstream(mirror);
  await using gateway = await startBefore(`${upstream.url}/base`);
  const key = await gateway.keyFor('viewer');
  const seen = async (path: string, init: RequestInit = {}): Promise<Seen> =>
    (await (await gateway.fetch(path, { key, ...init })).json()) as Seen;
  expect(await seen('/api/v1/viewer/a%20b/c/?q=%2F&q=1+2')).toMatchObject({
    method: 'GET',
    url: '/base/a%20b/c/?q=%2F&q=1+2',
    body: '',
  });
  expect(await seen('/api/v1/viewer')).toMatchObject({ url: '/base/' });
  expect(
    await seen('/api/v1/viewer/x', {
      method: 'PATCH',
      body: 'not json',
      headers: { 'content-type': 'text/x-odd', accept: 'image/png' },
    }),
  ).toMatchObject({
    method: 'PATCH',
    body: 'not json',
    headers: { 'content-type': 'text/x-odd', accept: 'image/png', 'content-length': '8' },
  });
});

test('without a credential nothing reaches the component', async () => {
  let reached = 0;
  await using upstream = await startUpstream((_, res) => {
    reached++;
    res.end();
  });
  await using gateway = await startBefore(upstream.url);
  expect((await gateway.fetch('/api/v1/viewer/x')).status).toBe(401);
  const scoped = await gateway.keyFor('viewer', { project: 'p1' });
  expect((await gateway.fetch('/api/v1/viewer/x?project=p2', { key: scoped })).status).toBe(403);
  expect(reached).toBe(0);
});

test("the component learns the caller's identity from the gateway alone, and gets no credential", async () => {
  await using upstream = await startUpstream(mirror);
  await using gateway = await startBefore(upstream.url, { trustedNetworks: ['10.0.0.0/8'] });
  const key = await gateway.keyFor('analyst', { name: 'alice', project: 'p1' });
  const answer = await rawRequest(gateway.port, 'GET /api/v1/viewer/x HTTP/1.1', [
    `Authorization: Bearer ${key}`,
    `X-Api-Key: ${key}`,
    'Cookie: session=1',
    'X-Platform-Actor: user:root',
    'x-platform-roles: admin',
    'X_Platform_Actor: user:root',
    'X-Platform_Projects: *',
    'X-Forwarded-For: 203.0.113.9',
    'Forwarded: for=203.0.113.9',
    'X-Forwarded-Host: evil',
    'TE: trailers',
    'Keep-Alive: timeout=9',
    'Proxy-Authorization: Basic eDp5',
    'X-Custom: kept',
    'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'tracestate: a=b',
    'Accept: text/csv',
  ]);
  const { headers, names } = JSON.parse(answer.body) as Seen;
  expect(headers).toMatchObject({
    'x-platform-actor': 'user:alice',
    'x-platform-roles': 'analyst',
    'x-platform-projects': 'p1',
    'x-platform-request-id': answer.headers['x-request-id'],
    'x-forwarded-for': '127.0.0.1',
    'x-custom': 'kept',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'a=b',
    accept: 'text/csv',
  });
  for (const name of [
    'authorization',
    'x-api-key',
    'cookie',
    'x_platform_actor',
    'x-platform_projects',
    'forwarded',
    'x-forwarded-host',
    'te',
    'keep-alive',
    'proxy-authorization',
  ]) {
    expect(names.map((n) => n.toLowerCase())).not.toContain(name);
  }
  expect(names.filter((name) => name.toLowerCase() === 'x-platform-actor')).toHaveLength(1);
  expect(JSON.stringify(headers)).not.toContain(key);
});

test('headers that Connection names are not forwarded, but cannot remove an identity header', async () => {
  await using upstream = await startUpstream(mirror);
  await using gateway = await startBefore(upstream.url);
  const key = await gateway.keyFor('viewer');
  const { body } = await rawRequest(gateway.port, 'GET /api/v1/viewer/x HTTP/1.1', [
    `X-Api-Key: ${key}`,
    'Connection: X-Hop, x-platform-actor',
    'X-Hop: 1',
  ]);
  const { headers } = JSON.parse(body) as Seen;
  expect(headers).not.toHaveProperty('x-hop');
  expect(headers['x-platform-actor']).toBe('user:viewer');
});

test("a trusted proxy's chain is continued, any other is replaced", async () => {
  await using upstream = await startUpstream(mirror);
  await using gateway = await startBefore(upstream.url);
  const key = await gateway.keyFor('viewer');
  const { headers } = (await (
    await gateway.fetch('/api/v1/viewer/x', { key, headers: { 'x-forwarded-for': '203.0.113.9' } })
  ).json()) as Seen;
  expect(headers['x-forwarded-for']).toBe('203.0.113.9, 127.0.0.1');
});

test('a component can set neither our cookies nor those of other hosts', async () => {
  const ours = [
    'cairn_session=planted',
    '__Host-cairn_session=x; Path=/; Secure',
    ' CAIRN_SESSION = x',
    '=cairn_session=x; Path=/',
    '__host-Cairn_session=; Max-Age=0',
    'cairn_session',
    '__Secure-cairn_session=x',
  ];
  await using upstream = await startUpstream((_, res) => {
    res
      .writeHead(200, {
        'set-cookie': [
          ...ours,
          'theirs=1; Path=/; HttpOnly',
          'wide=1; Domain=example.org; Secure',
          'my_cairn_session=1',
        ],
        'clear-site-data': '"cookies"',
      })
      .end();
  });
  await using gateway = await startBefore(upstream.url);
  const { headers } = await gateway.fetch('/api/v1/viewer/x', { key: await gateway.keyFor('viewer') });
  expect(headers.getSetCookie()).toEqual([
    'theirs=1; Path=/; HttpOnly',
    'wide=1; Secure',
    'my_cairn_session=1',
  ]);
  expect(headers.get('clear-site-data')).toBeNull();
});

test('status, body and headers of the component pass unchanged, its CORS and connection headers do not', async () => {
  await using upstream = await startUpstream((req, res) => {
    const status = Number(/\d+/.exec(req.url ?? '')?.[0] ?? 200);
    res.writeHead(status, {
      'content-type': 'text/x-odd; v=1',
      'set-cookie': ['a=1', 'b=2'],
      etag: '"7"',
      'access-control-allow-origin': '*',
      'x-request-id': 'theirs',
      'x-platform-actor': 'leak',
      vary: 'Accept',
      location: '/elsewhere',
    });
    res.end(status === 204 || status === 304 ? undefined : `body ${status}`);
  });
  await using gateway = await startBefore(upstream.url, {
    cors: { allowedOrigins: ['https://portal.example'] },
  });
  const key = await gateway.keyFor('viewer');
  for (const status of [200, 201, 204, 302, 304, 400, 401, 404, 418, 500, 501]) {
    const answer = await gateway.fetch(`/api/v1/viewer/${status}`, { key, redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([
      status,
      status === 204 || status === 304 ? '' : `body ${status}`,
    ]);
    const { headers } = answer;
    expect([
      headers.get('content-type'),
      headers.get('etag'),
      headers.getSetCookie(),
      headers.get('vary'),
    ]).toEqual(['text/x-odd; v=1', '"7"', ['a=1', 'b=2'], 'Origin, Accept']);
    expect([headers.get('access-control-allow-origin'), headers.get('x-platform-actor')]).toEqual([
      null,
      null,
    ]);
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  }
  const head = await gateway.fetch('/api/v1/viewer/200', { key, method: 'HEAD' });
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', '"7"']);
});

test.each([502, 503, 504])('a component that answers %i is component_unavailable', async (status) => {
  await using upstream = await startUpstream((_, res) => {
    res.writeHead(status).end('secret of the component');
  });
  await using gateway = await startBefore(upstream.url);
  const answer = await gateway.fetch('/api/v1/viewer/x', { key: await gateway.keyFor('viewer') });
  expect([answer.status, await answer.json()]).toEqual([
    503,
    expect.objectContaining({
      error: 'component_unavailable',
      component: 'viewer',
      upstream_status: status,
    }) as unknown,
  ]);
});

test('a component that is unreachable, silent, or hangs up is component_unavailable without a status', async () => {
  await using silent = await startUpstream(() => undefined);
  await using hangingUp = await startUpstream((req) => req.socket.destroy());
  for (const url of ['http://127.0.0.1:1', silent.url, hangingUp.url]) {
    await using gateway = await startBefore(url, { timeoutMs: 500 });
    const key = await gateway.keyFor('viewer');
    for (const init of [{}, { method: 'POST', body: 'x' }]) {
      const answer = await gateway.fetch('/api/v1/viewer/x', { key, ...init });
      expect([answer.status, await answer.json()]).toEqual([
        503,
        expect.objectContaining({
          error: 'component_unavailable',
          component: 'viewer',
          upstream_status: null,
        }) as unknown,
      ]);
    }
  }
});

test('a component that fails half way cuts the response off', async () => {
  await using upstream = await startUpstream((_, res) => {
    res.writeHead(200, { 'content-length': '100' });
    res.write('half');
    setTimeout(() => res.destroy(), 50);
  });
  await using gateway = await startBefore(upstream.url);
  const answer = await gateway.fetch('/api/v1/viewer/x', { key: await gateway.keyFor('viewer') });
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test('a response is streamed: its first part arrives while the rest is still being produced', async () => {
  let finish: () => void = () => undefined;
  await using upstream = await startUpstream((_, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('data: 1\n\n');
    finish = () => res.end('data: 2\n\n');
  });
  await using gateway = await startBefore(upstream.url);
  const answer = await gateway.fetch('/api/v1/viewer/x', { key: await gateway.keyFor('viewer') });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader(); // fetch's bodies are bytes.
  const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await next()).toBe('data: 1\n\n');
  finish();
  expect(await next()).toBe('data: 2\n\n');
});

test('a client that disconnects ends the upstream request', async () => {
  let gone: (value: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    gone = resolve;
  });
  await using upstream = await startUpstream((req, res) => {
    req.on('close', () => gone(req.url ?? ''));
    res.writeHead(200);
    res.write('x');
  });
  await using gateway = await startBefore(upstream.url);
  const abort = new AbortController();
  const answer = await gateway.fetch('/api/v1/viewer/long', {
    key: await gateway.keyFor('viewer'),
    signal: abort.signal,
  });
  expect(answer.status).toBe(200);
  abort.abort();
  expect(await ended).toBe('/long');
});

test('an upload that the component does not want to read is still answered', async () => {
  await using upstream = await startUpstream((_, res) => {
    res.writeHead(422, { 'content-type': 'text/plain' }).end('no thanks');
  });
  await using gateway = await startBefore(upstream.url);
  const key = await gateway.keyFor('viewer');
  const answer = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const req = request(
      `${gateway.url}/api/v1/viewer/x`,
      { method: 'POST', headers: { 'x-api-key': key } },
      (res) => {
        let text = '';
        res.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        res.on('end', () => resolve([res.statusCode, text]));
      },
    );
    req.on('error', reject);
    req.write(Buffer.alloc(256 * 1024));
    setTimeout(() => req.end(), 100);
  });
  expect(answer).toEqual([422, 'no thanks']);
});

test("the unread rest of an upload does not delay the connection's next request", async () => {
  await using gateway = await startBefore('http://127.0.0.1:1');
  const key = await gateway.keyFor('viewer');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (
    method: string,
    path: string,
    body?: Buffer,
  ): Promise<{ status: number | undefined; port: number | undefined }> =>
    new Promise((resolve, reject) => {
      const req = request(
        `${gateway.url}${path}`,
        { method, agent, headers: { 'x-api-key': key } },
        (res) => {
          const port = req.socket?.localPort;
          res.resume().on('end', () => resolve({ status: res.statusCode, port }));
        },
      );
      req.on('error', reject);
      req.end(body);
    });
  const upload = await send('POST', '/api/v1/viewer/x', Buffer.alloc(4 * 1024 * 1024));
  expect(upload.status).toBe(503);
  expect(await send('GET', '/api/v1/nowhere')).toEqual({ status: 404, port: upload.port });
  agent.destroy();
});

test('64 MiB pass in both directions without being buffered: a sender is ahead by no more than the socket buffers', async () => {
  const size = 64 * 1024 * 1024;
  const chunk = Buffer.alloc(256 * 1024, 'abcdefgh');
  let sent = 0;
  function* parts(): Iterable<Buffer> {
    for (sent = 0; sent < size; sent += chunk.length) yield chunk;
  }
  const digest = createHash('sha256');
  for (const part of parts()) digest.update(part);
  /** Waits until the sender makes no more progress, and returns how far it got. */
  const standstill = async (): Promise<number> => {
    for (let last = -1; last !== sent;) {
      last = sent;
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
    }
    return sent;
  };
  let aheadUp = 0;
  await using upstream = await startUpstream(async (req, res) => {
    if (req.method === 'GET') return pipeline(parts(), res);
    aheadUp = await standstill();
    const hash = createHash('sha256');
    // Without an encoding, a request returns Buffers.
    for await (const part of req) hash.update(part as Buffer);
    res.end(hash.digest('hex'));
  });
  await using gateway = await startBefore(upstream.url, { timeoutMs: 20_000 });
  const key = await gateway.keyFor('viewer');

  const hashed = await new Promise<string>((resolve, reject) => {
    const req = request(
      `${gateway.url}/api/v1/viewer/up`,
      { method: 'PUT', headers: { 'x-api-key': key } },
      (res) => {
        let text = '';
        res.on('data', (data: Buffer) => {
          text += data.toString();
        });
        res.on('end', () => resolve(text));
      },
    );
    req.on('error', reject);
    pipeline(parts(), req).catch(reject);
  });
  expect(hashed).toBe(digest.digest('hex'));

  const { received, aheadDown } = await new Promise<{ received: number; aheadDown: number }>(
    (resolve, reject) => {
      request(`${gateway.url}/api/v1/viewer/down`, { headers: { 'x-api-key': key } }, (res) => {
        void standstill().then((ahead) => {
          let length = 0;
          res.on('data', (data: Buffer) => {
            length += data.length;
          });
          res.on('end', () => resolve({ received: length, aheadDown: ahead }));
        });
      })
        .on('error', reject)
        .end();
    },
  );
  expect(received).toBe(size);
  expect(Math.max(aheadUp, aheadDown)).toBeLessThan(size / 2);
});
