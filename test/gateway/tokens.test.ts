// docs/reference/gateway.md#token-endpoint, docs/reference/gateway.md#refresh-endpoint,
// docs/reference/gateway.md#revocation-endpoint.
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claimsOf,
  CLIENTS,
  DEVICE,
  ENTITIES,
  JWKS,
  type OAuthServer,
  REFRESH,
  REVOKE,
  SECRET,
  startOAuth,
  TOKEN,
} from './oauth-testkit.ts';

const UUID4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const CREDENTIALS = { grant_type: 'client_credentials', client_id: 'importer', client_secret: SECRET };

describe('one platform', () => {
  let server: OAuthServer;
  beforeAll(async () => {
    server = await startOAuth();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describe('client credentials', () => {
    test.each([
      ['JSON', {}, CREDENTIALS],
      ['a form', { form: true }, CREDENTIALS],
      [
        'HTTP Basic',
        { form: true, basic: ['importer', SECRET] as const },
        { grant_type: 'client_credentials' },
      ],
    ])('are taken as %s', async (_, options, parameters) => {
      const answer = await server.post(TOKEN, parameters, options);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'Bearer',
        expires_in: 300,
        refresh_token: expect.stringMatching(/^rt_[\w-]{43}$/),
      });
    });

    test('give a JWT that the published keys verify, with the claims of the contract', async () => {
      const { access_token: token } = await server.clientTokens();
      expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
      const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(server.url + JWKS)), {
        issuer: server.url,
        audience: 'cairn',
        typ: 'at+jwt',
        algorithms: ['ES256'],
      });
      expect(payload).toEqual({
        iss: server.url,
        aud: 'cairn',
        sub: 'service:importer',
        client_id: 'importer',
        iat: expect.any(Number),
        exp: expect.any(Number),
        jti: expect.stringMatching(UUID4),
        sid: expect.stringMatching(UUID4),
        roles: ['service'],
        projects: ['alpha', 'beta'],
      });
      expect(Number(payload.exp) - Number(payload.iat)).toBe(300);
    });

    test('of a service API key act as that key, in its project, and no longer than it', async () => {
      const expires = new Date(Date.now() + 100_000).toISOString();
      const { body: key } = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
        body: { label: 'nightly', role: 'service', project: 'alpha', expires },
      });
      const answer = await server.post(TOKEN, {
        grant_type: 'client_credentials',
        client_id: key.id,
        client_secret: key.secret,
      });
      expect(answer.body).toMatchObject({ token_type: 'Bearer' });
      expect(answer.body.expires_in).toBeLessThanOrEqual(100);
      expect(claimsOf(answer.body.access_token)).toMatchObject({
        sub: 'service:nightly',
        client_id: key.id,
        roles: ['service'],
        projects: ['alpha'],
      });
      expect((await server.as(answer.body.access_token)).status).toBe(200);

      await server.rest('DELETE', `/api/v1/gateway/auth/api-keys/${key.id}`);
      expect((await server.as(answer.body.access_token)).body).toMatchObject({ error: 'revoked_token' });
      expect(
        (
          await server.post(REFRESH, {
            grant_type: 'refresh_token',
            refresh_token: answer.body.refresh_token,
          })
        ).body,
      ).toMatchObject({ error: 'revoked_token' });
      expect(
        (
          await server.post(TOKEN, {
            grant_type: 'client_credentials',
            client_id: key.id,
            client_secret: key.secret,
          })
        ).body,
      ).toMatchObject({ error: 'invalid_client' });
    });

    test("of another API key than a service's are unauthorized_client", async () => {
      const { body: key } = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
        body: { label: 'mine', role: 'viewer' },
      });
      expect(
        (
          await server.post(TOKEN, {
            grant_type: 'client_credentials',
            client_id: key.id,
            client_secret: key.secret,
          })
        ).body,
      ).toMatchObject({ error: 'unauthorized_client' });
    });
  });

  test('an access token opens what its roles and projects open', async () => {
    const { access_token: token } = await server.clientTokens();
    expect((await server.as(token)).status).toBe(200);
    expect((await server.as(token, 'POST', '/api/v1/gateway/sync/scan')).body).toMatchObject({
      error: 'insufficient_role',
    });
    expect((await server.as(token, 'GET', `${ENTITIES}?project=gamma`)).body).toMatchObject({
      error: 'project_scope_denied',
    });
    const { body } = await server.rest('POST', '/graphql', {
      key: null,
      headers: { authorization: `Bearer ${token}` },
      body: { query: '{ schemaRevision }' },
    });
    expect(body.data).toEqual({ schemaRevision: expect.any(String) });
  });

  test('a token and a key sent together must name one actor', async () => {
    const { access_token: token } = await server.clientTokens();
    const answer = await server.rest('GET', ENTITIES, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.body).toMatchObject({
      error: 'invalid_token',
      message: 'the two credentials name different actors',
    });
  });

  test.each<[what: string, status: number, error: string, parameters: Record<string, unknown>]>([
    ['no grant type', 400, 'invalid_request', {}],
    ['an empty grant type', 400, 'invalid_request', { grant_type: '' }],
    ['a grant type that is no text', 400, 'invalid_request', { grant_type: 5 }],
    ['an unknown grant type', 400, 'unsupported_grant_type', { grant_type: 'password' }],
    ['a grant type of the prototype', 400, 'unsupported_grant_type', { grant_type: 'constructor' }],
    ['no client', 400, 'invalid_request', { grant_type: 'client_credentials' }],
    ['an unknown client', 401, 'invalid_client', { ...CREDENTIALS, client_id: 'nobody' }],
    ['no secret', 401, 'invalid_client', { grant_type: 'client_credentials', client_id: 'importer' }],
    ['a wrong secret', 401, 'invalid_client', { ...CREDENTIALS, client_secret: 'guess' }],
    [
      'an unknown key',
      401,
      'invalid_client',
      { ...CREDENTIALS, client_id: 'key_00', client_secret: 'sk_guess' },
    ],
    ['a client without this grant', 400, 'unauthorized_client', { ...CREDENTIALS, client_id: 'web' }],
    ['a public client', 400, 'unauthorized_client', { grant_type: 'client_credentials', client_id: 'cli' }],
    ['U+0000', 400, 'invalid_request', { ...CREDENTIALS, client_id: 'a\u0000' }],
    [
      'an unknown device code',
      400,
      'invalid_grant',
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'dc_unknown' },
    ],
    [
      'no device code',
      400,
      'invalid_request',
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
    ],
    [
      'an unknown code',
      400,
      'invalid_grant',
      { grant_type: 'authorization_code', client_id: 'spa', code: 'ac_x', code_verifier: 'v'.repeat(43) },
    ],
    [
      'a short verifier',
      400,
      'invalid_request',
      { grant_type: 'authorization_code', client_id: 'spa', code: 'ac_x', code_verifier: 'v' },
    ],
    [
      'an unknown refresh token',
      401,
      'invalid_token',
      { grant_type: 'refresh_token', refresh_token: 'rt_x' },
    ],
  ])("%s is %i %s, in the gateway's shape with error_description", async (_, status, error, parameters) => {
    const answer = await server.post(TOKEN, parameters);
    expect([answer.status, answer.body]).toEqual([
      status,
      {
        error,
        message: expect.any(String),
        error_description: answer.body.message,
        request_id: answer.headers.get('x-request-id'),
        details: {},
      },
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('www-authenticate')).toBe(
      status === 401 ? 'Bearer realm="cairn", error="invalid_token"' : null,
    );
  });

  test('a client refused under HTTP Basic gets the challenge of that scheme', async () => {
    const answer = await server.post(
      TOKEN,
      { grant_type: 'client_credentials' },
      { form: true, basic: ['importer', 'guess'] },
    );
    expect([answer.status, answer.body.error, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      'Bearer realm="cairn", error="invalid_token", Basic realm="cairn", charset="UTF-8"',
    ]);
  });

  test('malformed Basic credentials, two methods at once, and repeated parameters are refused', async () => {
    const basic = (text: string) =>
      server.rest('POST', TOKEN, {
        key: null,
        body: CREDENTIALS,
        headers: { authorization: `Basic ${text}` },
      });
    expect((await basic('???')).body.error).toBe('invalid_client');
    expect((await basic(Buffer.from('importer').toString('base64'))).body.error).toBe('invalid_client');
    expect((await basic(Buffer.from('importer:%E0%A4%A').toString('base64'))).body.error).toBe(
      'invalid_request',
    ); // both ways, whatever the second one contains
    expect((await server.post(TOKEN, CREDENTIALS, { basic: ['importer', SECRET] })).body.error).toBe(
      'invalid_request',
    );
    const twice = await server.rest('POST', TOKEN, {
      key: null,
      body: 'grant_type=client_credentials&grant_type=refresh_token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request']);
  });

  test('bodies that are no JSON object, of another type, or too large are refused, never as 500', async () => {
    const send = async (body: string, type = 'application/json') => {
      const { status, body: answered } = await server.rest('POST', TOKEN, {
        key: null,
        body,
        headers: { 'content-type': type },
      });
      return [status, answered.error];
    };
    expect(await send('{')).toEqual([400, 'invalid_request']);
    expect(await send('[]')).toEqual([400, 'invalid_request']);
    expect(await send('"\\ud800"')).toEqual([400, 'invalid_request']);
    expect(await send('{"grant_type": "\\ud800"}')).toEqual([400, 'invalid_request']);
    expect(await send('grant_type=x', 'text/plain')).toEqual([415, 'unsupported_media_type']);
    expect(await send(`{"grant_type":"${'x'.repeat(70_000)}"}`)).toEqual([413, 'payload_too_large']);
    expect((await server.rest('GET', TOKEN, { key: null })).status).toBe(405);
  });

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

  test('a refresh token is no bearer', async () => {
    const { refresh_token: token } = await server.clientTokens();
    expect((await server.as(token)).body).toMatchObject({ error: 'invalid_token' });
  });

  test("the server's metadata names every endpoint under the issuer", async () => {
    const { status, body } = await server.rest('GET', '/.well-known/oauth-authorization-server', {
      key: null,
    });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        issuer: server.url,
        token_endpoint: server.url + TOKEN,
        revocation_endpoint: server.url + REVOKE,
        device_authorization_endpoint: server.url + DEVICE,
        jwks_uri: server.url + JWKS,
        authorization_endpoint: `${server.url}/api/v1/gateway/auth/authorize`,
        code_challenge_methods_supported: ['S256'],
      }),
    ]);
  });

  test('the key set shows public halves alone', async () => {
    const { body } = await server.rest('GET', JWKS, { key: null });
    expect(body.keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ]);
  });

  test('no secret or token is stored in plain text', async () => {
    const { refresh_token: refresh } = await server.clientTokens();
    const { body: device } = await server.rest('GET', DEVICE, { key: null });
    for (const table of ['refresh_token', 'device_code']) {
      const { rows } = await server.database.pool.query<{ text: string }>(
        `SELECT t::text AS text FROM gateway.${table} t`,
      );
      const stored = rows.map(({ text }) => text).join();
      expect(stored.length).toBeGreaterThan(50);
      for (const secret of [refresh, device.device_code as string]) {
        expect(stored).not.toContain(secret);
        expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
      }
    }
  });

  test('gateway_active_tokens counts the refresh tokens that could be exchanged now', async () => {
    const active = async (): Promise<number> =>
      Number(
        /^gateway_active_tokens (\d+)$/m.exec(
          (await server.rest('GET', '/api/v1/gateway/metrics')).text,
        )?.[1],
      );
    const before = await active();
    const { refresh_token: one } = await server.clientTokens();
    await server.clientTokens();
    expect(await active()).toBe(before + 2);
    const { body } = await server.post(REFRESH, { grant_type: 'refresh_token', refresh_token: one });
    expect(await active()).toBe(before + 2);
    await server.post(REVOKE, { token: body.refresh_token });
    expect(await active()).toBe(before + 1);
  });

  test('refused clients and tokens are counted as authentication failures', async () => {
    await server.post(TOKEN, { ...CREDENTIALS, client_secret: 'guess' });
    expect((await server.rest('GET', '/api/v1/gateway/metrics')).text).toMatch(
      /^gateway_auth_failures_total\{type="invalid_client"\} [1-9]/m,
    );
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
