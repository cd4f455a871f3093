// Signs the caller's identity for the component that is called. A token is cached for half a minute per
// identity and component.
import { lruCache } from '../lru-cache.ts';
import type { Identity } from '../identity.ts';
import type { KeySet } from '../signing-keys/key-set.ts';
import { claimsOf, IDENTITY_SECONDS, IDENTITY_TYPE } from './claims.ts';

/** Returns a signed identity for the component; undefined where the deployment has no key yet. */
export type SignIdentity = (
  identity: Identity,
  audience: string,
) => string | undefined | Promise<string | undefined>;

export interface IdentitySignerOptions {
  readonly keys: Pick<KeySet, 'sign'>;
  /** `iss`; called only once the server listens. */
  readonly issuer: () => string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/**
 * How long a token is reused, in milliseconds: half of its lifetime, so that it remains valid for at least
 * the other half.
 */
const RENEW_MS = IDENTITY_SECONDS * 500;
const MAX_REMEMBERED = 20_000;

interface Signed {
  readonly token: string;
  readonly renewAt: number;
}

const nameOf = (
  { actor, roles, projects, credential = '', cause = '', isExact = false }: Identity,
  audience: string,
): string => JSON.stringify([audience, actor, roles, projects, credential, cause, isExact]);

/** Signs nothing; for deployments without keys that a component could verify. */
export const signNobody: SignIdentity = () => undefined;

export function createIdentitySigner({ keys, issuer, now = Date.now }: IdentitySignerOptions): SignIdentity {
  const known = lruCache<Signed>(MAX_REMEMBERED);
  const signing = new Map<string, Promise<string | undefined>>();

  const sign = async (identity: Identity, audience: string, name: string): Promise<string | undefined> => {
    const at = now();
    const issuedAt = Math.floor(at / 1000);
    const token = await keys.sign(
      {
        ...claimsOf(identity),
        iss: issuer(),
        aud: audience,
        iat: issuedAt,
        exp: issuedAt + IDENTITY_SECONDS,
      },
      IDENTITY_TYPE,
    );
    if (token !== undefined) known.set(name, { token, renewAt: at + RENEW_MS });
    return token;
  };

  return (identity, audience) => {
    const name = nameOf(identity, audience);
    const signed = known.get(name);
    if (signed !== undefined && now() < signed.renewAt) return signed.token;
    let pending = signing.get(name);
    if (pending === undefined) {
      pending = sign(identity, audience, name).finally(() => {
        signing.delete(name);
      });
      signing.set(name, pending);
    }
    return pending;
  };
}
