// Sessions of the portal, where a sign-in leads, and guesses of passwords.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownTarget } from '../../portal/targets.ts';
import {
  AUTHORIZE,
  CALLBACK,
  DEVICE,
  type OAuthServer,
  PASSWORD,
  startOAuth,
} from '../gateway/oauth-testkit.ts';
import { formOf, Visitor } from './visitor.ts';
import { COOKIE } from './pages-testkit.ts';

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

let server: OAuthServer;

beforeAll(async () => {
  server = await startOAuth();
});

afterAll(() => server[Symbol.asyncDispose]());

const signedIn = async (): Promise<Visitor> => {
  const visitor = new Visitor(server.url);
  const seen = await visitor.signIn(await visitor.open('/portal'), 'ada', PASSWORD);
  expect(seen.text).toContain('Signed in as user:ada');
  return visitor;
};

describe('the session', () => {
  test('is a cookie that scripts and other sites do not see', async () => {
    const seen = await new Visitor(server.url).send('GET', '/portal');
    expect(seen.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^cairn_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
  });

  test('over https is bound to the host and to TLS', async () => {
    await using secure = await startOAuth({
      config: 'auth: {issuer: "https://cairn.example.org"}',
      user: false,
    });
    const seen = await new Visitor(secure.url).send('GET', '/portal');
    expect(seen.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-cairn_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
    ]);
  });

  test('changes at sign-in: a cookie planted before is of no use after', async () => {
    const visitor = new Visitor(server.url);
    const page = await visitor.open('/portal');
    const planted = visitor.cookies.get(COOKIE) ?? '';
    await visitor.signIn(page, 'ada', PASSWORD);
    const given = visitor.cookies.get(COOKIE) ?? '';
    expect(given).not.toBe(planted);
    const thief = new Visitor(server.url);
    thief.cookies.set(COOKIE, planted);
    expect((await thief.open('/portal')).text).toContain('action="/portal/sign-in"');
    thief.cookies.set(COOKIE, given);
    expect((await thief.open('/portal')).text).toContain('Signed in as user:ada');
  });

  test('a second sign-in ends the first session of that browser', async () => {
    const visitor = await signedIn();
    const first = visitor.cookies.get(COOKIE) ?? '';
    await visitor.signIn(await visitor.open('/portal/sign-in'), 'ada', PASSWORD);
    const thief = new Visitor(server.url);
    thief.cookies.set(COOKIE, first);
    expect((await thief.open('/portal')).text).toContain('action="/portal/sign-in"');
  });

  test('signing out ends it at the server', async () => {
    const visitor = await signedIn();
    const cookie = visitor.cookies.get(COOKIE) ?? '';
    expect((await visitor.submit(await visitor.open('/portal'), '/portal/sign-out', {})).text).toContain(
      'action="/portal/sign-in"',
    );
    visitor.cookies.set(COOKIE, cookie);
    expect((await visitor.open('/portal')).text).toContain('action="/portal/sign-in"');
  });

  test('two cookies of its name, or one of another form, count as none', async () => {
    const visitor = await signedIn();
    const cookie = visitor.cookies.get(COOKIE) ?? '';
    for (const header of [
      `${COOKIE}=${cookie}; ${COOKIE}=${'x'.repeat(43)}`,
      `${COOKIE}=x`,
      `${COOKIE}=${cookie}=`,
      `${COOKIE}="${cookie}"`,
    ]) {
      const seen = await new Visitor(server.url).send('GET', '/portal', { headers: { cookie: header } });
      expect(seen.text).toContain('action="/portal/sign-in"');
    }
  });

  test('ends when the account is disabled, or its password changed', async () => {
    await server.users.add({ name: 'carl', password: PASSWORD, roles: ['viewer'], projects: [] });
    const visitor = new Visitor(server.url);
    await visitor.signIn(await visitor.open('/portal'), 'carl', PASSWORD);
    await server.users.changePassword('carl', 'another good password');
    expect((await visitor.open('/portal')).text).toContain('action="/portal/sign-in"');
    await visitor.signIn(await visitor.open('/portal'), 'carl', 'another good password');
    expect((await visitor.open('/portal')).text).toContain('Signed in as user:carl');
    await server.users.disable('carl');
    expect((await visitor.open('/portal')).text).toContain('action="/portal/sign-in"');
    const again = await visitor.signIn(await visitor.open('/portal'), 'carl', 'another good password');
    expect([again.status, again.text.includes('The user name or password is wrong.')]).toEqual([401, true]);
  });
});

describe('where a sign-in leads', () => {
  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/device/../../evil',
    '/device//evil',
    '/deviceevil',
    '/device#@evil',
    '/device\n//evil',
    ' /device',
    '/portal/sign-out',
    'javascript:alert(1)',
    '/device?x=\u0000',
    '/device?\\evil',
    `/device?${'x'.repeat(5000)}`,
    '/%2f/evil.example',
    'http:/device',
  ])('%j is not followed', async (target) => {
    expect(ownTarget(target)).toBe('/portal');
    const visitor = new Visitor(server.url);
    const page = await visitor.open(
      `/portal/sign-in?${new URLSearchParams({ continue: target }).toString()}`,
    );
    expect(formOf(page, '/portal/sign-in')['continue']).toBe('/portal');
  });

  test('a form that asks for an address elsewhere leads to the portal', async () => {
    const visitor = new Visitor(server.url);
    const fields = {
      ...formOf(await visitor.open('/portal'), '/portal/sign-in'),
      username: 'ada',
      password: PASSWORD,
      continue: 'https://evil.example/',
    };
    const seen = await visitor.send('POST', '/portal/sign-in', { fields });
    expect([seen.status, seen.headers.get('location')]).toEqual([303, '/portal']);
  });

  test('pages of ours are followed', async () => {
    for (const target of [
      '/portal',
      '/device',
      '/device?user_code=BCDF-GHJK',
      `${AUTHORIZE}?client_id=x&state=%2F`,
    ])
      expect(ownTarget(target)).toBe(target);
    const { body } = await server.rest('GET', DEVICE, { key: null });
    const visitor = new Visitor(server.url);
    const page = await visitor.signIn(
      await visitor.open(`/device?user_code=${body.user_code}`),
      'ada',
      PASSWORD,
    );
    expect(formOf(page, '/device')['user_code']).toBe(body.user_code);
  });

  test('published under a path, all links are under it', async () => {
    await using published = await startOAuth({ config: 'auth: {issuer: "http://lab.example.org/cairn"}' });
    const visitor = new Visitor(published.url);
    const page = await visitor.open('/device');
    expect(page.text).toContain('action="/cairn/portal/sign-in"');
    const fields = { ...formOf(page, '/cairn/portal/sign-in'), username: 'ada', password: PASSWORD };
    expect((await visitor.send('POST', '/portal/sign-in', { fields })).headers.get('location')).toBe(
      '/cairn/device',
    );
  });
});

describe('what another site has started', () => {
  const address = `${AUTHORIZE}?${new URLSearchParams({ response_type: 'code', client_id: 'spa', redirect_uri: CALLBACK, code_challenge: CHALLENGE, code_challenge_method: 'S256' }).toString()}`;

  test('goes on from a page of ours, so that the browser brings its cookie', async () => {
    const seen = await new Visitor(server.url).send('GET', address, {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(seen.headers.getSetCookie()).toEqual([]);
    const refresh = /<meta http-equiv="refresh" content="0; url=([^"]*)"\s*\/?>/
      .exec(seen.text)?.[1]
      ?.replaceAll('&amp;', '&');
    expect(refresh).toBe(address);
    expect((await (await signedIn()).open(refresh ?? '')).text).toContain('Allow access?');
  });

  test.each(['GET', 'POST'])(
    'never gives a browser that keeps its cookie back another one: %s',
    async (method) => {
      for (const site of ['cross-site', 'same-site']) {
        for (const path of ['/portal', '/portal/sign-in', '/device']) {
          if (method === 'POST' && path === '/portal') continue;
          const seen = await new Visitor(server.url).send(method, path, {
            headers: { 'sec-fetch-site': site },
            ...(method === 'POST' ? { fields: { csrf: 'x' } } : {}),
          });
          expect([path, site, seen.headers.getSetCookie()]).toEqual([path, site, []]);
        }
      }
    },
  );
});

describe('guessing passwords', () => {
  test('is as slow for accounts that are not there, and says the same', async () => {
    const attempt = async (name: string): Promise<{ ms: number; text: string; status: number }> => {
      const visitor = new Visitor(server.url);
      const page = await visitor.open('/portal');
      const started = performance.now();
      const { text, status } = await visitor.signIn(page, name, 'wrong password');
      return { ms: performance.now() - started, text: text.replaceAll(/value="[^"]*"/g, ''), status };
    };
    const tries = {
      there: [await attempt('ada'), await attempt('ada')],
      nowhere: [await attempt('nobody'), await attempt('nobody')],
    };
    // this machine may be busy
    const quickest = (of: { ms: number }[]): number => Math.min(...of.map(({ ms }) => ms));
    const [there, nowhere] = [tries.there[0], tries.nowhere[0]];
    expect(nowhere?.text).toBe(there?.text);
    expect([there?.status, nowhere?.status]).toEqual([401, 401]);
    expect(quickest(tries.nowhere)).toBeGreaterThan(quickest(tries.there) / 4);
  });

  test('ends after ten failures from one address, for the right one too', async () => {
    await server.users.add({ name: 'dora', password: PASSWORD, roles: ['viewer'], projects: [] });
    const visitor = new Visitor(server.url);
    const page = await visitor.open('/portal');
    const guess = (password: string) => visitor.signIn(page, 'dora', password);
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, i) => guess(`guess ${i}`)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = await guess(PASSWORD);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900']);
    await server.database.pool.query(
      `UPDATE gateway.sign_in_failure SET since = since - interval '16 minutes'`,
    );
    expect((await guess(PASSWORD)).text).toContain('Signed in as user:dora');
  });

  test('passwords are stored as scrypt with their parameters', async () => {
    const { rows } = await server.database.pool.query<{ hash: string }>(
      'SELECT password_hash AS hash FROM gateway.gateway_user',
    );
    for (const { hash } of rows)
      expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length);
  });
});
