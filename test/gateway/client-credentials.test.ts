// Tokens for client credentials.
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimsOf, JWKS, type OAuthServer, REFRESH, SECRET, startOAuth, TOKEN } from './oauth-testkit.ts';
import { CREDENTIALS } from './tokens-testkit.ts';

const UUID4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

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
});
