// docs/reference/gateway.md#order-of-checks, docs/reference/gateway.md#authentication,
// docs/reference/gateway.md#projects, docs/reference/api-conventions.md#errors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import type { Route } from '../../router/edge/http/routes.ts';
import { createProcessRateLimiter } from '../../router/edge/rate-limits/rate-limiter.ts';
import { sendJson } from '../../router/edge/http/send-json.ts';
import { type Gateway, startGateway } from './gateway-testkit.ts';
import { rawRequest, sendRaw } from './raw-http.ts';

const ENTITY = '/api/v1/metadata/entities/e1';
const UUID4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

interface ErrorBody {
  error: string;
  message: string;
  request_id: string;
  details: Record<string, unknown>;
  component?: string;
  upstream_status?: number | null;
}

/** Checks the common members of a gateway error; returns the rest. */
async function gatewayError(answer: Response): Promise<ErrorBody & { status: number }> {
  const body = (await answer.json()) as ErrorBody;
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body.request_id).toMatch(UUID4);
  expect(answer.headers.get('x-request-id')).toBe(body.request_id);
  expect(typeof body.message).toBe('string');
  expect(typeof body.details).toBe('object');
  return { ...body, status: answer.status };
}

const failing: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1/gateway/test/bug',
    access: 'public',
    handle: () => {
      throw new Error('password=hunter2 at /srv/app.ts');
    },
  },
  {
    method: 'GET',
    path: '/api/v1/gateway/test/down',
    access: 'public',
    handle: async () => {
      await Promise.resolve();
      throw new DomainError('component_unavailable', 'down', { component: 'metadata', upstream_status: 502 });
    },
  },
  {
    method: 'GET',
    path: '/api/v1/gateway/test/cut',
    access: 'public',
    handle: ({ res }) => {
      res.writeHead(200, { 'content-length': 10 });
      res.write('half');
      throw new Error('too late');
    },
  },
  {
    method: 'GET',
    path: '/api/v1/gateway/test/me',
    access: 'authenticated',
    handle: (x) => sendJson(x, 200, x.caller),
  },
  {
    method: 'GET',
    path: '/api/v1/gateway/test/public',
    access: 'public',
    handle: (x) => sendJson(x, 200, { actor: x.caller.actor, roles: x.caller.roles, ip: x.ip }),
  },
];

describe('one gateway', () => {
  let gateway: Gateway;
  let viewer: string;
  let admin: string;
  beforeAll(async () => {
    gateway = await startGateway({ routes: failing });
    [viewer, admin] = await Promise.all([gateway.keyFor('viewer'), gateway.keyFor('admin')]);
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test('a request without a credential is missing_token, with a challenge', async () => {
    const answer = await gateway.fetch(ENTITY);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="cairn", error="invalid_token"');
    expect(await gatewayError(answer)).toMatchObject({ status: 401, error: 'missing_token' });
  });

  test.each([
    ['Basic eDp5'],
    ['Bearer'],
    ['Bearer '],
    ['Bearer a b'],
    ['bearer not.a.token'],
    ['Token x'],
    ['sk_x'],
  ])('an Authorization header %j that is no bearer of ours is invalid_token', async (authorization) => {
    const answer = await gateway.fetch(ENTITY, { headers: { authorization } });
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await gatewayError(answer)).toMatchObject({ status: 401, error: 'invalid_token' });
  });

  test('a token in X-Api-Key is no key', async () => {
    expect(
      await gatewayError(await gateway.fetch(ENTITY, { key: 'eyJhbGciOiJub25lIn0.e30.' })),
    ).toMatchObject({ status: 401, error: 'invalid_token' });
  });

  test('a role too low is insufficient_role, naming role and operation, before the component hears of it', async () => {
    const answer = await gateway.fetch('/api/v1/artifact/cache/1', { key: viewer, method: 'DELETE' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="cairn", error="insufficient_scope"');
    expect(await gatewayError(answer)).toMatchObject({
      status: 403,
      error: 'insufficient_role',
      message: 'role admin is required to evict from the artifact cache',
      details: { required_role: 'admin', operation: 'evict from the artifact cache' },
    });
    expect((await gateway.fetch('/api/v1/artifact/cache/1', { key: admin, method: 'DELETE' })).status).toBe(
      200,
    );
  });

  test('naming a project of others is project_scope_denied, by header or query', async () => {
    const scoped = await gateway.keyFor('analyst', { project: 'p1' });
    const attempts: [string, Record<string, string>][] = [
      [ENTITY, { 'x-project': 'p2' }],
      [`${ENTITY}?project=p2`, {}],
      [`${ENTITY}?a=b&%70roject=p2`, {}],
      [`${ENTITY}?project=p1&project=p2`, {}],
      [`${ENTITY}?project=`, {}],
    ];
    for (const [path, headers] of attempts) {
      const answer = await gateway.fetch(path, { key: scoped, headers });
      expect(answer.headers.get('www-authenticate')).toContain('insufficient_scope');
      expect(await gatewayError(answer)).toMatchObject({ status: 403, error: 'project_scope_denied' });
    }
    expect(
      (await gateway.fetch(`${ENTITY}?project=p1`, { key: scoped, headers: { 'x-project': 'p1' } })).status,
    ).toBe(200);
    expect(
      (await gateway.fetch(`${ENTITY}?project=p2`, { key: viewer, headers: { 'x-project': 'p3' } })).status,
    ).toBe(200);
  });

  test('an unknown prefix is 401 without a credential and route_not_found with one', async () => {
    for (const path of [
      '/api/v1/nothing/x',
      '/api/v1/Metadata/entities',
      '/api/v1/gateway/nothing',
      '/api/v2/metadata/entities',
      '/nothing',
      '/',
      '/api/v1',
      '/api/v1/gateway',
    ]) {
      expect([path, (await gateway.fetch(path)).status]).toEqual([path, 401]);
      expect(await gatewayError(await gateway.fetch(path, { key: viewer }))).toMatchObject({
        status: 404,
        error: 'route_not_found',
      });
    }
  });

  test('a known path with a wrong method is 405 with Allow', async () => {
    const answer = await gateway.fetch('/api/v1/gateway/auth/api-keys', { key: admin, method: 'PUT' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(await gatewayError(answer)).toMatchObject({ status: 405, error: 'method_not_allowed' });
    const options = await gateway.fetch('/api/v1/gateway/health', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await rawRequest(gateway.port, `TRACE ${ENTITY} HTTP/1.1`, [`X-Api-Key: ${admin}`])).status).toBe(
      405,
    );
  });

  test('the component gets the path without its prefix and the query as it came', async () => {
    const seen = async (path: string): Promise<unknown> =>
      (await gateway.fetch(path, { key: viewer })).json();
    expect(await seen('/api/v1/metadata/entities/a%20b?x=%2F&y=1+2&x')).toMatchObject({
      component: 'metadata',
      path: '/entities/a%20b',
      search: 'x=%2F&y=1+2&x',
    });
    expect(await seen('/api/v1/metadata')).toMatchObject({ path: '/' });
    expect(await seen('/api/v1/metadata/')).toMatchObject({ path: '/' });
    expect(await seen('/api/v1/metadata/entities/')).toMatchObject({ path: '/entities' });
    expect(await seen('/ga4gh/drs/v1/objects/e1')).toMatchObject({
      component: 'metadata',
      path: '/ga4gh/drs/v1/objects/e1',
    });
  });

  test('a semicolon is part of a path segment, for the role check and for the component', async () => {
    const seen = async (path: string): Promise<unknown> =>
      (await gateway.fetch(path, { key: viewer })).json();
    expect(await seen('/api/v1/metadata/entities/a;b=1')).toMatchObject({ path: '/entities/a%3Bb=1' });
    for (const path of [
      '/api/v1/artifact/cache/1;x=1',
      '/api/v1/artifact/cache/;/1',
      '/api/v1/artifact/cache/..;/1',
    ]) {
      expect(
        (await rawRequest(gateway.port, `DELETE ${path} HTTP/1.1`, [`X-Api-Key: ${viewer}`])).status,
      ).toBe(403);
    }
  });

  test('HEAD is answered like GET, without a body', async () => {
    const [get, head] = await Promise.all([
      gateway.fetch(ENTITY, { key: viewer }),
      gateway.fetch(ENTITY, { key: viewer, method: 'HEAD' }),
    ]);
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  test.each([
    ['DELETE /api/v1/artifact/./cache/1'],
    ['DELETE /api/v1/artifact/x/../cache/1'],
    ['DELETE /api/v1/artifact/%2e/cache/1'],
    ['DELETE /api/v1/artifact/x/%2e%2e/cache/1'],
    ['DELETE /api/v1/artifact/x/.%2E/cache/1'],
    ['DELETE /api/v1/artifact/cache%2f1'],
    ['DELETE /api/v1/artifact/cache%5c1'],
    ['DELETE /api/v1/artifact/cache\\1'],
    ['DELETE /api/v1/artifact//cache/1'],
    ['DELETE //api/v1/artifact/cache/1'],
    ['DELETE /api/v1/artifact/cache/1//'],
    ['DELETE /api/v1/artifact/cache/%00'],
    ['DELETE /api/v1/artifact/cache/%0a'],
    ['DELETE /api/v1/artifact/cache/%7F'],
    ['DELETE /api/v1/artifact/cache/%C2%85'],
    ['DELETE /api/v1/artifact/cache/%'],
    ['DELETE /api/v1/artifact/cache/%zz'],
    ['DELETE /api/v1/artifact/cache/%4'],
    ['DELETE /api/v1/artifact/cache/%ff'],
    ['DELETE /api/v1/artifact/cache/%ed%a0%80'],
    ['DELETE /api/v1/artifact/cache/1#x'],
    ['DELETE http://127.0.0.1/api/v1/artifact/cache/1'],
    ['DELETE https://evil.example/api/v1/artifact/cache/1'],
    ['OPTIONS *'],
    ['GET /api/v1/gateway/../metadata/entities'],
    ['GET /api/v1/gateway/health/..'],
    ['GET /livez/.'],
  ])('an ambiguous path is 400 before anything else looks at it: %s', async (line) => {
    const without = await rawRequest(gateway.port, `${line} HTTP/1.1`);
    expect([without.status, (JSON.parse(without.body) as ErrorBody).error]).toEqual([400, 'invalid_request']);
    expect((await rawRequest(gateway.port, `${line} HTTP/1.1`, [`X-Api-Key: ${viewer}`])).status).toBe(400);
  });

  test.each([
    ['/api/v1/artifact/%63ache/1'],
    ['/api/v1/artifact/c%61%63he/%31'],
    ['/api/v1/artifact/cache/1/'],
    ['/api/v1/%61rtifact/cache/1'],
    ['/%61pi/v1/artifact/cache/*'],
  ])('an unnecessary escape means its character, for the role check too: %s', async (path) => {
    const refused = await rawRequest(gateway.port, `DELETE ${path} HTTP/1.1`, [`X-Api-Key: ${viewer}`]);
    expect([refused.status, (JSON.parse(refused.body) as ErrorBody).error]).toEqual([
      403,
      'insufficient_role',
    ]);
    expect((await rawRequest(gateway.port, `DELETE ${path} HTTP/1.1`, [`X-Api-Key: ${admin}`])).status).toBe(
      200,
    );
  });

  test.each([
    ['two Host headers', ['Host: other']],
    ['two Authorization headers', ['Authorization: Bearer a', 'authorization: Bearer b']],
    ['two keys', ['X-Api-Key: a', 'x-api-key: b']],
    ['an h2c upgrade', ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA']],
    ['an unknown expectation', ['Expect: 200-ok']],
    ['another transfer coding', ['Transfer-Encoding: gzip, chunked']],
  ])('%s are 400', async (_, headers) => {
    const answer = await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, headers);
    expect([answer.status, (JSON.parse(answer.body) as ErrorBody).error]).toEqual([400, 'invalid_request']);
  });

  test('requests that violate HTTP are rejected in the same error shape', async () => {
    const smuggled = await rawRequest(gateway.port, `POST ${ENTITY} HTTP/1.0`, [
      `X-Api-Key: ${viewer}`,
      'Transfer-Encoding: chunked',
    ]);
    expect(smuggled.status).toBe(400);
    const both = await rawRequest(gateway.port, `POST ${ENTITY} HTTP/1.1`, [
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
    ]);
    expect(both.status).toBe(400);
    const garbage = await sendRaw(gateway.port, 'GARBAGE\r\n\r\n');
    expect([garbage.status, (JSON.parse(garbage.body) as ErrorBody).error]).toEqual([400, 'invalid_request']);
    const huge = await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, [`X-Huge: ${'x'.repeat(20_000)}`]);
    expect(huge.status).toBe(431);
    const nowhere = await sendRaw(gateway.port, `GET ${ENTITY} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect([nowhere.status, (JSON.parse(nowhere.body) as ErrorBody).error]).toEqual([400, 'invalid_request']);
    expect(nowhere.headers['x-request-id']).toMatch(UUID4);
  });

  test('all of many headers are read, and too many are refused', async () => {
    // Node silently drops headers beyond a number
    const many = Array.from({ length: 2500 }, () => 'X-A: 1');
    expect(
      (await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, [...many, `X-Api-Key: ${viewer}`])).status,
    ).toBe(200);
    expect(
      (
        await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, [
          `X-Api-Key: ${viewer}`,
          ...many,
          'Host: other',
        ])
      ).status,
    ).toBe(400);
    expect(
      (await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, [...many, ...many, `X-Api-Key: ${viewer}`]))
        .status,
    ).toBe(431);
  });

  test('identity headers of the client change nothing', async () => {
    const answer = await rawRequest(gateway.port, `GET ${ENTITY} HTTP/1.1`, [
      `X-Api-Key: ${viewer}`,
      'X-Platform-Actor: user:root',
      'x_platform_actor: user:root',
      'X-PLATFORM-ROLES: admin',
      'X-Platform-Projects: *',
      'X-Request-Id: mine',
      'X-Platform-Request-Id: mine',
    ]);
    expect(JSON.parse(answer.body)).toMatchObject({ actor: 'user:viewer', roles: ['viewer'] });
    expect(answer.headers['x-request-id']).toMatch(UUID4);
  });

  test('a caller knows its request and a sound trace context', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const me = async (headers: Record<string, string>): Promise<Record<string, unknown>> =>
      (await (await gateway.fetch('/api/v1/gateway/test/me', { key: viewer, headers })).json()) as Record<
        string,
        unknown
      >;
    const caller = await me({ traceparent });
    expect(caller).toEqual({
      actor: 'user:viewer',
      roles: ['viewer'],
      projects: '*',
      credential: expect.stringMatching(/^key key_/) as string,
      requestId: expect.stringMatching(UUID4) as string,
      traceparent,
    });
    for (const none of [
      'x',
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
      `ff${traceparent.slice(2)}`,
    ]) {
      expect(await me({ traceparent: none })).not.toHaveProperty('traceparent');
    }
  });

  test('a public route takes a valid credential and ignores any other', async () => {
    const actor = async (options: { key?: string; headers?: Record<string, string> }): Promise<unknown> =>
      await (await gateway.fetch('/api/v1/gateway/test/public', options)).json();
    expect(await actor({ key: viewer })).toMatchObject({ actor: 'user:viewer', roles: ['viewer'] });
    expect(await actor({})).toMatchObject({ actor: 'anonymous', roles: [] });
    expect(await actor({ key: 'sk_wrong' })).toMatchObject({ actor: 'anonymous', roles: [] });
    expect(await actor({ headers: { authorization: 'Basic eDp5' } })).toMatchObject({ actor: 'anonymous' });
  });

  test('an unexpected error shows no internals', async () => {
    expect(await gatewayError(await gateway.fetch('/api/v1/gateway/test/bug'))).toEqual({
      status: 500,
      error: 'internal_error',
      message: 'internal error',
      details: {},
      request_id: expect.any(String) as string,
    });
  });

  test('an unavailable component is named at the top level', async () => {
    expect(await gatewayError(await gateway.fetch('/api/v1/gateway/test/down'))).toMatchObject({
      status: 503,
      error: 'component_unavailable',
      component: 'metadata',
      upstream_status: 502,
    });
  });

  test('a response that fails half way is aborted, never completed', async () => {
    await expect(gateway.fetch('/api/v1/gateway/test/cut').then((answer) => answer.text())).rejects.toThrow();
  });

  test('every answer forbids sniffing and framing', async () => {
    for (const path of [ENTITY, '/livez']) {
      const { headers } = await gateway.fetch(path);
      expect([
        headers.get('x-content-type-options'),
        headers.get('x-frame-options'),
        headers.get('x-powered-by'),
      ]).toEqual(['nosniff', 'DENY', null]);
    }
  });

  const post = (
    body: NonNullable<RequestInit['body']>,
    contentType = 'application/json',
    more: Record<string, string> = {},
  ): Promise<Response> =>
    gateway.fetch(ENTITY, {
      key: viewer,
      method: 'POST',
      body,
      headers: { 'content-type': contentType, ...more },
    });

  test('bodies: malformed is 400, too large 413, another media type 415, unstorable 422', async () => {
    expect(await gatewayError(await post('{"a":'))).toMatchObject({ status: 400, error: 'invalid_request' });
    expect(await gatewayError(await post(Buffer.from([0x22, 0xff, 0x22])))).toMatchObject({
      status: 400,
      error: 'invalid_request',
    });
    expect(await gatewayError(await post('['.repeat(100_000)))).toMatchObject({
      status: 400,
      error: 'invalid_request',
    });
    expect(await gatewayError(await post(`"${'x'.repeat(1024 * 1024)}"`))).toMatchObject({
      status: 413,
      error: 'payload_too_large',
    });
    expect((await post(`"${'x'.repeat(1024 * 1024 - 2)}"`)).status).toBe(200);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/json; charset=latin1',
    ]) {
      expect(await gatewayError(await post('{}', type))).toMatchObject({
        status: 415,
        error: 'unsupported_media_type',
      });
    }
    expect(
      await gatewayError(await post('{}', 'application/json', { 'content-encoding': 'gzip' })),
    ).toMatchObject({ status: 415 });
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/ld+json'])
      expect((await post('{}', type)).status).toBe(200);
    expect(await gatewayError(await post('{"data":{"n":9007199254740993}}'))).toMatchObject({
      status: 422,
      error: 'validation_failed',
      details: { path: '$.data.n' },
    });
    expect(await gatewayError(await post('{"data":{"s":"a\\u0000"}}'))).toMatchObject({
      status: 422,
      error: 'validation_failed',
      details: { path: '$.data.s' },
    });
  });

  test('pipelined requests on one connection are answered one by one, whether they have bodies, unread bodies, or none', async () => {
    const ahead = [
      ['GET', ENTITY, ''],
      ['GET', '/api/v1/gateway/test/me', 'unread'],
      ['POST', ENTITY, '{"a":1}'],
      ['GET', ENTITY, ''],
    ] as const;
    const requests = ahead.map(([method, path, body], i) =>
      [
        `${method} ${path} HTTP/1.1`,
        'Host: a',
        `X-Api-Key: ${viewer}`,
        ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
        ...(i === ahead.length - 1 ? ['Connection: close'] : []),
        '',
        body,
      ].join('\r\n'),
    );
    const { status, body } = await sendRaw(gateway.port, requests.join(''));
    expect(
      [status, ...body.matchAll(/HTTP\/1\.1 (\d+)/g)].map((found) =>
        typeof found === 'number' ? found : Number(found[1]),
      ),
    ).toEqual([200, 200, 200, 200]);
    expect([...body.matchAll(/"method":"(\w+)"|"requestId"/g)].map(([, method]) => method)).toEqual([
      'GET',
      undefined,
      'POST',
      'GET',
    ]);
  });

  test('a body without a declared length is held to the same limit', async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 40; i++) controller.enqueue(new TextEncoder().encode(' '.repeat(65_536)));
        controller.close();
      },
    });
    const answer = await gateway.fetch(ENTITY, {
      key: viewer,
      method: 'POST',
      body: chunks,
      headers: { 'content-type': 'application/json' },
      ...{ duplex: 'half' },
    });
    expect(await gatewayError(answer)).toMatchObject({ status: 413 });
  });
});

test('with auth.mode disabled everybody is the anonymous admin, whatever they send', async () => {
  await using gateway = await startGateway({
    identity: { actor: 'anonymous', roles: ['admin'], projects: '*' },
  });
  for (const headers of [{}, { 'x-api-key': 'sk_wrong' }, { authorization: 'Basic eDp5' }]) {
    expect(
      await (await gateway.fetch(ENTITY, { headers: headers as Record<string, string> })).json(),
    ).toMatchObject({ actor: 'anonymous', roles: ['admin'], projects: '*' });
  }
});

test('with auth.mode disabled, pages of other sites cannot write', async () => {
  await using gateway = await startGateway({
    identity: { actor: 'anonymous', roles: ['admin'], projects: '*' },
    cors: { allowedOrigins: ['https://portal.example'] },
  });
  const post = (headers: Record<string, string>, method = 'POST') =>
    gateway.fetch(ENTITY, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body: '{}' }),
    });
  for (const origin of ['https://evil.example', 'null', `${gateway.url}.evil.example`]) {
    const refused = await post({ origin });
    expect(refused.status).toBe(400);
    expect(await gatewayError(refused)).toMatchObject({ error: 'invalid_request' });
    expect((await post({ origin }, 'GET')).status).toBe(200);
  }
  for (const headers of [{}, { origin: gateway.url }, { origin: 'https://portal.example' }])
    expect((await post(headers as Record<string, string>)).status).not.toBe(400);
  await using guarded = await startGateway();
  expect(
    (
      await guarded.fetch(ENTITY, {
        key: await guarded.keyFor('admin'),
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
        body: '{}',
      })
    ).status,
  ).not.toBe(400);
});

test('X-Forwarded-For counts only from trusted peers, up to the first address that is not one', async () => {
  const ip = async (gateway: Gateway, chain?: string): Promise<unknown> =>
    (
      (await (
        await gateway.fetch('/api/v1/gateway/test/public', {
          headers: chain === undefined ? {} : { 'x-forwarded-for': chain },
        })
      ).json()) as { ip: string }
    ).ip;
  await using trusting = await startGateway({
    routes: failing,
    trustedNetworks: ['127.0.0.0/8', '10.0.0.0/8'],
  });
  expect(await ip(trusting)).toBe('127.0.0.1');
  expect(await ip(trusting, '203.0.113.9')).toBe('203.0.113.9');
  expect(await ip(trusting, '198.51.100.1, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9');
  expect(await ip(trusting, 'nonsense, 10.1.2.3')).toBe('10.1.2.3');
  await using wary = await startGateway({ routes: failing, trustedNetworks: ['10.0.0.0/8'] });
  expect(await ip(wary, '203.0.113.9')).toBe('127.0.0.1');
});

test('a valid credential is limited by its actor, anything else by its address', async () => {
  let now = 0;
  await using gateway = await startGateway({
    rateLimits: {
      limiter: createProcessRateLimiter(() => now),
      perActor: { perSecond: 2, burst: 3 },
      perIp: { perSecond: 1, burst: 1 },
    },
  });
  const [alice, aliceToo, bob] = await Promise.all([
    gateway.keyFor('viewer', { name: 'alice' }),
    gateway.keyFor('viewer', { name: 'alice' }),
    gateway.keyFor('viewer', { name: 'bob' }),
  ]);
  const status = async (key?: string): Promise<number> =>
    (await gateway.fetch(ENTITY, key === undefined ? {} : { key })).status;
  expect([await status(alice), await status(aliceToo), await status(alice)]).toEqual([200, 200, 200]);
  const limited = await gateway.fetch(ENTITY, { key: alice });
  expect([
    limited.headers.get('retry-after'),
    limited.headers.get('ratelimit'),
    limited.headers.get('ratelimit-policy'),
  ]).toEqual(['1', '"actor";r=0;t=1', '"actor";q=3;w=2']);
  expect(await gatewayError(limited)).toMatchObject({ status: 429, error: 'rate_limit_exceeded' });
  expect(await status(bob)).toBe(200);
  expect([await status(), await status('sk_wrong'), (await gateway.fetch('/livez')).status]).toEqual([
    401, 429, 429,
  ]);
  now += 500;
  expect([await status(alice), await status(alice)]).toEqual([200, 429]);
  now += 10_000;
  expect([await status(alice), await status(alice), await status(alice), await status(alice)]).toEqual([
    200, 200, 200, 429,
  ]);
});

test('an IPv6 network of 64 bits is one address to the rate limit, and IPv4 written as IPv6 is IPv4', async () => {
  await using gateway = await startGateway({
    rateLimits: {
      limiter: createProcessRateLimiter(() => 0),
      perActor: { perSecond: 1, burst: 1 },
      perIp: { perSecond: 1, burst: 1 },
    },
  });
  const from = async (address: string): Promise<number> =>
    (await gateway.fetch('/livez', { headers: { 'x-forwarded-for': address } })).status;
  expect([await from('2001:db8::1'), await from('2001:DB8:0:0:ffff::2')]).toEqual([200, 429]);
  expect(await from('2001:db8:0:1::1')).toBe(200);
  expect([await from('192.0.2.7'), await from('::ffff:192.0.2.7'), await from('::FFFF:c000:207')]).toEqual([
    200, 429, 429,
  ]);
});

test('CORS: preflights are answered without a credential, for configured origins alone', async () => {
  await using gateway = await startGateway({
    cors: { allowedOrigins: ['https://portal.example'], allowCredentials: true, maxAge: 42 },
  });
  const preflight = (origin: string): Promise<Response> =>
    gateway.fetch(ENTITY, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
  const allowed = await preflight('https://portal.example');
  expect(allowed.status).toBe(204);
  expect(
    Object.fromEntries(
      ['origin', 'methods', 'headers', 'credentials'].map((name) => [
        name,
        allowed.headers.get(`access-control-allow-${name}`),
      ]),
    ),
  ).toEqual({
    origin: 'https://portal.example',
    methods: 'GET, POST',
    headers: 'Authorization, Content-Type',
    credentials: 'true',
  });
  expect([allowed.headers.get('access-control-max-age'), allowed.headers.get('vary')]).toEqual([
    '42',
    'Origin',
  ]);
  for (const origin of ['https://evil.example', 'https://portal.example.evil', 'null'])
    expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
  const plain = await gateway.fetch(ENTITY, { headers: { origin: 'https://portal.example' } });
  expect([
    plain.status,
    plain.headers.get('access-control-allow-origin'),
    plain.headers.get('access-control-expose-headers'),
  ]).toEqual([401, 'https://portal.example', expect.stringContaining('X-Request-Id')]);
  await using open = await startGateway({ cors: { allowedOrigins: ['*'] } });
  expect(
    (await open.fetch(ENTITY, { headers: { origin: 'https://any.example' } })).headers.get(
      'access-control-allow-origin',
    ),
  ).toBe('*');
});
