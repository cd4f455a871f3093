// Signing in with an OpenID Connect provider: a real one (oidc-provider), started here on loopback
// (docs/reference/gateway.md#identity-provider,
// `auth.identity_provider`).
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { identityOf } from '../../router/users/identity-provider.ts';
import {
  claimsOf,
  DEVICE,
  DEVICE_GRANT,
  type OAuthServer,
  PASSWORD,
  startOAuth,
  TOKEN,
} from '../gateway/oauth-testkit.ts';
import { type Seen, Visitor } from './visitor.ts';

const CLIENT_SECRET = 'the platform at the provider';
const PEOPLE: Readonly<Record<string, Record<string, unknown>>> = {
  grace: { preferred_username: 'grace', groups: ['scientists', 'lab-a'] },
  root: { preferred_username: 'root', groups: ['platform-admins', 'data-office', 'scientists'] },
  guest: { preferred_username: 'guest', groups: [] },
  ada: { preferred_username: 'ada', groups: ['platform-admins'] },
  spacey: { preferred_username: 'a b', groups: ['scientists'] },
  nameless: { groups: ['scientists'] },
  first: { preferred_username: 'admin', groups: ['scientists'] },
};

const settings = (issuer: string, more = ''): string => `auth:
  identity_provider:
    issuer: ${issuer}
    client_id: cairn
    client_secret_env: PROVIDER_SECRET
    roles: {claim: groups, map: {platform-admins: admin, scientists: analyst}${more}}
    projects: {claim: groups, map: {lab-a: [alpha], data-office: "*"}, default: [shared]}
`;

let idp: Server;
let idpUrl: string;
let server: OAuthServer;

beforeAll(async () => {
  let answer: (
    req: Parameters<ReturnType<Provider['callback']>>[0],
    res: Parameters<ReturnType<Provider['callback']>>[1],
  ) => unknown = () => undefined;
  idp = createServer((req, res) => {
    answer(req, res);
  }).listen(0, '127.0.0.1');
  await once(idp, 'listening');
  idpUrl = `http://127.0.0.1:${(idp.address() as AddressInfo).port}`; // It listens on TCP.
  server = await startOAuth({ config: settings(idpUrl), env: { PROVIDER_SECRET: CLIENT_SECRET } });
  const provider = new Provider(idpUrl, {
    clients: [
      {
        client_id: 'cairn',
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${server.url}/portal/callback`],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
    pkce: { required: () => true, methods: ['S256'] },
    cookies: { keys: ['a key of the test'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...PEOPLE[id] }) }),
  });
  answer = provider.callback();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  idp.closeAllConnections();
  idp.close();
});

/** Passes the provider's own pages, and returns the resulting redirect. */
async function atProvider(address: string, person: string): Promise<string> {
  const visitor = new Visitor(idpUrl);
  const submit = (seen: Seen, fields: Record<string, string>): Promise<Seen> =>
    visitor.submit(seen, /<form[^>]*\saction="([^"]*)"/.exec(seen.text)?.[1] ?? '', fields);
  const consent = await submit(await visitor.open(address), { login: person, password: 'any' });
  const back = await submit(consent, {});
  return back.headers.get('location') ?? '';
}

/** Starts at the page `target`; returns the redirect to the provider. */
async function begin(visitor: Visitor, target: string): Promise<string> {
  const page = await visitor.open(target);
  const link =
    /href="(\/portal\/sign-in\/provider\?[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  return (await visitor.send('GET', link)).headers.get('location') ?? '';
}

test('a person signs in there, and approves a device here, with the roles and projects that the claims give', async () => {
  const { body: device } = await server.rest('GET', DEVICE, { key: null });
  const visitor = new Visitor(server.url);
  const sentTo = await begin(visitor, `/device?user_code=${device.user_code}`);
  const asked = new URL(sentTo);
  expect([
    asked.origin,
    asked.searchParams.get('code_challenge_method'),
    asked.searchParams.get('scope'),
    asked.searchParams.get('redirect_uri'),
  ]).toEqual([idpUrl, 'S256', 'openid profile email', `${server.url}/portal/callback`]);
  expect(asked.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);

  const before = new Map(visitor.cookies);
  const entry = await visitor.open(await atProvider(sentTo, 'grace'));
  expect(entry.text).toContain('Signed in as user:grace');
  expect(visitor.cookies).not.toEqual(before);
  await visitor.submit(await visitor.submit(entry, '/device', {}), '/device/decision', {
    decision: 'approve',
  });
  const { body } = await server.post(TOKEN, { grant_type: DEVICE_GRANT, device_code: device.device_code });
  expect(claimsOf(body.access_token)).toMatchObject({
    sub: 'user:grace',
    roles: ['analyst'],
    projects: ['alpha'],
  });
  const { body: next } = await server.post(`${TOKEN}/refresh`, {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
  });
  expect(claimsOf(next.access_token)).toMatchObject({
    sub: 'user:grace',
    roles: ['analyst'],
    projects: ['alpha'],
  });
});

test('a local account of the same name ends what a person of the provider has: refreshed, it would be the account', async () => {
  const { body: device } = await server.rest('GET', DEVICE, { key: null });
  const visitor = new Visitor(server.url);
  const entry = await visitor.open(
    await atProvider(await begin(visitor, `/device?user_code=${device.user_code}`), 'grace'),
  );
  await visitor.submit(await visitor.submit(entry, '/device', {}), '/device/decision', {
    decision: 'approve',
  });
  const { body } = await server.post(TOKEN, { grant_type: DEVICE_GRANT, device_code: device.device_code });
  await server.users.add({ name: 'grace', password: PASSWORD, roles: ['admin'], projects: '*' });
  const { status } = await server.post(`${TOKEN}/refresh`, {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
  });
  expect(status).toBe(401);
  expect((await visitor.open('/device')).text).not.toContain('Signed in as');
  await server.database.pool.query("DELETE FROM gateway.gateway_user WHERE name = 'grace'");
});

test.each([
  ['somebody without a role here', 'guest', 403, 'has no role in Cairn'],
  ['somebody with the name of a local account', 'ada', 409, 'is a local account'],
  ['somebody with the name of the first administrator', 'first', 403, 'is the first administrator here'],
  ['a name with a space', 'spacey', 401, 'no usable preferred_username'],
  ["nobody's name", 'nameless', 401, 'no usable preferred_username'],
])('%s is refused', async (_, person, status, said) => {
  const visitor = new Visitor(server.url);
  const seen = await visitor.open(await atProvider(await begin(visitor, '/portal'), person));
  expect([seen.status, seen.text.includes(said)]).toEqual([status, true]);
  expect((await visitor.open('/portal')).text).toContain('action="/portal/sign-in"');
});

describe('the way back', () => {
  const refusal = async (visitor: Visitor, address: string): Promise<number> => {
    const seen = await visitor.open(address);
    expect((await visitor.open('/portal')).text).toContain('action="/portal/sign-in"');
    return seen.status;
  };

  test('is accepted once, from the browser that began it', async () => {
    const [visitor, other] = [new Visitor(server.url), new Visitor(server.url)];
    await other.open('/portal');
    const back = await atProvider(await begin(visitor, '/portal'), 'grace');
    expect(await refusal(other, back)).toBe(400); // a link cannot sign somebody in as another user
    expect(await refusal(new Visitor(server.url), back)).toBe(400);
    expect((await visitor.open(back)).text).toContain('Signed in as user:grace');
    expect((await visitor.open(back)).status).toBe(400);
  });

  test('of an earlier attempt is refused', async () => {
    const visitor = new Visitor(server.url);
    const first = await atProvider(await begin(visitor, '/portal'), 'grace');
    await begin(visitor, '/portal');
    expect(await refusal(visitor, first)).toBe(400);
  });

  test('with another state, code or target is refused', async () => {
    const visitor = new Visitor(server.url);
    const back = new URL(await atProvider(await begin(visitor, '/portal'), 'grace'));
    const changed = (name: string, value: string): string => {
      const url = new URL(back);
      url.searchParams.set(name, value);
      return url.href;
    };
    const [proof = ''] = (back.searchParams.get('state') ?? '').split('.');
    expect(await refusal(visitor, changed('state', 'x'))).toBe(400);
    expect(
      await refusal(visitor, changed('state', `${proof}.${Buffer.from('/device').toString('base64url')}`)),
    ).toBe(400);
    expect(
      await refusal(
        visitor,
        changed('state', `${proof}.${Buffer.from('https://evil.example').toString('base64url')}`),
      ),
    ).toBe(400);
    expect(await refusal(visitor, changed('code', 'x'))).toBe(401);
    expect(await refusal(visitor, changed('iss', 'https://evil.example'))).toBe(401);
  });

  test("with the provider's refusal shows it", async () => {
    const visitor = new Visitor(server.url);
    const asked = new URL(await begin(visitor, '/portal'));
    const query = new URLSearchParams({
      error: 'access_denied',
      state: asked.searchParams.get('state') ?? '',
      iss: idpUrl,
    });
    expect(await refusal(visitor, `/portal/callback?${query.toString()}`)).toBe(401);
  });
});

test('where the provider does not answer, the page says so, and works again when it does', async () => {
  await using alone = await startOAuth({
    config: settings('http://127.0.0.1:9'),
    env: { PROVIDER_SECRET: CLIENT_SECRET },
    user: false,
  });
  const seen = await new Visitor(alone.url).open('/portal/sign-in/provider');
  expect([seen.status, seen.text.includes('the identity provider does not answer')]).toEqual([503, true]);
});

describe('claims', () => {
  const read = (claims: Record<string, unknown>, more = '') => {
    const { identityProvider } = parseConfig(
      settings('https://login.example.org', more),
      '/nowhere/gateway.yaml',
      { env: { PROVIDER_SECRET: 'x' }, cwd: '/nowhere' },
    ).auth;
    if (identityProvider === undefined) throw new Error('no provider');
    return identityOf(claims, identityProvider);
  };

  test('several values give several roles and all their projects', () => {
    expect(read({ preferred_username: 'x', groups: ['scientists', 'platform-admins', 'lab-a'] })).toEqual({
      actor: 'user:x',
      roles: ['analyst', 'admin'],
      projects: ['alpha'],
    });
    expect(read({ preferred_username: 'x', groups: ['scientists', 'lab-a', 'data-office'] }).projects).toBe(
      '*',
    );
  });

  test('one value, or several in one text, are read as well', () => {
    expect(read({ preferred_username: 'x', groups: 'scientists' })).toEqual({
      actor: 'user:x',
      roles: ['analyst'],
      projects: ['shared'],
    });
    expect(read({ preferred_username: 'x', groups: 'lab-a scientists' })).toEqual({
      actor: 'user:x',
      roles: ['analyst'],
      projects: ['alpha'],
    });
  });

  test('what the map does not know gives the default, or nothing; names of the prototype are not in the map', () => {
    expect(read({ preferred_username: 'x', groups: ['others'] }, ', default: viewer').roles).toEqual([
      'viewer',
    ]);
    for (const groups of [
      ['others'],
      ['constructor', '__proto__', 'toString'],
      5,
      null,
      undefined,
      { scientists: true },
    ]) {
      expect(() => read({ preferred_username: 'x', groups })).toThrow('has no role in Cairn');
    }
  });

  test('a name that is no actor is refused', () => {
    for (const name of ['', 'a b', 'a,b', 'a\nb', 'a\u0000', '\ud800', 5, undefined, 'x'.repeat(201)])
      expect(() => read({ preferred_username: name, groups: ['scientists'] })).toThrow('no usable');
  });
});
