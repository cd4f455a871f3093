// Verifies signed identities. A verified token is cached until it expires.
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { lruCache } from '../lru-cache.ts';
import { DomainError } from '../errors.ts';
import type { Identity } from '../identity.ts';
import { identityOfClaims, IDENTITY_SECONDS, IDENTITY_TYPE, SIGNATURE_ALGORITHMS } from './claims.ts';

/** @throws DomainError `invalid_token`, `expired_token`, `component_unavailable` (also as a rejection) */
export type VerifyIdentity = (token: string) => Identity | Promise<Identity>;

export interface IdentityVerifierOptions {
  readonly keys: JWTVerifyGetKey;
  /** The component's own name: an identity with another audience is rejected. */
  readonly audience: string;
  /** `auth.issuer`, where it is configured. */
  readonly issuer?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Tolerated clock difference between hosts, in seconds. */
const TOLERANCE = 15;
const MAX_REMEMBERED = 20_000;
/** Maximum length of a token in characters; more than any token that is issued. */
const MAX_TOKEN_LENGTH = 60_000;

interface Known {
  readonly identity: Identity;
  readonly expiresAt: number;
}

const expired = (cause?: unknown): DomainError =>
  new DomainError('expired_token', 'the signed identity has expired', {}, { cause });

export function createIdentityVerifier({
  keys,
  audience,
  issuer,
  now = Date.now,
}: IdentityVerifierOptions): VerifyIdentity {
  const known = lruCache<Known>(MAX_REMEMBERED);

  const read = async (token: string): Promise<Identity> => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        audience,
        algorithms: SIGNATURE_ALGORITHMS,
        typ: IDENTITY_TYPE,
        requiredClaims: ['exp', 'iat', 'sub'],
        maxTokenAge: IDENTITY_SECONDS,
        clockTolerance: TOLERANCE,
        currentDate: new Date(now()),
        ...(issuer === undefined ? {} : { issuer }),
      });
      const identity = identityOfClaims(payload);
      known.set(token, { identity, expiresAt: ((payload.exp ?? 0) + TOLERANCE) * 1000 });
      return identity;
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) throw expired(cause);
      if (cause instanceof errors.JOSEError)
        throw new DomainError('invalid_token', 'the signed identity is not valid', {}, { cause });
      throw cause;
    }
  };

  return (token) => {
    const one = known.get(token);
    if (one === undefined) {
      if (token.length > MAX_TOKEN_LENGTH)
        throw new DomainError('invalid_token', 'the signed identity is too long');
      return read(token);
    }
    if (one.expiresAt <= now()) throw expired();
    return one.identity;
  };
}
