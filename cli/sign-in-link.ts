// Asks the server on this machine for a link that opens its console signed in.
import { existsSync, readFileSync } from 'node:fs';
import { type Api, apiOf, member } from './api.ts';
import { ApiFailure } from './api-failure.ts';
import { askGraphql } from './graphql.ts';
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

type Served = { readonly url: string; readonly admin_key_file?: string };
type Asking = Pick<ServerOptions, 'config' | 'log'>;

/** The server serves all the same where this process has no key for a link, or does not get one. */
export const entranceTo = (served: Served, asking: Asking): Promise<Entrance> =>
  asking.config.auth.mode === 'oauth2'
    ? asked(served, asking, async (api) => ({ link: (await signInLink(api)).url }))
    : Promise.resolve({});

/** Only whether the first administrator's key is valid: programs are not led into the console. */
export const keyOf = (served: Served, asking: Asking): Promise<Entrance> =>
  asked(served, asking, async (api) => {
    await askGraphql(api, '{ me { actor } }');
    return {};
  });

async function asked(
  { url, admin_key_file: file }: Served,
  { config, log }: Asking,
  ask: (api: Api) => Promise<Entrance>,
): Promise<Entrance> {
  if (config.auth.mode === 'disabled' || file === undefined) return {};
  if (!existsSync(file)) return { isKeyGone: true };
  try {
    const key = readFileSync(file, 'utf8').trim();
    return await ask(apiOf({ url, key, ...throughOwn(config) }));
  } catch (fault) {
    if (!(fault instanceof Failure)) throw fault;
    log.debug({ err: fault }, 'the first administrator is not known to the server');
    return { isKeyGone: fault instanceof ApiFailure && fault.status === 401 };
  }
}
