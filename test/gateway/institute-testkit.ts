// An institute's issuer of tokens, in this process: its metadata, keys and introspection, and what it was asked.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Undefined for a claim that is missing. */
export type Claims = { readonly [name in keyof JWTPayload]: JWTPayload[name] | undefined };
type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

export const CLAIMS = `username_claim: preferred_username
      roles: {claim: groups, map: {platform-admins: admin, scientists: analyst}}
      projects: {claim: groups, map: {lab-a: [alpha]}}`;
export const settingsFor = (issuer: string): string => `auth:
  clients:
    - {client_id: importer, secret_env: IMPORTER_SECRET, grants: [client_credentials]}
    - {client_id: other, secret_env: IMPORTER_SECRET, grants: [client_credentials]}
    - {client_id: public, grants: [device_code]}
  issuers:
    - issuer: ${issuer}
      audience: cairn-api
      ${CLAIMS}
      introspection: {client_id: cairn-api, client_secret_env: IMPORTER_SECRET, cache_seconds: 1}
`;

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

export async function startInstitute() {
  const keys = new Map<string, Pair>([['one', await generateKeyPair('ES256')]]);
  const opaque = new Map<string, Claims>();
  const state = { asked: [] as string[], status: 200 };
  const server = createServer((req, res) => {
    void (async () => {
      const body = (await req.toArray()).join('');
      state.asked.push(req.url ?? '');
      res.writeHead(state.status, { 'content-type': 'application/json' });
      if (state.status === 401) return void res.end('{"error": "invalid_client"}');
      res.end(JSON.stringify(await answers[req.url ?? '']?.(body, req.headers.authorization)));
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on TCP.
  const answers: Record<string, (body: string, authorization?: string) => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      jwks_uri: `${issuer}/keys`,
      introspection_endpoint: `${issuer}/introspect`,
    }),
    '/keys': async () => ({
      keys: await Promise.all(
        [...keys].map(async ([kid, { publicKey }]) => ({
          ...(await exportJWK(publicKey)),
          kid,
          alg: 'ES256',
        })),
      ),
    }),
    '/introspect': (body, authorization) => {
      const claims = opaque.get(new URLSearchParams(body).get('token') ?? '');
      const isClient = authorization?.startsWith('Basic ') === true;
      return claims === undefined || !isClient ? { active: false } : { active: true, ...claims };
    },
  };
  const grace = (): JWTPayload => ({
    iss: issuer,
    aud: ['cairn-api', 'account'],
    sub: 'f:1 / 27',
    preferred_username: 'grace',
    groups: ['scientists', 'lab-a'],
    iat: inSeconds(0),
    exp: inSeconds(300),
  });
  return Object.assign(state, {
    issuer,
    keys,
    opaque,
    grace,
    /** A token of grace's, but for the claims and members of the header that are given. */
    async token(claims: Claims = {}, header: Record<string, unknown> = {}, key = keys.get('one')) {
      if (key === undefined) throw new Error('there is no such key');
      const all = JSON.parse(JSON.stringify({ ...grace(), ...claims })) as JWTPayload; // without missing ones
      return new SignJWT(all)
        .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
        .sign(key.privateKey);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
}
