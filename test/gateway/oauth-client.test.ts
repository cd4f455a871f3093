// Standard clients work unmodified: openid-client (over oauth4webapi), from the metadata document alone.
import * as client from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Visitor } from '../portal/visitor.ts';
import {
  approveDevice,
  CALLBACK,
  ENTITIES,
  type OAuthServer,
  PASSWORD,
  SECRET,
  startOAuth,
} from './oauth-testkit.ts';

let server: OAuthServer;
beforeAll(async () => {
  server = await startOAuth();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Loopback has no TLS. */
const options: client.DiscoveryRequestOptions = {
  algorithm: 'oauth2',
  execute: [client.allowInsecureRequests],
};
const discover = (id: string, authentication: client.ClientAuth): Promise<client.Configuration> =>
  client.discovery(new URL(server.url), id, undefined, authentication, options);
const opens = async (config: client.Configuration, token: string): Promise<number> =>
  (await client.fetchProtectedResource(config, token, new URL(server.url + ENTITIES), 'GET')).status;
const refused = async (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => 'not refused',
    (error: unknown) => {
      if (error instanceof client.WWWAuthenticateChallengeError) return error.cause[0]?.parameters['error'];
      return error instanceof client.ResponseBodyError ? error.error : error;
    },
  );

test.each([
  ['client_secret_basic', client.ClientSecretBasic(SECRET)],
  ['client_secret_post', client.ClientSecretPost(SECRET)],
])('client credentials by %s, then refresh and revocation', async (_, authentication) => {
  const config = await discover('importer', authentication);
  const tokens = await client.clientCredentialsGrant(config);
  expect([tokens.token_type, tokens.expiresIn()]).toEqual([
    'bearer',
    expect.toSatisfy((s: number) => s > 290 && s <= 300),
  ]);
  expect(await opens(config, tokens.access_token)).toBe(200);
  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(await opens(config, next.access_token)).toBe(200);
  await client.tokenRevocation(config, next.refresh_token ?? '', { token_type_hint: 'refresh_token' });
  expect(await refused(opens(config, next.access_token))).toBe('invalid_token');
});

test('client credentials of a service API key', async () => {
  const { body: key } = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
    body: { label: 'robot', role: 'service' },
  });
  const config = await discover(key.id, client.ClientSecretBasic(key.secret));
  expect(await opens(config, (await client.clientCredentialsGrant(config)).access_token)).toBe(200);
});

test('the device flow: start, poll until somebody approves', async () => {
  const config = await discover('cli', client.None());
  const device = await client.initiateDeviceAuthorization(config, {});
  // the first poll may come at any time
  const polled = client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 });
  await approveDevice(new Visitor(server.url), device.verification_uri_complete ?? '');
  const tokens = await polled;
  expect(await opens(config, tokens.access_token)).toBe(200);
  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  await client.tokenRevocation(config, next.access_token);
  expect(await refused(opens(config, next.access_token))).toBe('invalid_token');
});

test('the device flow: a denial ends the polling', async () => {
  const config = await discover('cli', client.None());
  const device = await client.initiateDeviceAuthorization(config, {});
  await approveDevice(
    new Visitor(server.url),
    device.verification_uri_complete ?? '',
    'ada',
    PASSWORD,
    'deny',
  );
  expect(await refused(client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 }))).toBe(
    'access_denied',
  );
});

test.each([
  ['spa', client.None()],
  ['web', client.ClientSecretBasic(SECRET)],
])('the authorization code with PKCE, state and issuer, for %s', async (id, authentication) => {
  const config = await discover(id, authentication);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  const visitor = new Visitor(server.url);
  const consent = await visitor.signIn(await visitor.open(address.href), 'ada', PASSWORD);
  const back = await visitor.submit(consent, '/portal/consent', { decision: 'approve' });
  const tokens = await client.authorizationCodeGrant(config, new URL(back.headers.get('location') ?? ''), {
    pkceCodeVerifier,
    expectedState,
  });
  expect(await opens(config, tokens.access_token)).toBe(200);
  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(await opens(config, next.access_token)).toBe(200);
  // the challenge's code; the body says revoked_token
  expect(await refused(client.refreshTokenGrant(config, tokens.refresh_token ?? ''))).toBe('invalid_token');
  expect(await refused(opens(config, next.access_token))).toBe('invalid_token');
});
