// Asks the server on this machine for a link that opens its console signed in.
import { type Api, member } from './api.ts';

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
