// docs/reference/gateway.md#signed-identity, docs/reference/gateway.md#component-by-itself: the router signs
// identities for components; a component in its own process accepts none that it cannot verify.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { SignJWT, createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../platform/config/load-config.ts';
import type { Identity } from '../platform/identity.ts';
import { claimsOf, IDENTITY_SECONDS, IDENTITY_TYPE } from '../platform/signed-identity/claims.ts';
import { createIdentitySigner } from '../platform/signed-identity/identity-signer.ts';
import { createIdentityVerifier } from '../platform/signed-identity/identity-verifier.ts';
import { verificationKeys } from '../platform/signed-identity/verification-keys.ts';
import { type KeySet, openKeySet } from '../platform/signing-keys/key-set.ts';
import type { RunningComponent } from '../rest-compat/serve-configured.ts';
import * as artifact from '../standalone/artifact.ts';
import * as metadata from '../standalone/metadata.ts';
import * as workflow from '../standalone/workflow.ts';
import { testLog } from './testkit/database.ts';
import { startServer, type TestServer } from './testkit/server.ts';

let server: TestServer;
let keys: KeySet;
const running: RunningComponent[] = [];
beforeAll(async () => {
  server = await startServer();
  keys = await openKeySet({ db: server.database.pool, listen: server.database.listen, log: testLog });
});
afterAll(async () => {
  for (const component of running) await component.close();
  await keys.close();
  await server[Symbol.asyncDispose]();
});

const configOf = (yaml: string) =>
  parseConfig(yaml, '/tmp/gateway.yaml', {
    env: { CAIRN_PORT: '0', CAIRN_DATA_DIR: server.dataDir, DATABASE_URL: server.database.url },
    cwd: '/tmp',
  });
async function alone(
  yaml: string,
  { startComponent }: Pick<typeof metadata, 'startComponent'> = metadata,
): Promise<string> {
  const component = await startComponent({ config: configOf(yaml), log: testLog });
  running.push(component);
  return component.url;
}

const PRODUCTION = 'server: {mode: production}\n';
const ADMIN: Identity = { actor: 'user:eve', roles: ['admin', 'service'], projects: '*' };
const PLAIN = { 'x-platform-actor': 'user:eve', 'x-platform-roles': 'admin', 'x-platform-projects': '*' };

/** Status of a read over REST and over GraphQL with these headers. */
async function statuses(url: string, headers: Record<string, string>): Promise<number[]> {
  const asked = await Promise.all([
    fetch(`${url}/entities`, { headers }),
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"query":"{ entities { items { id } } }"}',
    }),
  ]);
  return asked.map(({ status }) => status);
}

const at = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const signed = async (change: Record<string, unknown> = {}, type = IDENTITY_TYPE): Promise<string> =>
  (await keys.sign({ ...claimsOf(ADMIN), aud: 'metadata', iat: at(0), exp: at(60), ...change }, type)) ?? '';

test('a component by itself that other machines reach does not start without keys to verify by, whichever it is', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
    for (const one of [metadata, workflow, artifact]) {
      await expect(alone(`server: {host: "${host}"}\n`, one)).rejects.toThrow(/auth\.jwks_url.*server\.host/);
    }
  }
});

test('only a signature of this deployment, for this component, within its minute, identifies the caller', async () => {
  const url = await alone(PRODUCTION);
  const token = await signed();
  expect(await statuses(url, { 'x-platform-identity': token })).toEqual([200, 200]);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const foreign = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const forged = (header: { alg: string; kid?: string }, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT({ ...claimsOf(ADMIN), aud: 'metadata', iat: at(0), exp: at(60) })
      .setProtectedHeader({ typ: IDENTITY_TYPE, ...header })
      .sign(key);
  const kid = keys.jwks().keys[0]?.kid ?? '';
  const publicText = new TextEncoder().encode(JSON.stringify(keys.jwks().keys[0]));
  const refused: Record<string, string> = {
    'for another component': await signed({ aud: 'workflow' }),
    'for nobody': await signed({ aud: undefined }),
    'too old': await signed({ iat: at(-120), exp: at(-60) }),
    'good for a year': await signed({ iat: at(-3600), exp: at(31_536_000) }),
    'an access token': await signed({ jti: 'x', aud: ['metadata', 'cairn'] }, 'at+jwt'),
    'signed by a foreign key': await forged({ alg: 'ES256', kid }, foreign.privateKey),
    'signed by a key of another name': await forged({ alg: 'ES256', kid: 'other' }, foreign.privateKey),
    'signed with the public key as a secret': await forged({ alg: 'HS256', kid }, publicText),
    'not signed': `${Buffer.from(JSON.stringify({ alg: 'none', typ: IDENTITY_TYPE })).toString('base64url')}.${claims}.`,
    'with other claims': `${head}.${Buffer.from(JSON.stringify({ ...claimsOf({ ...ADMIN, actor: 'user:x' }), aud: 'metadata', iat: at(0), exp: at(60) })).toString('base64url')}.${signature}`,
    'without roles': await signed({ roles: undefined }),
    'with projects that are none': await signed({ projects: { '*': true } }),
    nothing: 'x',
  };
  for (const [why, value] of Object.entries(refused)) {
    expect(
      await statuses(url, { 'x-platform-identity': value, ...PLAIN, authorization: 'Bearer x' }),
      why,
    ).toEqual([401, 401]);
  }
});

test('the token determines the identity, not the headers', async () => {
  const url = await alone('');
  const viewer = await signed({ sub: 'user:bo', roles: ['viewer'], projects: ['alpha'] });
  const response = await fetch(`${url}/schemas`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-platform-identity': viewer, ...PLAIN },
    body: '{"name":"Other","version":"1","fields":[]}',
  });
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('admin')]);
});

test("in production neither a bearer of one's own making nor plain headers count, not even on the same machine", async () => {
  const url = await alone(PRODUCTION);
  expect(await statuses(url, PLAIN)).toEqual([401, 401]);
  expect(await statuses(url, { authorization: 'Bearer local-development' })).toEqual([401, 401]);
  expect(await statuses(await alone(`${PRODUCTION}auth: {plain_headers: true}\n`), PLAIN)).toEqual([
    200, 200,
  ]);
});

test("with auth.jwks_url a component verifies by the router's published keys, and believes nothing else", async () => {
  const url = await alone(
    `server: {host: 0.0.0.0}\nauth: {jwks_url: "${server.url}/api/v1/gateway/auth/jwks.json"}\n`,
  );
  expect(await statuses(url, { 'x-platform-identity': await signed() })).toEqual([200, 200]);
  expect(await statuses(url, PLAIN)).toEqual([401, 401]);
  expect(await statuses(url, { authorization: 'Bearer x' })).toEqual([401, 401]);
  const published = createIdentityVerifier({
    keys: verificationKeys(
      { verificationKey: () => undefined },
      `${server.url}/api/v1/gateway/auth/jwks.json`,
    ),
    audience: 'metadata',
  });
  expect(await published(await signed())).toEqual(ADMIN);
});

test('plain headers count on this machine alone: not through a proxy, not under a name that points here, not from another address', async () => {
  const url = await alone('trusted_networks: [0.0.0.0/0, "::/0"]\nauth: {plain_headers: true}\n');
  expect(await statuses(url, PLAIN)).toEqual([200, 200]);
  expect(await statuses(url, { ...PLAIN, 'x-forwarded-for': '203.0.113.9' })).toEqual([401, 401]);
  const { port } = new URL(url);
  const ask = async (
    headers: Record<string, string>,
    host = '127.0.0.1',
    to = port,
  ): Promise<number | undefined> => {
    const req = http.request({ host, port: to, path: '/entities', headers });
    req.end();
    const [res] = (await once(req, 'response')) as [http.IncomingMessage];
    res.resume();
    return res.statusCode;
  };
  expect(await ask({ ...PLAIN, host: 'rebound.example.org' })).toBe(421);
  expect(await ask({ authorization: 'Bearer x', host: 'rebound.example.org' })).toBe(421);
  expect(await ask({ authorization: 'Bearer x', host: 'localhost' })).toBe(200);
  expect(await statuses(await alone('auth: {plain_headers: false}\n'), PLAIN)).toEqual([401, 401]);
  expect(await statuses(await alone('trusted_networks: ["::1/128"]\n'), PLAIN)).toEqual([401, 401]);
  const jwks = `auth: {plain_headers: true, jwks_url: "${server.url}/api/v1/gateway/auth/jwks.json"}`;
  const open = new URL(await alone(`server: {host: 0.0.0.0}\ntrusted_networks: [0.0.0.0/0]\n${jwks}\n`)).port;
  expect(await ask({ ...PLAIN, host: 'localhost' }, '127.0.0.1', open)).toBe(200);
  expect(await ask({ ...PLAIN, host: 'rebound.example.org' }, '127.0.0.1', open)).toBe(401);
  const own = Object.values(os.networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
  if (own === undefined) return; // a machine without a network has no other peers
  expect(await ask({ ...PLAIN, host: 'localhost' }, own, open)).toBe(401);
});

test('the router does not accept a signed identity as a credential, and forwards none', async () => {
  const token = await signed({ aud: 'cairn', iss: server.url, jti: 'j', sid: 's', client_id: 'c' });
  for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-platform-identity': token }] as Record<
    string,
    string
  >[]) {
    expect((await server.rest('GET', '/api/v1/metadata/entities', { key: null, headers })).status).toBe(401);
  }
});

test("a rest component learns the caller's identity from a signature that can be verified with the published keys", async () => {
  const seen: http.IncomingHttpHeaders[] = [];
  const foreign = http
    .createServer((req, res) => {
      seen.push(req.headers);
      res.end('{}');
    })
    .listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  await using before = await startServer({
    config: `components: {lab: {kind: rest, url: "http://127.0.0.1:${(foreign.address() as AddressInfo).port}"}}\nauth: {mode: api_key}\n`,
  });
  const asking = await before.newKey({ role: 'analyst', project: 'alpha' });
  await before.rest('GET', '/api/v1/lab/x', {
    key: asking,
    headers: { 'X-Platform-Identity': 'mine', x_platform_identity: 'mine' },
  });
  const { payload } = await jwtVerify(
    String(seen.at(-1)?.['x-platform-identity']),
    createRemoteJWKSet(new URL(`${before.url}/api/v1/gateway/auth/jwks.json`)),
    { audience: 'lab', issuer: before.url, typ: IDENTITY_TYPE },
  );
  expect(payload).toMatchObject({ sub: 'user:admin', roles: ['analyst'], projects: ['alpha'] });
  expect(payload).not.toHaveProperty('credential');
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(IDENTITY_SECONDS);
  expect(seen.at(-1)).toMatchObject({
    'x-platform-actor': 'user:admin',
    'x-platform-roles': 'analyst',
    'x-platform-projects': 'alpha',
  });
  foreign.closeAllConnections();
  foreign.close();
});

test('an identity is signed once in half a minute, and verified once', async () => {
  let [clock, signatures, lookups] = [Date.now(), 0, 0];
  const sign = createIdentitySigner({
    keys: {
      sign: (claims, type) => {
        signatures++;
        return keys.sign(claims, type);
      },
    },
    issuer: () => 'cairn',
    now: () => clock,
  });
  const verify = createIdentityVerifier({
    keys: (header, token) => {
      lookups++;
      return verificationKeys(keys, undefined)(header, token);
    },
    audience: 'metadata',
    now: () => clock,
  });
  const tokens = await Promise.all(Array.from({ length: 500 }, async () => sign(ADMIN, 'metadata')));
  for (const token of tokens) expect(await verify(token ?? '')).toEqual(ADMIN);
  expect([new Set(tokens).size, signatures, lookups]).toEqual([1, 1, 1]);
  expect(await sign({ ...ADMIN, roles: ['viewer'] }, 'metadata')).not.toBe(tokens[0]);
  expect(await sign(ADMIN, 'workflow')).not.toBe(tokens[0]);
  clock += 31_000;
  const next = (await sign(ADMIN, 'metadata')) ?? '';
  expect(next).not.toBe(tokens[0]);
  expect(await verify(tokens[0] ?? '')).toEqual(ADMIN);
  clock += 61_000;
  expect(() => verify(tokens[0] ?? '')).toThrow(/expired/);
});
