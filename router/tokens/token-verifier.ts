// Verifies the access token of every request: once by its signature, then by its cached hash until it expires
// or is revoked.
import { hash } from 'node:crypto';
import { lruCache } from '../../platform/lru-cache.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import type { Verifier } from '../edge/identity/credentials.ts';
import { type AccessToken, readAccessToken, type TokenRealm } from './access-token.ts';
import type { Revocations } from './revocations.ts';

const MAX_TOKENS = 50_000;
/** Prefixes of our own opaque credentials; anything else is treated as a token. */
const OTHERS = /^(?:sk|rt)_/;

export interface TokenVerifierOptions {
  readonly realm: TokenRealm;
  readonly revocations: Revocations;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export function createTokenVerifier({ realm, revocations, now = Date.now }: TokenVerifierOptions): Verifier {
  const known = lruCache<AccessToken>(MAX_TOKENS);

  const settle = (token: AccessToken, revoked: boolean): Identity => {
    if (revoked) throw new DomainError('revoked_token', 'the access token has been revoked');
    return token.identity;
  };
  const judge = (token: AccessToken): Identity | Promise<Identity> => {
    if (token.expiresAt * 1000 <= now())
      throw new DomainError('expired_token', 'the access token has expired');
    const verdict = revocations.hold(token.jti, token.family);
    return typeof verdict === 'boolean'
      ? settle(token, verdict)
      : verdict.then((revoked) => settle(token, revoked));
  };
  const verifyAnew = async (text: string, name: string): Promise<Identity> => {
    const token = await readAccessToken(realm, text);
    known.set(name, token);
    return judge(token);
  };

  return {
    recognises: (credential) => !OTHERS.test(credential) && credential.split('.', 4).length === 3,
    verify(credential) {
      const name = hash('sha256', credential, 'base64url');
      const token = known.get(name);
      return token === undefined ? verifyAnew(credential, name) : judge(token);
    },
  };
}
