// docs/reference/gateway.md#token-endpoint, docs/reference/gateway.md#refresh-endpoint,
// docs/reference/gateway.md#revocation-endpoint.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
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
import { CREDENTIALS } from './tokens-testkit.ts';

describe('one platform', () => {
  let server: OAuthServer;
  beforeAll(async () => {
    server = await startOAuth();
  });
  afterAll(() => server[Symbol.asyncDispose]());

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
