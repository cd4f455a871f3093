// The session of a browser at the API: from pages of this server only; and the links that open it.
import { createHash } from 'node:crypto';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  approveDevice,
  AUTHORIZE,
  CALLBACK,
  DEVICE,
  DEVICE_GRANT,
  type OAuthServer,
  PASSWORD,
  startOAuth,
  TOKEN,
} from '../gateway/oauth-testkit.ts';
import { Visitor } from './visitor.ts';

const LINK = '/api/v1/gateway/auth/sign-in-link';
const ME = JSON.stringify({ query: '{ me { actor roles } }' });
const WRITE = JSON.stringify({
  query: 'mutation { createApiKey(input: {label: "x", role: viewer}) { key { id } } }',
});

let server: OAuthServer;
beforeAll(async () => {
  server = await startOAuth();
});
afterAll(() => server[Symbol.asyncDispose]());

const link = async (key = server.key): Promise<string> => {
  const { status, body } = await server.rest('POST', LINK, { key });
  expect(status).toBe(201);
  return (body as { url: string }).url;
};

/** A browser that has opened a link; its cookie as a header. */
async function opened(key?: string): Promise<{ visitor: Visitor; cookie: string }> {
  const visitor = new Visitor(server.url);
  const seen = await visitor.send('GET', await link(key), { headers: { 'sec-fetch-site': 'none' } });
  expect([seen.status, seen.headers.get('location')]).toEqual([303, '../console']);
  return { visitor, cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; ') };
}

/** `POST /graphql` as a script of a page sends it. */
async function ask(headers: Record<string, string>, body = ME): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}
const ours = (cookie: string): Record<string, string> => ({
  cookie,
  origin: server.url,
  'sec-fetch-site': 'same-origin',
  'x-cairn-session': '1',
});

test('what looks at a link with HEAD does not use it up', async () => {
  const url = await link();
  const looked = await fetch(url, { method: 'HEAD', redirect: 'manual' });
  expect(looked.status).toBe(200);
  const used = [];
  for (let i = 0; i < 2; i++) used.push((await fetch(url, { redirect: 'manual' })).status);
  expect(used).toEqual([303, 403]);
});
describe('a session at the API', () => {
  test('a script of our own pages acts as who is signed in, by GraphQL and REST', async () => {
    const { cookie } = await opened();
    expect(await ask(ours(cookie))).toMatchObject({
      status: 200,
      text: expect.stringContaining('user:admin'),
    });
    expect((await ask(ours(cookie), WRITE)).text).toContain('"key_');
    const rest = await fetch(`${server.url}/api/v1/metadata/schemas`, { headers: ours(cookie) });
    expect(rest.status).toBe(200);
  });

  test.each([
    ['without the header that only scripts can send', { 'x-cairn-session': undefined }],
    ['from another origin', { origin: 'https://evil.example.org' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another origin of the same site', { 'sec-fetch-site': 'same-site' }],
    ['without an origin', { origin: undefined }],
  ])('a write %s is refused', async (_, change) => {
    const { cookie } = await opened();
    const headers = Object.entries({ ...ours(cookie), ...change }).filter(([, value]) => value !== undefined);
    expect((await ask(Object.fromEntries(headers) as Record<string, string>, WRITE)).status).toBe(401);
  });

  test('links of our pages download; what another page or the address bar asks for is refused', async () => {
    const { cookie } = await opened();
    // not by fetch, which has a Sec-Fetch-Mode of its own
    const get = async (headers: Record<string, string>): Promise<number> => {
      const answer = await request(`${server.url}/api/v1/metadata/schemas`, {
        headers: { cookie, ...headers },
      });
      await answer.body.dump();
      return answer.statusCode;
    };
    const follow = { 'sec-fetch-mode': 'navigate' };
    expect(await get({ ...follow, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await get({ ...follow, 'sec-fetch-site': 'cross-site' })).toBe(401);
    expect(await get({ ...follow, 'sec-fetch-site': 'none' })).toBe(401);
    expect(await get({ 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'same-origin' })).toBe(401); // an image
    expect(await get({})).toBe(401);
  });

  test('a credential in a header counts, not the session beside it', async () => {
    const { cookie } = await opened();
    const viewer = await server.newKey({ role: 'viewer' });
    expect((await ask({ ...ours(cookie), 'x-api-key': viewer })).text).toContain('viewer');
    expect((await ask({ ...ours(cookie), 'x-api-key': 'sk_wrong' })).status).toBe(401);
  });

  test('a host name that is not ours has no session here', async () => {
    const { cookie } = await opened();
    const host = `evil.example:${new URL(server.url).port}`;
    const headers = { ...ours(cookie), host, origin: `http://${host}`, 'content-type': 'application/json' };
    const answer = await request(`${server.url}/graphql`, { method: 'POST', headers, body: ME });
    expect([answer.statusCode, await answer.body.text()]).toEqual([421, expect.any(String)]);
  });

  test('no header is accepted as a session', async () => {
    const { cookie } = await opened();
    const value = cookie.slice(cookie.indexOf('=') + 1);
    expect((await ask({ authorization: `Bearer session ${value}` })).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${value}` })).status).toBe(401);
  });

  test('the session ends when the user signs out, in every tab, and later requests say so', async () => {
    const { visitor, cookie } = await opened();
    const out = await visitor.send('POST', '/portal/sign-out', { fields: {}, headers: ours(cookie) });
    expect(out.status).toBe(303);
    expect(await ask(ours(cookie))).toMatchObject({ status: 401, text: expect.stringContaining('sign in') });
  });

  test('a script of another page cannot sign anybody out', async () => {
    const { visitor, cookie } = await opened();
    const headers = { ...ours(cookie), origin: 'https://evil.example.org' };
    expect((await visitor.send('POST', '/portal/sign-out', { fields: {}, headers })).status).toBe(403);
    expect((await ask(ours(cookie))).status).toBe(200);
  });

  test('a session ends session_seconds after the sign-in, however much it is used', async () => {
    const { cookie } = await opened();
    const life = async (): Promise<unknown> =>
      (
        await server.database.pool.query(
          'SELECT max(extract(epoch FROM expires_at - created_at))::float8 AS seconds, max(expires_at) AS until FROM gateway.portal_session WHERE created_at = (SELECT max(created_at) FROM gateway.portal_session)',
        )
      ).rows[0];
    const before = await life();
    expect(before).toMatchObject({ seconds: 43_200 });
    for (let i = 0; i < 3; i++) expect((await ask(ours(cookie))).status).toBe(200);
    expect(await life()).toEqual(before);
    await server.database.pool.query(
      "UPDATE gateway.portal_session SET expires_at = now() - interval '1 ms'",
    );
    expect((await ask(ours(cookie))).status).toBe(401);
  });

  test('a session ends with the key that opened it, and has the rights of its account', async () => {
    const key = await server.newKey({ role: 'analyst', label: 'borrowed' });
    const { cookie } = await opened(key);
    expect((await ask(ours(cookie))).text).toContain('analyst');
    await server.database.pool.query(
      "UPDATE gateway.api_key SET revoked_at = now() WHERE label = 'borrowed'",
    );
    expect((await ask(ours(cookie))).status).toBe(401);

    const ada = new Visitor(server.url);
    await ada.signIn(await ada.open('/portal'), 'ada', PASSWORD);
    const session = [...ada.cookies].map((pair) => pair.join('=')).join('; ');
    expect((await ask(ours(session))).text).toContain('user:ada');
    await server.users.disable('ada');
    expect((await ask(ours(session))).status).toBe(401);
    await server.users.enable('ada');
  });
});

describe('a session that a key has opened', () => {
  test('makes no key that outlives that key', async () => {
    const end = '2098-12-31T22:00:00.000000Z';
    const { body } = await server.rest('POST', '/api/v1/gateway/auth/api-keys', {
      body: { label: 'brief', role: 'analyst', expires: end },
    });
    const { cookie } = await opened(body.secret as string);
    const { text } = await ask(ours(cookie), WRITE.replace('{ id }', '{ expires }'));
    expect(JSON.parse(text)).toMatchObject({ data: { createApiKey: { key: { expires: end } } } });
  });

  const AUTHORIZATION = new URLSearchParams({
    response_type: 'code',
    client_id: 'spa',
    redirect_uri: CALLBACK,
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();

  test('connects no device and no application: their tokens would have the rights of the account', async () => {
    const key = await server.newKey({ role: 'viewer', owner: 'user:ada' });
    const { visitor } = await opened(key);
    const { body: device } = await server.rest('GET', DEVICE, { key: null });
    expect(await approveDevice(visitor, `/device?user_code=${device.user_code}`)).toContain(
      'an API key has opened this session',
    );
    const { body } = await server.post(TOKEN, {
      grant_type: DEVICE_GRANT,
      device_code: device.device_code,
    });
    expect(body).toMatchObject({ error: 'authorization_pending' });
    const consent = await visitor.open(`${AUTHORIZE}?${AUTHORIZATION}`);
    const decided = await visitor.submit(consent, '/portal/consent', { decision: 'approve' });
    expect([decided.status, decided.headers.get('location')]).toEqual([403, null]);
  });
});

describe('a sign-in link', () => {
  test('opens once', async () => {
    const url = await link();
    const open = (): Promise<{ status: number; text: string }> =>
      new Visitor(server.url).send('GET', url, { headers: { 'sec-fetch-site': 'none' } });
    const statuses = (await Promise.all([open(), open(), open()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([303, 403, 403]);
    const { text } = await open(); // in the browser that is signed in, too
    expect(text).toContain('npx cairn open');
    expect(text).toContain('href="../console"');
  });

  test('expires after ten minutes', async () => {
    const url = await link();
    await server.database.pool.query(
      "UPDATE gateway.sign_in_link SET expires_at = expires_at - interval '10 minutes'",
    );
    expect((await new Visitor(server.url).send('GET', url)).status).toBe(403);
  });

  test('is made and opened on this machine only, by its reader only', async () => {
    const url = await link();
    const visitor = new Visitor(server.url);
    for (const headers of [
      { 'x-forwarded-for': '192.0.2.1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      expect([(await visitor.send('GET', url, { headers })).status, headers]).not.toEqual([303, headers]);
    expect((await visitor.send('GET', url)).status).toBe(303); // none of these has used it up
    const far = await server.rest('POST', LINK, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(far.status).toBe(403);
    expect((await server.rest('POST', LINK, { key: null })).status).toBe(401);
  });

  test('is not made for clients without a key or an account', async () => {
    const { access_token: token } = await server.clientTokens();
    expect((await server.as(token, 'POST', LINK)).status).toBe(403);
    const { access_token: ada } = await server.userTokens();
    expect((await server.as(ada, 'POST', LINK)).status).toBe(201);
  });

  test.each([
    ['roles', "roles = '{analyst,admin}'"],
    ['projects', "projects = '{alpha,beta}'"],
    ['all projects', 'all_projects = true'],
  ])('is not made for a token with fewer rights than its account has by now: %s', async (_, more) => {
    const { access_token: token } = await server.userTokens();
    const { pool } = server.database;
    await pool.query(`UPDATE gateway.gateway_user SET ${more} WHERE name = 'ada'`);
    const { status, body } = await server.as(token, 'POST', LINK);
    await pool.query(
      "UPDATE gateway.gateway_user SET roles = '{analyst}', projects = '{alpha}', all_projects = false WHERE name = 'ada'",
    );
    expect([status, body.message]).toEqual([403, expect.stringContaining('fewer rights than its account')]);
  });
});
