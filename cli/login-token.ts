// Provides the access token of a sign-in and refreshes it before it expires.
import { request as send } from 'undici';
import { changeLogin, findLogin, type Login } from './credentials.ts';
import { Failure } from './failure.ts';
import type { Through } from './own-certificate.ts';
import type { Session } from './session.ts';

/** How long before its expiry a token is refreshed, in milliseconds. */
const AHEAD = 30_000;

/** Converts the token endpoint's response to a login. @throws Failure for an invalid response */
export function loginOf(answer: unknown): Login {
  const {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: seconds,
  } = (answer ?? {}) as Record<string, unknown>; // checked below
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string' || typeof seconds !== 'number')
    throw new Failure("the server's answer contains no tokens");
  return { accessToken, refreshToken, expiresAt: Date.now() + seconds * 1000, actor: actorOf(accessToken) };
}

/** Returns the actor that a token names. It is only displayed, so the token is not verified. */
function actorOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
    sub?: unknown;
  }; // the platform's own token
  return typeof claims.sub === 'string' ? claims.sub : 'unknown';
}

type Server = Through & { readonly url: string };

const isFresh = (login: Login): boolean => login.expiresAt - AHEAD > Date.now();

async function refreshed({ url, through }: Server, login: Login): Promise<Login | undefined> {
  const { statusCode, body } = await send(`${url}/api/v1/gateway/auth/token/refresh`, {
    ...through,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'refresh_token',
      refresh_token: login.refreshToken,
      client_id: 'cli',
    }),
  });
  if (statusCode === 200) return loginOf(await body.json());
  await body.dump();
  if (statusCode === 400 || statusCode === 401) return undefined;
  throw new Failure(`the sign-in at ${url} could not be refreshed (status ${statusCode})`, {
    status: statusCode,
    url,
  });
}

/** Returns a function that resolves to a valid token; undefined where nobody is signed in at `url`. */
export function loginToken(session: Session, server: Server): (() => Promise<string>) | undefined {
  const { url } = server;
  let login = findLogin(session, url);
  if (login === undefined) return undefined;
  let refreshing: Promise<string> | undefined;
  const refresh = async (): Promise<string> => {
    login = await changeLogin(session, url, async (held) =>
      held === undefined || isFresh(held) ? held : refreshed(server, held),
    );
    if (login === undefined)
      throw new Failure(`the sign-in at ${url} has expired; run "cairn login" again`, {
        error: 'signed_out',
        url,
      });
    return login.accessToken;
  };
  return () =>
    login !== undefined && isFresh(login)
      ? Promise.resolve(login.accessToken)
      : (refreshing ??= refresh().finally(() => {
          refreshing = undefined;
        }));
}
