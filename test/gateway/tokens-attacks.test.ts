// Attacks with tokens (docs/hazards.md#gateway-bypasses), each against a running platform.
import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign as signBytes,
} from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JWKS, type OAuthServer, startOAuth } from './oauth-testkit.ts';

type Json = Record<string, unknown>;
const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

let server: OAuthServer;
let key: KeyObject;
let kid: string;
let publicJwk: Json;
let genuine: string;

beforeAll(async () => {
  server = await startOAuth();
  const {
    rows: [row],
  } = await server.database.pool.query<{ kid: string; private_jwk: Json; public_jwk: Json }>(
    'SELECT kid, private_jwk, public_jwk FROM gateway.signing_key',
  );
  if (row === undefined) throw new Error('no signing key');
  kid = row.kid;
  publicJwk = row.public_jwk;
  key = createPrivateKey({ key: row.private_jwk, format: 'jwk' });
  genuine = (await server.clientTokens()).access_token;
});
afterAll(() => server[Symbol.asyncDispose]());

const now = (): number => Math.floor(Date.now() / 1000);
const claims = (): Json => ({
  iss: server.url,
  aud: 'cairn',
  sub: 'user:mallory',
  client_id: 'cli',
  iat: now(),
  exp: now() + 60,
  jti: randomUUID(),
  sid: randomUUID(),
  roles: ['admin'],
  projects: '*',
});
const header = (): Json => ({ alg: 'ES256', typ: 'at+jwt', kid });
const es256 = (text: string, by: KeyObject = key): string =>
  signBytes('sha256', Buffer.from(text), { key: by, dsaEncoding: 'ieee-p1363' }).toString('base64url');
const token = (head: Json, body: Json | string, by?: KeyObject): string => {
  const text = `${encode(head)}.${encode(body)}`;
  return `${text}.${es256(text, by)}`;
};

async function outcome(text: string): Promise<unknown> {
  const { status, body } = await server.as(text);
  return status === 200 ? 'accepted' : `${status} ${body.error}`;
}

test("a token that the test signs with the store's key is accepted", async () => {
  expect(await outcome(token(header(), claims()))).toBe('accepted');
  expect(await outcome(token(header(), { ...claims(), aud: ['other', 'cairn'] }))).toBe('accepted');
});

describe('claims', () => {
  test.each<[what: string, change: Json, error?: string]>([
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['the issuer with a slash', { iss: 'slash' }],
    ['another audience', { aud: 'other' }],
    ['no audience', { aud: undefined }],
    ['an empty audience', { aud: [] }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is no number', { exp: '9999999999' }],
    ['an expiry in the past', { exp: 1 }, 'expired_token'],
    ['not valid yet', { nbf: 9_999_999_999 }],
    ['no issue time', { iat: undefined }],
    ['no jti', { jti: undefined }],
    ['an empty jti', { jti: '' }],
    ['no client', { client_id: undefined }],
    ['no subject', { sub: undefined }],
    ['a subject that is a list', { sub: ['user:ada'] }],
    ['no roles', { roles: undefined }],
    ['roles as text', { roles: 'admin' }],
    ['an unknown role', { roles: ['root'] }],
    ['an expiry beyond reason', { exp: 9_999_999_999 }],
    ['one that began long ago', { iat: 1 }],
    ['one hour longer than ours', { exp: now() + 4500 }],
    ['from the future, and as long', { iat: now() + 86_400, exp: now() + 86_460 }],
    ['no projects', { projects: undefined }],
    ['projects as another text', { projects: 'alpha' }],
    ['projects that are numbers', { projects: [1] }],
    ['no family', { sid: undefined }],
  ])('%s: refused', async (_, change, error = 'invalid_token') => {
    const changed = change['iss'] === 'slash' ? { iss: `${server.url}/` } : change;
    expect(await outcome(token(header(), { ...claims(), ...changed }))).toBe(`401 ${error}`);
  });

  test('an expired token of another issuer is invalid, not expired', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(await outcome(token(header(), { ...claims(), exp: 1 }, privateKey))).toBe('401 invalid_token');
  });

  test('a payload that is no object is refused', async () => {
    for (const body of ['[]', '"text"', 'null', '1', '{'])
      expect(await outcome(token(header(), body))).toBe('401 invalid_token');
  });
});

describe('header', () => {
  test.each<[what: string, change: Json]>([
    ['type JWT', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
    ['type id_token', { typ: 'id_token+jwt' }],
    ['type in another case', { typ: 'AT+JWT' }],
    ['type with its media prefix', { typ: 'application/at+jwt' }],
    ['algorithm none', { alg: 'none' }],
    ['algorithm NONE', { alg: 'NONE' }],
    ['no algorithm', { alg: undefined }],
    ['algorithm ES384', { alg: 'ES384' }],
    ['algorithm RS256', { alg: 'RS256' }],
    ['algorithm EdDSA for an EC key', { alg: 'EdDSA' }],
    ['algorithm HS256', { alg: 'HS256' }],
    ['algorithm as a list', { alg: ['ES256'] }],
    ['an unknown kid', { kid: 'unknown' }],
    ['no kid', { kid: undefined }],
    ['a kid that is a path', { kid: '../../../../dev/null' }],
    ['a kid that is SQL', { kid: `' OR '1'='1` }],
    ['a kid that is an object', { kid: { $ne: null } }],
    ['a kid of the prototype', { kid: '__proto__' }],
    ['a kid with U+0000', { kid: 'a\u0000' }],
    ['a key set elsewhere', { jku: 'http://127.0.0.1:1/jwks.json' }],
    ['a certificate elsewhere', { x5u: 'http://127.0.0.1:1/x.pem' }],
    ['a critical extension', { crit: ['exp'] }],
    ['an unencoded payload', { b64: false, crit: ['b64'] }],
    ['a content type', { cty: 'JWT' }],
    ['compression', { zip: 'DEF' }],
  ])('%s: refused', async (_, change) => {
    expect(await outcome(token({ ...header(), ...change }, claims()))).toBe('401 invalid_token');
  });

  test("a key in the token's header is not used", async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = publicKey.export({ format: 'jwk' });
    expect(await outcome(token({ ...header(), jwk }, claims(), privateKey))).toBe('401 invalid_token');
    expect(
      await outcome(token({ alg: 'ES256', typ: 'at+jwt', kid: 'mine', jwk }, claims(), privateKey)),
    ).toBe('401 invalid_token');
    expect(await outcome(token(header(), claims(), privateKey))).toBe('401 invalid_token');
  });

  test('HS256 with the public key as a secret is refused', async () => {
    const published = await (await fetch(server.url + JWKS)).text();
    const pem = createPublicPem();
    for (const secret of [published, pem, pem.trim(), JSON.stringify(publicJwk), String(publicJwk['x'])]) {
      const text = `${encode({ ...header(), alg: 'HS256' })}.${encode(claims())}`;
      expect(await outcome(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`)).toBe(
        '401 invalid_token',
      );
    }
  });

  test('algorithm none without a signature, or with one, is refused', async () => {
    const text = `${encode({ ...header(), alg: 'none' })}.${encode(claims())}`;
    for (const signature of ['', es256(text)])
      expect(await outcome(`${text}.${signature}`)).toBe('401 invalid_token');
  });

  test('a signature of zeros is refused (CVE-2022-21449)', async () => {
    const text = `${encode(header())}.${encode(claims())}`;
    for (const bytes of [Buffer.alloc(64), Buffer.alloc(0), Buffer.alloc(63), Buffer.alloc(65, 1)])
      expect(await outcome(`${text}.${bytes.toString('base64url')}`)).toBe('401 invalid_token');
  });

  test('a DER signature is refused', async () => {
    const text = `${encode(header())}.${encode(claims())}`;
    expect(
      await outcome(
        `${text}.${signBytes('sha256', Buffer.from(text), { key, dsaEncoding: 'der' }).toString('base64url')}`,
      ),
    ).toBe('401 invalid_token');
  });
});

const createPublicPem = (): string => generatePem(publicJwk);
function generatePem(jwk: Json): string {
  const der = Buffer.concat([
    Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex'),
    Buffer.from(String(jwk['x']), 'base64url'),
    Buffer.from(String(jwk['y']), 'base64url'),
  ]);
  return `-----BEGIN PUBLIC KEY-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END PUBLIC KEY-----\n`;
}

describe('spelling', () => {
  const last = (text: string): string => {
    // the last character of a signature of 64 bytes has four unused bits
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return text.slice(0, -1) + (alphabet[alphabet.indexOf(text.slice(-1)) ^ 1] ?? '');
  };

  test.each<[what: string, respell: (text: string) => string]>([
    ['padding', (text) => `${text}=`],
    ['double padding', (text) => `${text}==`],
    ['flipped low bits of the last character', last],
    [
      'a plus for a minus',
      (text) =>
        text.replace(/\.([\w-]+)$/, (_, s: string) => `.${s.replaceAll('-', '+').replaceAll('_', '/')}`) +
        (/[-_][^.]*$/.test(text) ? '' : '+'),
    ],
    ['a fourth part', (text) => `${text}.x`],
    ['an empty fourth part', (text) => `${text}.`],
    ['a leading dot', (text) => `.${text}`],
    ['a truncated signature', (text) => text.slice(0, -4)],
    ['an escaped character', (text) => text.replace('.', '%2E')],
  ])('%s: refused, also when the token is known', async (_, respell) => {
    expect(await outcome(genuine)).toBe('accepted');
    expect(respell(genuine)).not.toBe(genuine);
    expect(await outcome(respell(genuine))).toBe('401 invalid_token');
  });

  test('a revoked token stays revoked however it is spelled', async () => {
    const { access_token: text } = await server.clientTokens();
    await server.post('/api/v1/gateway/auth/token/revoke', { token: text });
    expect(await outcome(text)).toBe('401 revoked_token');
    expect(await outcome(`${text}=`)).toBe('401 invalid_token');
    expect(await outcome(last(text))).toBe('401 invalid_token');
  });

  test('a payload changed by one bit is refused', async () => {
    const [head = '', body = '', signature = ''] = genuine.split('.');
    const bytes = Buffer.from(body, 'base64url');
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    expect(await outcome(`${head}.${bytes.toString('base64url')}.${signature}`)).toBe('401 invalid_token');
  });

  test('a very long token is refused before it is decoded', async () => {
    expect(await outcome(token(header(), { ...claims(), x: 'x'.repeat(8000) }))).toBe('401 invalid_token');
  });
});
