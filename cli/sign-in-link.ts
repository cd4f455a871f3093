// Asks the server on this machine for a link that opens its console signed in.
import { existsSync, readFileSync } from 'node:fs';
import { type Api, apiOf, member } from './api.ts';
import { ApiFailure } from './api-failure.ts';
import { Failure } from './failure.ts';
import { throughOwn } from './own-certificate.ts';
import type { ServerOptions } from './server-process.ts';

export interface SignInLink {
  readonly url: string;
  readonly actor: string;
  /** Seconds for which it is valid. */
  readonly expires_in: number;
}

/** @throws ApiFailure, Failure as {@link Api.call} */
export async function signInLink(api: Api): Promise<SignInLink> {
  const answer = await api.call({ method: 'POST', path: '/api/v1/gateway/auth/sign-in-link' });
  return {
    url: String(member(answer, 'url')),
    actor: String(member(answer, 'actor')),
    expires_in: Number(member(answer, 'expires_in')),
  };
}

/** How the first administrator comes in. */
export interface Entrance {
  /** Opens the console signed in; without one its own address leads to the sign-in. */
  readonly link?: string;
  /** Whether the file has no key, or one that is no longer valid. */
  readonly isKeyGone?: boolean;
}

/** The server serves all the same where this process has no key for a link, or does not get one. */
export async function entranceTo(
  { url, admin_key_file: file }: { readonly url: string; readonly admin_key_file?: string },
  { config, log }: Pick<ServerOptions, 'config' | 'log'>,
): Promise<Entrance> {
  if (config.auth.mode !== 'oauth2' || file === undefined) return {};
  if (!existsSync(file)) return { isKeyGone: true };
  try {
    const key = readFileSync(file, 'utf8').trim();
    return { link: (await signInLink(apiOf({ url, key, ...throughOwn(config) }))).url };
  } catch (fault) {
    if (!(fault instanceof Failure)) throw fault;
    log.debug({ err: fault }, 'there is no link for the first administrator');
    return { isKeyGone: fault instanceof ApiFailure && fault.status === 401 };
  }
}
