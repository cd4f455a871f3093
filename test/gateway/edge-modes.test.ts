// The edge without authentication, behind proxies, under limits, and for pages of other origins.
import { expect, test } from 'vitest';
import { createProcessRateLimiter } from '../../router/edge/rate-limits/rate-limiter.ts';
import { type Gateway, startGateway } from './gateway-testkit.ts';
import { ENTITY, gatewayError, failing } from './edge-testkit.ts';

const HEALTH = '/api/v1/gateway/health';

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
  expect([await status(), await status('sk_wrong'), (await gateway.fetch(HEALTH)).status]).toEqual([
    401, 429, 429,
  ]);
  now += 500;
  expect([await status(alice), await status(alice)]).toEqual([200, 429]);
  now += 10_000;
  expect([await status(alice), await status(alice), await status(alice), await status(alice)]).toEqual([
    200, 200, 200, 429,
  ]);
});

test('probes are answered whatever rate limits and credentials wait for', async () => {
  const limiter = { take: () => new Promise<never>(() => undefined) };
  const rate = { perSecond: 1, burst: 1 };
  await using gateway = await startGateway({ rateLimits: { limiter, perActor: rate, perIp: rate } });
  for (const path of ['/livez', '/readyz'])
    expect((await gateway.fetch(path, { key: 'sk_wrong', signal: AbortSignal.timeout(10_000) })).status).toBe(
      200,
    );
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
    (await gateway.fetch(HEALTH, { headers: { 'x-forwarded-for': address } })).status;
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
  const refused = await gateway.fetch(`${ENTITY}%2F`, { headers: { origin: 'https://portal.example' } });
  expect([
    refused.status,
    refused.headers.get('access-control-allow-origin'),
    refused.headers.get('vary'),
  ]).toEqual([400, 'https://portal.example', 'Origin']);
  await using open = await startGateway({ cors: { allowedOrigins: ['*'] } });
  expect(
    (await open.fetch(ENTITY, { headers: { origin: 'https://any.example' } })).headers.get(
      'access-control-allow-origin',
    ),
  ).toBe('*');
});
