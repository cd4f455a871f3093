// The platform with clients and an account, and helpers that obtain its tokens.
import { decodeJwt } from 'jose';
import { createUsers, type Users } from '../../router/users/users.service.ts';
import { createUserStore } from '../../router/users/users.store.ts';
import { Visitor } from '../portal/visitor.ts';
import { type Answer, startServer, type TestServer } from '../testkit/server.ts';

export const TOKEN = '/api/v1/gateway/auth/token';
export const REFRESH = '/api/v1/gateway/auth/token/refresh';
export const REVOKE = '/api/v1/gateway/auth/token/revoke';
export const DEVICE = '/api/v1/gateway/auth/device';
export const AUTHORIZE = '/api/v1/gateway/auth/authorize';
export const JWKS = '/api/v1/gateway/auth/jwks.json';
export const ENTITIES = '/api/v1/metadata/entities';
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export const SECRET = 'a secret: with/odd+characters & more';
export const PASSWORD = 'correct horse battery';
export const CALLBACK = 'http://127.0.0.1:9/callback';

export const CLIENTS = `auth:
  clients:
    - client_id: importer
      secret_env: IMPORTER_SECRET
      grants: [client_credentials]
      roles: [service]
      projects: [alpha, beta]
    - client_id: web
      secret_env: IMPORTER_SECRET
      grants: [authorization_code, refresh_token]
      redirect_uris: ["${CALLBACK}", "https://app.example.org/cb?tenant=1"]
    - client_id: spa
      grants: [authorization_code, refresh_token]
      redirect_uris: ["${CALLBACK}"]
    - client_id: television
      grants: [device_code]
`;

export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
}

export interface OAuthServer extends TestServer {
  readonly users: Users;
  /** A request without credential to an OAuth endpoint. */
  post(
    path: string,
    parameters: Record<string, unknown>,
    options?: { form?: boolean; basic?: readonly [string, string]; key?: string },
  ): Promise<Answer>;
  /** A request with an access token. */
  as(token: string, method?: string, path?: string): Promise<Answer>;
  clientTokens(): Promise<Tokens>;
  /** Tokens of an account, by the device flow. */
  userTokens(name?: string, password?: string): Promise<Tokens>;
}

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

export async function startOAuth({
  config = CLIENTS,
  user = true,
  env = {},
}: { config?: string; user?: boolean; env?: Record<string, string> } = {}): Promise<OAuthServer> {
  const server = await startServer({ config, env: { IMPORTER_SECRET: SECRET, ...env } });
  const users = createUsers(createUserStore(server.database.pool));
  if (user) await users.add({ name: 'ada', password: PASSWORD, roles: ['analyst'], projects: ['alpha'] });

  const post: OAuthServer['post'] = (path, parameters, { form = false, basic, key } = {}) =>
    server.rest('POST', path, {
      key: key ?? null,
      body: form ? new URLSearchParams(parameters as Record<string, string>).toString() : parameters,
      headers: {
        'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
        ...(basic === undefined
          ? {}
          : { authorization: `Basic ${Buffer.from(basic.map(encoded).join(':')).toString('base64')}` }),
      },
    });
  const given = (answer: Answer): Tokens => {
    if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${answer.text}`);
    return answer.body as Tokens;
  };
  return Object.assign(server, {
    users,
    post,
    as: (token: string, method = 'GET', path = ENTITIES) =>
      server.rest(method, path, { key: null, headers: { authorization: `Bearer ${token}` } }),
    clientTokens: async () =>
      given(
        await post(TOKEN, { grant_type: 'client_credentials', client_id: 'importer', client_secret: SECRET }),
      ),
    async userTokens(name = 'ada', password = PASSWORD) {
      const { body: device } = await server.rest('GET', DEVICE, { key: null });
      await approveDevice(new Visitor(server.url), `/device?user_code=${device.user_code}`, name, password);
      return given(await post(TOKEN, { grant_type: DEVICE_GRANT, device_code: device.device_code }));
    },
  });
}

/** Signs in, enters the user code from the URL, and approves. */
export async function approveDevice(
  visitor: Visitor,
  address: string,
  name = 'ada',
  password = PASSWORD,
  decision = 'approve',
): Promise<string> {
  const signIn = await visitor.open(address);
  const entry = signIn.text.includes('action="/portal/sign-in"')
    ? await visitor.signIn(signIn, name, password)
    : signIn;
  const choice = await visitor.submit(entry, '/device', {});
  return (await visitor.submit(choice, '/device/decision', { decision })).text;
}

export const claimsOf = (token: string): Record<string, unknown> => decodeJwt(token);
