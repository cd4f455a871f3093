// Attacks on the portal's pages: fixation, forgery, redirects, guessing, injection.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTHORIZE, type OAuthServer, PASSWORD, startOAuth } from '../gateway/oauth-testkit.ts';
import { formOf, Visitor } from './visitor.ts';
import { COOKIE } from './pages-testkit.ts';

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

describe('every page', () => {
  test('is never stored, never framed, runs no script and loads nothing from elsewhere', async () => {
    const visitor = await signedIn();
    for (const path of ['/portal', '/portal/sign-in', '/device', '/device?user_code=BBBB-BBBB']) {
      const { headers, text, status } = await visitor.open(path);
      expect([
        path,
        status,
        headers.get('cache-control'),
        headers.get('x-frame-options'),
        headers.get('x-content-type-options'),
      ]).toEqual([path, 200, 'no-store', 'DENY', 'nosniff']);
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(text).not.toMatch(/<script|\son\w+=|style="|(?:src|href|action)="(?:https?:)?\/\//i);
      const style = /href="(\/portal\/style-\w+\.css)"/.exec(text)?.[1] ?? '';
      expect((await visitor.open(style)).headers.get('content-type')).toBe('text/css; charset=utf-8');
    }
  });

  test('has a language, a title, one heading, and a label for every field', async () => {
    const visitor = new Visitor(server.url);
    for (const seen of [await visitor.open('/portal'), await (await signedIn()).open('/device')]) {
      expect(seen.text).toMatch(/<html lang="en">/);
      expect(seen.text).toMatch(/<title>[^<]+ · Cairn<\/title>/);
      expect(seen.text.match(/<h1>/g)).toHaveLength(1);
      const fields = [...seen.text.matchAll(/<input\s(?![^>]*type="hidden")[^>]*id="(\w+)"/g)].map(
        ([, id]) => id,
      );
      expect(fields.length).toBeGreaterThan(0);
      for (const id of fields) expect(seen.text).toContain(`<label for="${id}">`);
    }
  });

  test('escapes all values', async () => {
    const visitor = new Visitor(server.url);
    const evil = '"><script>alert(1)</script>\'&';
    const page = await visitor.signIn(await visitor.open('/portal'), evil, 'whatever');
    expect(page.text).not.toContain('<script');
    expect(formOf(page, '/portal/sign-in')['username']).toBe(evil);
    expect(
      (await (await signedIn()).open(`/device?user_code=${encodeURIComponent('"><b>')}`)).text,
    ).not.toContain('<b>');
  });
});

describe('forms', () => {
  test("without the token of this browser's own session are refused", async () => {
    const visitor = await signedIn();
    const other = await signedIn();
    const fields = formOf(await visitor.open('/device'), '/device');
    const stolen = formOf(await other.open('/device'), '/device');
    for (const csrf of [stolen['csrf'] ?? '', '', 'x'.repeat(43)]) {
      const seen = await visitor.send('POST', '/device', {
        fields: { ...fields, user_code: 'BBBB-BBBB', csrf },
      });
      expect([seen.status, seen.headers.get('www-authenticate')]).toEqual([
        403,
        'Bearer realm="cairn", error="insufficient_scope"',
      ]);
    }
    expect(
      (await visitor.send('POST', '/device', { fields: { ...fields, user_code: 'BBBB-BBBB' } })).status,
    ).toBe(400);
  });

  test('without any cookie are refused: nobody is signed in by another site', async () => {
    const seen = await new Visitor(server.url).send('POST', '/portal/sign-in', {
      fields: { username: 'ada', password: PASSWORD, csrf: '' },
    });
    expect([seen.status, seen.headers.getSetCookie().length]).toEqual([403, 1]);
  });

  test.each([
    [{ origin: 'https://evil.example' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'http://127.0.0.1.evil.example' }],
    [{ origin: 'nonsense' }],
  ] as Record<string, string>[][])('sent from elsewhere are refused: %j', async (headers = {}) => {
    const visitor = await signedIn();
    const fields = { ...formOf(await visitor.open('/device'), '/device'), user_code: 'BBBB-BBBB' };
    expect((await visitor.send('POST', '/device', { fields, headers })).status).toBe(403);
    expect(
      (
        await visitor.send('POST', '/device', {
          fields,
          headers: { origin: server.url, 'sec-fetch-site': 'same-origin' },
        })
      ).status,
    ).toBe(400);
  });

  test('of another media type are refused', async () => {
    const visitor = await signedIn();
    const response = await fetch(`${server.url}/device`, {
      method: 'POST',
      headers: {
        accept: 'text/html',
        'content-type': 'text/plain',
        cookie: `${COOKIE}=${visitor.cookies.get(COOKIE)}`,
      },
      body: 'user_code=x',
    });
    expect(response.status).toBe(415);
  });
});

test("a refusal is a page for browsers, and an error in the gateway's shape for programs", async () => {
  const page = await fetch(`${server.url}${AUTHORIZE}?client_id=nobody`, {
    headers: { accept: 'text/html' },
  });
  expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  const answer = await server.rest('GET', `${AUTHORIZE}?client_id=nobody`, { key: null });
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
});

test('what people do at the portal is audited under their name, without codes', async () => {
  const visitor = await signedIn();
  await visitor.open('/device?user_code=BCDF-GHJK');
  const { readFile } = await import('node:fs/promises');
  let lines = '';
  for (let i = 0; i < 100 && !lines.includes('"actor":"user:ada","method":"GET","path":"/device"'); i++) {
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    lines = await readFile(`${server.dataDir}/audit.jsonl`, 'utf8').catch(() => '');
  }
  expect(lines).toContain('"actor":"user:ada","method":"GET","path":"/device"');
  for (const secret of ['BCDF-GHJK', PASSWORD, visitor.cookies.get(COOKIE) ?? ''])
    expect(lines).not.toContain(secret);
});
