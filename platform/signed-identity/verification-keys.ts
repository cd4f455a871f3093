// Finds the keys with which a component that runs on its own verifies tokens: those of the shared database,
// and those of `auth.jwks_url`.
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { DomainError } from '../errors.ts';
import type { KeySet } from '../signing-keys/key-set.ts';

/** Minimum milliseconds between two requests for a key that the published set lacks. */
const COOLDOWN = 1000;

/** @param jwksUrl used for key ids that the database does not have */
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
      return undefined; // the published set may have it
    });
    if (own?.algorithm === header.alg) return own.key; // a key is valid for its own algorithm only
    if (published === undefined) throw new errors.JWKSNoMatchingKey();
    return published(header, token).catch((cause: unknown) => {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys)
        throw cause;
      throw new DomainError(
        'component_unavailable',
        'the keys at auth.jwks_url cannot be read',
        { component: 'gateway', upstream_status: null },
        { cause },
      );
    });
  };
}
