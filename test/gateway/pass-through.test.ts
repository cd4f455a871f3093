// docs/reference/gateway.md#forwarding, docs/reference/gateway.md#forwarded-headers,
// docs/reference/gateway.md#identity-headers, docs/reference/gateway.md#component-failures.
import { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { rawRequest } from './raw-http.ts';
import { startUpstream, startBefore } from './pass-through-testkit.ts';

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

test('a request that may be repeated is sent again where its connection was stale, once, and no other is', async () => {
  const seen: string[] = [];
  const used = new WeakSet();
  await using upstream = await startUpstream((req, res) => {
    seen.push(`${req.method} ${req.url}`);
    // a server that closes its idle connections, at the moment when the next request comes
    if (used.has(req.socket) || req.url === '/broken') return void req.socket.destroy();
    used.add(req.socket);
    res.end('ok');
  });
  await using gateway = await startBefore(upstream.url);
  const key = await gateway.keyFor('viewer');
  const status = async (method: string, path: string, body?: string): Promise<number> =>
    (await gateway.fetch(`/api/v1/viewer${path}`, { key, method, ...(body === undefined ? {} : { body }) }))
      .status;
  expect(await status('GET', '/first')).toBe(200);
  expect(await status('GET', '/second')).toBe(200);
  expect(await status('POST', '/third', 'x')).toBe(503);
  expect(await status('GET', '/broken')).toBe(503);
  expect(seen).toEqual([
    'GET /first',
    'GET /second',
    'GET /second',
    'POST /third',
    'GET /broken',
    'GET /broken',
  ]);
});

test('a component that gives no answer ten times in a row is not asked for a second', async () => {
  let isAway = true;
  let asked = 0;
  await using upstream = await startUpstream((req, res) => {
    asked++;
    if (isAway) req.socket.destroy();
    else res.end();
  });
  await using gateway = await startBefore(upstream.url);
  const key = await gateway.keyFor('viewer');
  const ask = (method: string): Promise<Response> => gateway.fetch('/api/v1/viewer/x', { key, method });
  const get = (): Promise<Response> => ask('GET');
  for (let n = 0; n < 12; n++) expect((await ask('POST')).status).toBe(503);
  expect(asked).toBe(10);
  const refused = (await (await get()).json()) as { message: string; details: unknown };
  expect(refused).toMatchObject({ details: { component: 'viewer', upstream_status: null } });
  expect(refused.message).toContain('asked again within a second');
  isAway = false;
  await expect.poll(async () => (await get()).status).toBe(200);
});
