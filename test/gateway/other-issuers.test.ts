// Access tokens of an issuer elsewhere, such as the institute's (docs/reference/gateway.md#tokens-of-other-issuers).
import { readFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createClient } from 'graphql-ws';
import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { parseConfig } from '../../platform/config/load-config.ts';
import { DomainError } from '../../platform/errors.ts';
import { createIssuerVerifier } from '../../router/issuers/issuer-verifier.ts';
import { openIssuer } from '../../router/issuers/token-issuer.ts';
import type { Answer } from '../testkit/server.ts';
import { CLAIMS, type Claims, inSeconds, settingsFor, startInstitute } from './institute-testkit.ts';
import { ENTITIES, type OAuthServer, PASSWORD, SECRET, startOAuth, TOKEN } from './oauth-testkit.ts';

let institute: Awaited<ReturnType<typeof startInstitute>>;
let issuer: string;
let server: OAuthServer;
const token: (typeof institute)['token'] = (...given) => institute.token(...given);

beforeAll(async () => {
  institute = await startInstitute();
  ({ issuer } = institute);
  server = await startOAuth({ config: settingsFor(issuer) });
});
beforeEach(() => {
  institute.asked.length = 0;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  institute.close();
});

const said = ({ status, body }: Answer): unknown => [status, body.error];
const write = (bearer: string, project: string): Promise<Answer> =>
  server.rest('POST', '/api/v1/metadata/ingest', {
    key: null,
    headers: { authorization: `Bearer ${bearer}` },
    body: { entity_type: 'Note', data: { project } },
  });

test('a token is the person of its claims, with roles and projects, in REST, GraphQL and subscriptions', async () => {
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'Note', version: '1', fields: [{ name: 'project', field_type: 'string' }] },
  });
  const bearer = await token();
  expect((await write(bearer, 'alpha')).status).toBe(200);
  expect(said(await write(bearer, 'beta'))).toEqual([403, 'project_scope_denied']);
  expect(said(await server.as(bearer, 'GET', '/api/v1/gateway/sync/events'))).toEqual([
    403,
    'insufficient_role',
  ]);

  const asked = await server.rest('POST', '/graphql', {
    key: null,
    headers: { authorization: `Bearer ${bearer}` },
    body: { query: '{ me { actor roles projects } }' },
  });
  expect(asked.body).toEqual({
    data: { me: { actor: 'user:grace', roles: ['analyst'], projects: ['alpha'] } },
  });
  const live = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${bearer}` },
    retryAttempts: 0,
  });
  const first = await live.iterate({ query: '{ me { actor } }' }).next();
  await live.dispose();
  expect(first.value).toEqual({ data: { me: { actor: 'user:grace' } } });
  expect(institute.asked.toSorted()).toEqual(['/.well-known/openid-configuration', '/keys']);
});

test('the audit says who it is for the issuer', async () => {
  const { headers } = await server.as(await token({ sub: 'somebody / else' }), 'GET', `${ENTITIES}?limit=1`);
  const id = headers.get('x-request-id') ?? '';
  const record = (): unknown =>
    readFileSync(`${server.dataDir}/audit.jsonl`, 'utf8')
      .split('\n')
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line) as unknown)[0];
  await expect.poll(record).toMatchObject({
    actor: 'user:grace',
    changes: [
      { action: 'token.accept', subject: 'user:grace', details: { issuer, subject: 'somebody / else' } },
    ],
  });
});

test('a local account has its name for itself', async () => {
  const [ada, lin] = await Promise.all(['ada', 'lin'].map((name) => token({ preferred_username: name })));
  expect(said(await server.as(ada ?? ''))).toEqual([401, 'invalid_token']);
  expect((await server.as(lin ?? '')).status).toBe(200);
  await server.users.add({ name: 'lin', password: PASSWORD, roles: ['viewer'], projects: [] });
  await expect.poll(async () => said(await server.as(lin ?? ''))).toEqual([401, 'invalid_token']);
});

test.each<[string, Claims, Record<string, unknown>, string]>([
  ['of another audience', { aud: 'account' }, {}, 'invalid_token'],
  ['without an audience', { aud: undefined }, {}, 'invalid_token'],
  ['without an end', { exp: undefined }, {}, 'invalid_token'],
  ['that has ended', { exp: inSeconds(-60) }, {}, 'expired_token'],
  ['that is not valid yet', { nbf: inSeconds(600) }, {}, 'invalid_token'],
  ['that lives for a year', { exp: inSeconds(31e6) }, {}, 'invalid_token'],
  ['for nobody', { sub: undefined }, {}, 'invalid_token'],
  ['bound to a key', { cnf: { jkt: 'x' } }, {}, 'invalid_token'],
  ['that is an identity token', { typ: 'ID' }, {}, 'invalid_token'],
  ['of another type', {}, { typ: 'logout+jwt' }, 'invalid_token'],
  ['of a key that is not known', {}, { kid: 'two' }, 'invalid_token'],
  ['of an issuer that is not known', { iss: 'https://elsewhere.example.org' }, {}, 'invalid_token'],
  ['without a name that can be used', { preferred_username: 'a b' }, {}, 'invalid_token'],
  ['without a role', { groups: ['visitors'] }, {}, 'insufficient_role'],
  [
    'with the name of the first administrator, whose key it could end',
    { preferred_username: 'admin' },
    {},
    'insufficient_role',
  ],
])('a token %s is refused', async (_, claims, header, code) => {
  const answer = await server.as(await token(claims, header));
  expect(said(answer)).toEqual([code === 'insufficient_role' ? 403 : 401, code]);
});

test('nor one that somebody else signed, with the same names, or with the public key as a secret', async () => {
  const forged = await token({}, {}, await generateKeyPair('ES256'));
  expect(said(await server.as(forged))).toEqual([401, 'invalid_token']);
  const { publicKey } = institute.keys.get('one') ?? expect.fail('no key');
  const jwk = JSON.stringify(await exportJWK(publicKey));
  const confused = await new SignJWT(institute.grace())
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(Buffer.from(jwk));
  expect(said(await server.as(confused))).toEqual([401, 'invalid_token']);
  const [, payload] = (await token()).split('.');
  const bare = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  expect(said(await server.as(bare))).toEqual([401, 'invalid_token']);
});

test('an opaque token is what the issuer says of it, asked once for equal ones', async () => {
  institute.opaque.set('opaque-1', { ...institute.grace(), preferred_username: 'lise' });
  const all = await Promise.all(Array.from({ length: 5 }, () => server.as('opaque-1')));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(institute.asked).toEqual(['/introspect']);
  institute.opaque.delete('opaque-1');
  await expect.poll(async () => said(await server.as('opaque-1'))).toEqual([401, 'invalid_token']);
});

test.each<[string, Claims]>([
  ['another audience', { aud: 'account' }],
  ['no audience', { aud: undefined }],
  ['no end', { exp: undefined }],
  ['an end that is over', { exp: inSeconds(-10) }],
  ['another issuer', { iss: 'https://elsewhere.example.org' }],
])('an opaque token of which it says %s is refused', async (what, claims) => {
  institute.opaque.set(what.replaceAll(' ', '-'), { ...institute.grace(), ...claims });
  const answer = await server.as(what.replaceAll(' ', '-'));
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer realm="cairn", error="invalid_token", resource_metadata="${server.url}/.well-known/oauth-protected-resource"`,
  ]);
});

/** A verifier of its own, for a time of its own. */
function verifier(now: () => number, onUnavailable?: (fault: DomainError) => void) {
  const { auth } = parseConfig(settingsFor(issuer), '/gateway.yaml', {
    env: { IMPORTER_SECRET: SECRET },
    cwd: '/',
  });
  return createIssuerVerifier({
    issuers: auth.issuers.map(openIssuer),
    hasLocalAccount: async () => false,
    ...(onUnavailable === undefined ? {} : { onUnavailable }),
    now,
  });
}
const outcome = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (refusal) {
    if (refusal instanceof DomainError) return refusal.code;
    throw refusal;
  }
};

test('a key that the issuer has just begun to sign with is read, at most every ten seconds', async () => {
  const own = verifier(Date.now);
  await own.verify(await token());
  institute.keys.set('next', await generateKeyPair('ES256'));
  const next = await token({}, { kid: 'next' }, institute.keys.get('next'));
  expect(await outcome(() => own.verify(next))).toBe('invalid_token'); // the keys have just been read
  expect(institute.asked.filter((path) => path === '/keys')).toHaveLength(1);
  expect(await outcome(() => verifier(Date.now).verify(next))).toMatchObject({ actor: 'user:grace' });
});

test('while the issuer is away, known tokens count, others are 503, ended ones are refused; then it goes on', async () => {
  let ahead = 0;
  const own = verifier(() => Date.now() + ahead);
  const known = await token();
  await own.verify(known);
  const told: unknown[] = [];
  const fresh = verifier(Date.now, ({ cause }) => told.push(cause));
  institute.status = 503;
  try {
    expect(await outcome(() => own.verify(known))).toMatchObject({ actor: 'user:grace' });
    expect(await outcome(() => own.verify('opaque-2'))).toBe('component_unavailable');
    expect(await outcome(() => fresh.verify(known))).toBe('component_unavailable');
    const asked = institute.asked.length;
    expect(await outcome(() => fresh.verify(known))).toBe('component_unavailable');
    expect(institute.asked).toHaveLength(asked); // not asked anew for every token
    expect(told).toHaveLength(2);
    expect(told[0]).toBeInstanceOf(Error); // for the log: callers are only told that it does not answer
    ahead = 400_000;
    expect(await outcome(() => own.verify(known))).toBe('expired_token');
  } finally {
    institute.status = 200;
  }
  await expect.poll(() => outcome(() => fresh.verify(known))).toMatchObject({ actor: 'user:grace' });
});

test('an issuer that refuses us is told to the log, with its reason', async () => {
  const told: unknown[] = [];
  const own = verifier(Date.now, ({ cause }) => told.push(cause));
  expect(await outcome(() => own.verify('opaque-2'))).toBe('invalid_token'); // its metadata is read
  institute.status = 401;
  try {
    expect(await outcome(() => own.verify('opaque-3'))).toBe('component_unavailable');
  } finally {
    institute.status = 200;
  }
  expect(told).toMatchObject([{ message: 'it answers with status 401: "invalid_client"' }]);
});

test('configurations that would accept too much are refused', () => {
  const parse = (text: string) => () =>
    parseConfig(text, '/gateway.yaml', { env: { IMPORTER_SECRET: SECRET }, cwd: '/' });
  expect(parse(settingsFor('http://login.example.org'))).toThrow('must be an https URL');
  const one = settingsFor('https://login.example.org');
  expect(
    parse(`${one}  identity_provider: {issuer: "https://login.example.org", client_id: cairn-api}\n`),
  ).toThrow('identity tokens of people would be accepted');
  expect(parse(one.replace(CLAIMS, `algorithms: [HS256]\n      ${CLAIMS}`))).toThrow('algorithms');
  const entry = one.slice(one.indexOf('    - issuer'));
  expect(parse(`${one}${entry}`)).toThrow('is named before');
  expect(parse(`${one}${entry.replace('login', 'another')}`)).toThrow('for one issuer only');
});

test('the metadata of the resource names whose tokens are accepted', async () => {
  const { body } = await server.rest('GET', '/.well-known/oauth-protected-resource', { key: null });
  expect(body).toMatchObject({ resource: server.url, authorization_servers: [server.url, issuer] });
  const refused = await server.rest('GET', ENTITIES, { key: null });
  const address = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
  expect(await (await fetch(address ?? '')).json()).toEqual(body);
});

test('behind a proxy the metadata names the address under which callers reach the server', async () => {
  const resource = 'https://cairn.example.org';
  await using behind = await startOAuth({ config: `server: {public_url: "${resource}"}\n`, user: false });
  const { body } = await behind.rest('GET', '/.well-known/oauth-protected-resource', { key: null });
  expect(body).toMatchObject({ resource, authorization_servers: [behind.url] });
  const refused = await behind.rest('GET', ENTITIES, { key: null });
  expect(refused.headers.get('www-authenticate')).toContain(
    `resource_metadata="${resource}/.well-known/oauth-protected-resource"`,
  );
});

test('clients with a secret ask here about our own tokens, as a standard client does', async () => {
  const options = { algorithm: 'oauth2' as const, execute: [client.allowInsecureRequests] };
  const as = (id: string): Promise<client.Configuration> =>
    client.discovery(new URL(server.url), id, undefined, client.ClientSecretBasic(SECRET), options);
  const [importer, other] = await Promise.all([as('importer'), as('other')]);
  const tokens = await client.clientCredentialsGrant(importer);
  expect(await client.tokenIntrospection(other, tokens.access_token)).toMatchObject({
    active: true,
    sub: 'service:importer',
    client_id: 'importer',
    aud: 'cairn',
    roles: ['service'],
  });
  const refresh = tokens.refresh_token ?? '';
  expect((await client.tokenIntrospection(importer, refresh)).active).toBe(true);
  expect((await client.tokenIntrospection(other, refresh)).active).toBe(false); // not its own
  await client.tokenRevocation(importer, tokens.access_token);
  expect(await client.tokenIntrospection(other, tokens.access_token)).toEqual({ active: false });
  expect(await client.tokenIntrospection(other, await token())).toEqual({ active: false });
  const INTROSPECT = `${TOKEN}/introspect`;
  expect((await server.post(INTROSPECT, { token: refresh })).status).toBe(400);
  expect(said(await server.post(INTROSPECT, { token: refresh, client_id: 'public' }))).toEqual([
    401,
    'invalid_client',
  ]);
});
