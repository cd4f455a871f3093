// Tokens as the configuration and the life of a family determine them; refresh and revocation.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { recordStart } from '../../router/main/record-start.ts';
import { testLog } from '../testkit/database.ts';
import {
  claimsOf,
  CLIENTS,
  DEVICE,
  ENTITIES,
  type OAuthServer,
  REFRESH,
  REVOKE,
  SECRET,
  startOAuth,
  TOKEN,
} from './oauth-testkit.ts';
import { CREDENTIALS } from './tokens-testkit.ts';

describe('one platform', () => {
  let server: OAuthServer;
  beforeAll(async () => {
    server = await startOAuth();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describe('refresh', () => {
    test('gives a new pair of the same shape; the submitted one is spent', async () => {
      const first = await server.clientTokens();
      const answer = await server.post(REFRESH, {
        grant_type: 'refresh_token',
        refresh_token: first.refresh_token,
      });
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          access_token: expect.any(String),
          token_type: 'Bearer',
          expires_in: 300,
          refresh_token: expect.stringMatching(/^rt_/),
        },
      ]);
      expect(answer.body.refresh_token).not.toBe(first.refresh_token);
      expect(claimsOf(answer.body.access_token)).toMatchObject({
        sub: 'service:importer',
        roles: ['service'],
        projects: ['alpha', 'beta'],
        sid: claimsOf(first.access_token)['sid'],
      });
      expect((await server.as(answer.body.access_token)).status).toBe(200);
    });

    test('with a spent token is revoked_token and ends the whole family, access tokens included', async () => {
      const first = await server.clientTokens();
      const { body: second } = await server.post(REFRESH, {
        grant_type: 'refresh_token',
        refresh_token: first.refresh_token,
      });
      const { body: third } = await server.post(REFRESH, {
        grant_type: 'refresh_token',
        refresh_token: second.refresh_token,
      });
      const reuse = await server.post(REFRESH, {
        grant_type: 'refresh_token',
        refresh_token: first.refresh_token,
      });
      expect([reuse.status, reuse.body.error, reuse.headers.get('www-authenticate')]).toEqual([
        401,
        'revoked_token',
        'Bearer realm="cairn", error="invalid_token"',
      ]);
      expect(
        (await server.post(REFRESH, { grant_type: 'refresh_token', refresh_token: third.refresh_token }))
          .body,
      ).toMatchObject({ error: 'revoked_token' });
      for (const { access_token: token } of [first, second, third])
        expect((await server.as(token)).body).toMatchObject({ error: 'revoked_token' });
    });

    test('works at the token endpoint too, where a confidential client has to say who it is', async () => {
      const first = await server.clientTokens();
      const parameters = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
      expect((await server.post(TOKEN, parameters)).body).toMatchObject({ error: 'invalid_client' });
      expect((await server.post(TOKEN, parameters, { form: true, basic: ['importer', SECRET] })).status).toBe(
        200,
      );
    });

    test('by another client is invalid_grant, and changes nothing', async () => {
      const first = await server.clientTokens();
      const parameters = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
      expect((await server.post(REFRESH, { ...parameters, client_id: 'spa' })).body).toMatchObject({
        error: 'invalid_grant',
      });
      expect(
        (await server.post(REFRESH, { ...parameters, client_id: 'importer', client_secret: 'guess' })).body,
      ).toMatchObject({ error: 'invalid_client' });
      expect((await server.post(REFRESH, parameters)).status).toBe(200);
    });

    test('after its time is expired_token', async () => {
      const { refresh_token: token } = await server.clientTokens();
      await server.database.pool.query(
        `UPDATE gateway.refresh_token SET expires_at = now() - interval '1 second' WHERE consumed_at IS NULL`,
      );
      const answer = await server.post(REFRESH, { grant_type: 'refresh_token', refresh_token: token });
      expect([answer.status, answer.body.error]).toEqual([401, 'expired_token']);
    });

    test('requires grant_type', async () => {
      expect((await server.post(REFRESH, { refresh_token: 'rt_x' })).body).toMatchObject({
        error: 'invalid_request',
      });
      expect(
        (await server.post(REFRESH, { grant_type: 'client_credentials', refresh_token: 'rt_x' })).body,
      ).toMatchObject({ error: 'unsupported_grant_type' });
    });
  });

  describe('revoke', () => {
    const revoke = async (token: string, more: Record<string, unknown> = {}, key?: string) => {
      const { status, body } = await server.post(
        REVOKE,
        { token, ...more },
        key === undefined ? {} : { key },
      );
      return [status, body];
    };

    test('of a refresh token ends it and its access tokens at once', async () => {
      const { access_token: access, refresh_token: refresh } = await server.clientTokens();
      expect((await server.as(access)).status).toBe(200);
      expect(await revoke(refresh, { token_type_hint: 'refresh_token' })).toEqual([200, { revoked: true }]);
      expect(
        (await server.post(REFRESH, { grant_type: 'refresh_token', refresh_token: refresh })).body,
      ).toMatchObject({ error: 'revoked_token' });
      const answer = await server.as(access);
      expect([answer.status, answer.body.error]).toEqual([401, 'revoked_token']);
    });

    test('of a whole access token takes its holder alone, and leaves the refresh token', async () => {
      const { access_token: access, refresh_token: refresh } = await server.clientTokens();
      expect(await revoke(access)).toEqual([200, { revoked: true }]);
      expect((await server.as(access)).body).toMatchObject({ error: 'revoked_token' });
      expect(
        (await server.post(REFRESH, { grant_type: 'refresh_token', refresh_token: refresh })).status,
      ).toBe(200);
    });

    test('of a bare jti takes an administrator', async () => {
      const { access_token: access } = await server.clientTokens();
      const jti = String(claimsOf(access)['jti']);
      expect(await revoke(jti)).toEqual([200, { revoked: false }]);
      expect(await revoke(jti, {}, await server.newKey({ role: 'project_lead' }))).toEqual([
        200,
        { revoked: false },
      ]);
      expect((await server.as(access)).status).toBe(200);
      expect(await revoke(jti, { token_type_hint: 'access_token' }, server.key)).toEqual([
        200,
        { revoked: true },
      ]);
      expect((await server.as(access)).body).toMatchObject({ error: 'revoked_token' });
    });

    test.each([
      'rt_unknown',
      'no-such-jti',
      'a.b.c',
      'eyJhbGciOiJub25lIn0.e30.',
      'sk_whatever',
      'x'.repeat(5000),
    ])('of %.20s, which is unknown, is revoked: false', async (token) => {
      expect(await revoke(token, {}, server.key)).toEqual([200, { revoked: false }]);
    });

    test('without a token is invalid_request', async () => {
      expect((await server.post(REVOKE, {})).body).toMatchObject({ error: 'invalid_request' });
    });
  });
});

test('with auth.mode api_key, the token, device and authorize endpoints are 404, and keys work', async () => {
  await using server = await startOAuth({ config: 'auth: {mode: api_key}', user: false });
  for (const [method, path] of [
    ['POST', TOKEN],
    ['POST', REFRESH],
    ['POST', REVOKE],
    ['GET', DEVICE],
    ['POST', DEVICE],
    ['GET', '/api/v1/gateway/auth/authorize'],
    ['GET', TOKEN],
    ['DELETE', DEVICE],
  ] as const) {
    for (const key of [null, server.key]) {
      const { status, body } = await server.rest(method, path, { key });
      expect([method, path, status, body.error]).toEqual([method, path, 404, 'route_not_found']);
    }
  }
  expect((await server.rest('GET', ENTITIES)).status).toBe(200);
  expect((await server.as('a.b.c')).body).toMatchObject({ error: 'invalid_token' });
});

test('with auth.mode disabled, everybody is anonymous and an administrator', async () => {
  await using server = await startOAuth({ config: 'auth: {mode: disabled}', user: false });
  expect((await server.rest('POST', '/api/v1/gateway/sync/scan', { key: null })).status).toBe(202);
});

test('lifetimes, issuer and audience come from the configuration', async () => {
  await using server = await startOAuth({
    config: `auth:
  issuer: https://cairn.example.org
  audience: lab
  service_token_seconds: 7
  clients: [{client_id: importer, secret_env: IMPORTER_SECRET, grants: [client_credentials]}]
`,
    user: false,
  });
  const tokens = await server.clientTokens();
  expect(tokens.expires_in).toBe(7);
  expect(claimsOf(tokens.access_token)).toMatchObject({ iss: 'https://cairn.example.org', aud: 'lab' });
  expect((await server.rest('GET', DEVICE, { key: null })).body.verification_uri).toBe(
    'https://cairn.example.org/device',
  );
});

test('an access token whose time is up is expired_token, also where it is known', async () => {
  await using server = await startOAuth({
    config:
      'auth: {service_token_seconds: 2, clients: [{client_id: importer, secret_env: IMPORTER_SECRET, grants: [client_credentials]}]}',
    user: false,
  });
  const { access_token: token } = await server.clientTokens();
  expect((await server.as(token)).status).toBe(200);
  await new Promise((resolve) => {
    setTimeout(resolve, 2100);
  });
  expect((await server.as(token)).body).toMatchObject({ error: 'expired_token' });
  const { body: other } = await server.post(TOKEN, CREDENTIALS);
  await new Promise((resolve) => {
    setTimeout(resolve, 2100);
  });
  expect((await server.as(other.access_token)).body).toMatchObject({ error: 'expired_token' });
});

test('a family of refresh tokens ends at its maximum age, however often it was refreshed', async () => {
  await using server = await startOAuth({ config: `${CLIENTS}  refresh_family_days: 1\n` });
  const aged = (seconds: number): Promise<unknown> =>
    server.database.pool.query(
      `UPDATE gateway.token_family SET created_at = created_at - make_interval(secs => $1)`,
      [seconds],
    );
  const refresh = (token: string): ReturnType<OAuthServer['post']> =>
    server.post(REFRESH, { grant_type: 'refresh_token', refresh_token: token });
  const first = await server.userTokens();
  const {
    rows: [row],
  } = await server.database.pool.query<{ days: number }>(
    'SELECT extract(epoch FROM max(expires_at) - now())::float8 / 86400 AS days FROM gateway.refresh_token',
  );
  expect(row?.days).toBeLessThanOrEqual(1);
  await aged(86_400 - 120);
  const { status, body: second } = await refresh(first.refresh_token);
  expect(status).toBe(200);
  expect(second.expires_in).toBeLessThanOrEqual(120); // no access token outlives it either
  await aged(120);
  expect(await refresh(second.refresh_token)).toMatchObject({
    status: 401,
    body: { error: 'expired_token' },
  });
});

test('a client that the configuration does not have any more ends with its tokens, and nobody else does', async () => {
  await using server = await startOAuth();
  const { body: key } = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
    body: { label: 'bot', role: 'service' },
  });
  const asKey = { ...CREDENTIALS, client_id: key.id, client_secret: key.secret };
  const [removed, person, bot] = [
    await server.clientTokens(),
    await server.userTokens(),
    (await server.post(TOKEN, asKey)).body,
  ];
  const env = { CAIRN_DATA_DIR: server.dataDir };
  const config = parseConfig('', '/gateway.yaml', { env, cwd: '/' });
  // a reload may fail yet, and a preparation serves nobody
  for (const occasion of ['init', 'reload'] as const)
    await recordStart(server.database.pool, config, testLog, occasion);
  expect((await server.as(removed.access_token)).status).toBe(200);
  await recordStart(server.database.pool, config, testLog, 'start'); // as another process would
  await expect
    .poll(async () => (await server.as(removed.access_token)).body)
    .toMatchObject({ error: 'revoked_token' });
  const refreshed = { grant_type: 'refresh_token', refresh_token: removed.refresh_token };
  expect((await server.post(REFRESH, refreshed)).body).toMatchObject({ error: 'revoked_token' });
  for (const { access_token: token } of [person, bot]) expect((await server.as(token)).status).toBe(200);
});
