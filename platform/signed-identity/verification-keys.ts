// The keys that a component by itself verifies by: those of the shared database, and those of `auth.jwks_url`.
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { DomainError } from '../errors.ts';
import type { KeySet } from '../signing-keys/key-set.ts';

/** Milliseconds between two questions for a key that the published set does not have. */
const COOLDOWN = 1000;

/** @param jwksUrl asked for names that the database does not know */
export function verificationKeys(
  keys: Pick<KeySet, 'verificationKey'>,
  jwksUrl: string | undefined,
): JWTVerifyGetKey {
  const published =
    jwksUrl === undefined ? undefined : createRemoteJWKSet(new URL(jwksUrl), { cooldownDuration: COOLDOWN });
  return async (header, token) => {
    const own = await Promise.resolve(keys.verificationKey(header.kid ?? '')).catch((cause: unknown) => {
      if (published === undefined)
        throw new DomainError(
          'component_unavailable',
          'the store of signing keys does not answer',
          { component: 'store', upstream_status: null },
          { cause },
        );
      return undefined; // the published set may know it
    });
    if (own?.algorithm === header.alg) return own.key; // a key is good for its own algorithm alone
    if (published === undefined) throw new errors.JWKSNoMatchingKey();
    return published(header, token).catch((cause: unknown) => {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys)
        throw cause;
      throw new DomainError(
        'component_unavailable',
        'the keys of auth.jwks_url cannot be read',
        { component: 'gateway', upstream_status: null },
        { cause },
      );
    });
  };
}
