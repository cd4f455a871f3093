// docs/reference/gateway.md#order-of-checks, docs/reference/gateway.md#authentication,
// docs/reference/gateway.md#projects, docs/reference/api-conventions.md#errors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from './gateway-testkit.ts';
import { rawRequest } from './raw-http.ts';
import { ENTITY, UUID4, gatewayError, failing } from './edge-testkit.ts';

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
});
