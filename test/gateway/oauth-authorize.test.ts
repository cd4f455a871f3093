// The authorization code grant (RFC 6749, 4.1; RFC 7636; docs/reference/gateway.md#authorization-endpoint):
// PKCE with S256, exact redirect URIs, codes valid for a minute and once.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Visitor } from '../portal/visitor.ts';
import {
  AUTHORIZE,
  CALLBACK,
  claimsOf,
  type OAuthServer,
  PASSWORD,
  REFRESH,
  SECRET,
  startOAuth,
  TOKEN,
} from './oauth-testkit.ts';

let server: OAuthServer;
let visitor: Visitor;
beforeAll(async () => {
  server = await startOAuth();
  visitor = new Visitor(server.url);
  await visitor.signIn(await visitor.open('/portal'), 'ada', PASSWORD);
});
afterAll(() => server[Symbol.asyncDispose]());

const pkce = (): { verifier: string; challenge: string } => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};
type Changes = Record<string, string | undefined>;
const request = (changes: Changes = {}): string => {
  const parameters = {
    response_type: 'code',
    client_id: 'spa',
    redirect_uri: CALLBACK,
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
    state: 'a state & more',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `${AUTHORIZE}?${query.toString()}`;
};

/** Signs in if needed, decides, and returns the redirect of the browser. */
async function decide(address: string, decision = 'approve', by = visitor): Promise<URL> {
  const consent = await by.open(address);
  const seen = await by.submit(consent, '/portal/consent', { decision });
  expect(seen.status).toBe(303);
  return new URL(seen.headers.get('location') ?? '');
}
async function newCode(changes: Changes = {}): Promise<{ code: string; verifier: string }> {
  const { verifier, challenge } = pkce();
  return {
    code: (await decide(request({ code_challenge: challenge, ...changes }))).searchParams.get('code') ?? '',
    verifier,
  };
}
const redeem = (code: string, verifier: string, more: Record<string, string> = {}) =>
  server.post(
    TOKEN,
    {
      grant_type: 'authorization_code',
      client_id: 'spa',
      redirect_uri: CALLBACK,
      code,
      code_verifier: verifier,
      ...more,
    },
    { form: true },
  );

describe('the request', () => {
  test.each<[what: string, changes: Changes]>([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['a client without addresses', { client_id: 'cli' }],
    ['an address more', { redirect_uri: `${CALLBACK}/more` }],
    ['a query more', { redirect_uri: `${CALLBACK}?x=1` }],
    ['a slash more', { redirect_uri: `${CALLBACK}/` }],
    ['another case', { redirect_uri: CALLBACK.toUpperCase() }],
    ['another port', { redirect_uri: 'http://127.0.0.1:10/callback' }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['user info', { redirect_uri: 'http://127.0.0.1:9@evil.example/callback' }],
    ['a fragment', { redirect_uri: `${CALLBACK}#x` }],
    ['a dot segment', { redirect_uri: 'http://127.0.0.1:9/x/../callback' }],
    ['an escape', { redirect_uri: 'http://127.0.0.1:9/%63allback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ["another client's address", { redirect_uri: 'https://app.example.org/cb?tenant=1' }],
    ['no address where there are two', { client_id: 'web', redirect_uri: undefined }],
  ])('with %s is 400 and does not redirect', async (_, changes) => {
    const seen = await visitor.send('GET', request(changes));
    expect([seen.status, seen.headers.get('location'), seen.headers.get('content-type')]).toEqual([
      400,
      null,
      'text/html; charset=utf-8',
    ]);
  });

  test('with a repeated parameter is 400 and does not redirect', async () => {
    expect((await visitor.send('GET', `${request()}&client_id=web`)).status).toBe(400);
    expect((await visitor.send('GET', `${request()}&redirect_uri=https://evil.example`)).status).toBe(400);
  });

  test.each<[what: string, error: string, changes: Changes]>([
    ['no response type', 'invalid_request', { response_type: undefined }],
    ['response type token', 'unsupported_response_type', { response_type: 'token' }],
    ['a hybrid response type', 'unsupported_response_type', { response_type: 'code id_token' }],
    ['no challenge', 'invalid_request', { code_challenge: undefined }],
    ['a plain challenge', 'invalid_request', { code_challenge_method: 'plain' }],
    ['no challenge method', 'invalid_request', { code_challenge_method: undefined }],
    ['a challenge that is no SHA-256', 'invalid_request', { code_challenge: 'short' }],
    ['response mode fragment', 'invalid_request', { response_mode: 'fragment' }],
    ['a request object', 'request_not_supported', { request: 'x.y.z' }],
  ])('with %s is told to the client as %s', async (_, error, changes) => {
    const seen = await new Visitor(server.url).send('GET', request(changes));
    const location = new URL(seen.headers.get('location') ?? '');
    expect([
      seen.status,
      location.origin + location.pathname,
      location.searchParams.get('error'),
      location.searchParams.get('state'),
      location.searchParams.get('iss'),
    ]).toEqual([303, CALLBACK, error, 'a state & more', server.url]);
  });

  test('without a session leads to sign-in, and then to the consent page', async () => {
    const other = new Visitor(server.url);
    const signIn = await other.open(request());
    expect(signIn.status).toBe(200);
    const consent = await other.signIn(signIn, 'ada', PASSWORD);
    expect(consent.text).toContain('<strong>spa</strong> wants to act as you');
  });

  test("allows the consent form to redirect to the client's address only", async () => {
    expect((await visitor.open(request())).headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:9;",
    );
  });
});

describe('the answer', () => {
  test('goes to the client with code, state and issuer; its own query stays', async () => {
    const location = await decide(
      request({ client_id: 'web', redirect_uri: 'https://app.example.org/cb?tenant=1' }),
    );
    expect(Object.fromEntries(location.searchParams)).toEqual({
      tenant: '1',
      code: expect.stringMatching(/^ac_[\w-]{43}$/),
      state: 'a state & more',
      iss: server.url,
    });
    expect(location.origin + location.pathname).toBe('https://app.example.org/cb');
  });

  test('is access_denied where the user denies, and where the form says neither', async () => {
    for (const decision of ['deny', '', 'APPROVE'])
      expect((await decide(request(), decision)).searchParams.get('error')).toBe('access_denied');
  });

  test('to a request that was changed in the form is judged anew', async () => {
    const consent = await visitor.open(request());
    const seen = await visitor.submit(consent, '/portal/consent', {
      decision: 'approve',
      request: request({ redirect_uri: 'https://evil.example' }).split('?')[1] ?? '',
    });
    expect([seen.status, seen.headers.get('location')]).toEqual([400, null]);
  });
});

describe('the code', () => {
  test('gives tokens of the user, for the client', async () => {
    const { code, verifier } = await newCode();
    const answer = await redeem(code, verifier);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: expect.stringMatching(/^rt_/),
      },
    ]);
    expect(claimsOf(answer.body.access_token)).toMatchObject({
      sub: 'user:ada',
      client_id: 'spa',
      roles: ['analyst'],
      projects: ['alpha'],
    });
    expect((await server.as(answer.body.access_token)).status).toBe(200);
    expect(
      (
        await server.post(TOKEN, {
          grant_type: 'refresh_token',
          client_id: 'spa',
          refresh_token: answer.body.refresh_token,
        })
      ).status,
    ).toBe(200);
  });

  test('of a confidential client takes its secret', async () => {
    const { code, verifier } = await newCode({ client_id: 'web' });
    expect((await redeem(code, verifier, { client_id: 'web' })).body).toMatchObject({
      error: 'invalid_client',
    });
    expect((await redeem(code, verifier, { client_id: 'web', client_secret: SECRET })).status).toBe(200);
  });

  test('is refused with another verifier, client or address, or after a minute; a correct request still works', async () => {
    const { code, verifier } = await newCode();
    expect((await redeem(code, pkce().verifier)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await redeem(code, verifier, { client_id: 'web', client_secret: SECRET })).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await redeem(code, verifier, { redirect_uri: `${CALLBACK}?` })).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await redeem(code, verifier)).status).toBe(200);

    const late = await newCode();
    const { rows } = await server.database.pool.query<{ s: number }>(
      'SELECT extract(epoch FROM max(expires_at) - now())::float8 AS s FROM gateway.authorization_code',
    );
    expect(rows[0]?.s).toBeGreaterThan(55);
    expect(rows[0]?.s).toBeLessThanOrEqual(60);
    await server.database.pool.query(
      `UPDATE gateway.authorization_code SET expires_at = now() WHERE consumed_at IS NULL`,
    );
    expect((await redeem(late.code, late.verifier)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('sent twice is invalid_grant and revokes the tokens it gave', async () => {
    const { code, verifier } = await newCode();
    const { body: tokens } = await redeem(code, verifier);
    const { body: refreshed } = await server.post(REFRESH, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
    expect((await redeem(code, 'x'.repeat(43))).body).toMatchObject({ error: 'invalid_grant' });
    for (const token of [tokens.access_token, refreshed.access_token])
      expect((await server.as(token)).body).toMatchObject({ error: 'revoked_token' });
    expect(
      (await server.post(REFRESH, { grant_type: 'refresh_token', refresh_token: refreshed.refresh_token }))
        .body,
    ).toMatchObject({ error: 'revoked_token' });
  });

  test('sent fifty times at once gives tokens once', async () => {
    const { code, verifier } = await newCode();
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(code, verifier)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error))).toEqual(
      new Set(['invalid_grant']),
    );
    expect((await server.as(given[0]?.body.access_token)).body).toMatchObject({ error: 'revoked_token' });
  });
});

test('a user whose rights change has them changed at the next refresh', async () => {
  const { code, verifier } = await newCode();
  const { body: tokens } = await redeem(code, verifier);
  await server.database.pool.query(
    `UPDATE gateway.gateway_user SET roles = '{viewer}', all_projects = true WHERE name = 'ada'`,
  );
  const { body } = await server.post(REFRESH, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  });
  expect(claimsOf(body.access_token)).toMatchObject({ roles: ['viewer'], projects: '*' });
  await server.database.pool.query(
    `UPDATE gateway.gateway_user SET roles = '{analyst}', all_projects = false WHERE name = 'ada'`,
  );
});
