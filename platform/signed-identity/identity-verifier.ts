// Tells whom a signed identity names: verified once, then known by its text for as long as it lives.
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../errors.ts';
import type { Identity } from '../identity.ts';
import { identityOf, IDENTITY_SECONDS, IDENTITY_TYPE, SIGNATURE_ALGORITHMS } from './claims.ts';

/** @throws DomainError `invalid_token`, `expired_token`, `component_unavailable` (also as a rejection) */
export type VerifyIdentity = (token: string) => Identity | Promise<Identity>;

export interface IdentityVerifierOptions {
  readonly keys: JWTVerifyGetKey;
  /** The component's own name: an identity that is meant for another one counts for nothing here. */
  readonly audience: string;
  /** `auth.issuer`, where it is configured. */
  readonly issuer?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Seconds by which the clocks of hosts may differ. */
const TOLERANCE = 15;
const MOST = 20_000;
/** Longer than any that is signed, in characters. */
const LONGEST = 60_000;

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
  const known = new LRUCache<string, Known>({ max: MOST });

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
      const identity = identityOf(payload);
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
      if (token.length > LONGEST) throw new DomainError('invalid_token', 'the signed identity is too long');
      return read(token);
    }
    if (one.expiresAt <= now()) throw expired();
    return one.identity;
  };
}
