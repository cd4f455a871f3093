// Accepts the access tokens of other issuers, with the actor, the roles and the projects that their claims give
// (docs/reference/gateway.md#tokens-of-other-issuers).
import { hash } from 'node:crypto';
import { decodeJwt, errors, type JWTPayload } from 'jose';
import { DomainError } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import { lruCache } from '../../platform/lru-cache.ts';
import { credentialOfIssuer } from '../acting/credential.ts';
import type { Verifier } from '../edge/identity/credentials.ts';
import { identityOf } from '../users/identity-provider.ts';
import { type IssuedToken, KEYS_HOLD_MS, type TokenIssuer } from './token-issuer.ts';

const MAX_TOKENS = 10_000;
/** Milliseconds for which a token that the issuer does not know is refused without asking again. */
const REFUSED_MS = 5000;
/** Our own opaque credentials, and browsers' sessions. */
const OTHERS = /^(?:sk|rt)_| /;

interface Known {
  readonly outcome: Identity | DomainError;
  /** Milliseconds since the epoch until which the outcome counts. */
  readonly until: number;
  /** Likewise, of the token; undefined of one that was refused. */
  readonly expiresAt: number | undefined;
}

type HasLocalAccount = (name: string) => Promise<boolean>;

/** @throws DomainError `invalid_token`, `insufficient_role`, `component_unavailable` */
async function identify(
  { settings }: TokenIssuer,
  { subject, claims }: IssuedToken,
  hasLocalAccount: HasLocalAccount,
): Promise<Identity> {
  const identity = identityOf(claims, settings);
  const isReserved = await hasLocalAccount(identity.actor.slice('user:'.length)).catch((cause: unknown) => {
    throw new DomainError(
      'component_unavailable',
      'the store of accounts does not answer',
      { component: 'gateway', upstream_status: null },
      { cause },
    );
  });
  if (isReserved)
    throw new DomainError('invalid_token', `${identity.actor} is a local account; sign in with its password`);
  return {
    ...identity,
    projects: identity.roles.includes('admin') ? '*' : identity.projects,
    credential: credentialOfIssuer(settings.issuer, subject),
  };
}

export interface IssuerVerifierOptions {
  readonly issuers: readonly TokenIssuer[];
  /** Whether there is a local account of that name, for which the name is reserved. */
  readonly hasLocalAccount: HasLocalAccount;
  /** A token could not be verified, for no fault of its own. */
  readonly onUnavailable?: (fault: DomainError) => void;
  readonly now?: () => number;
}

export interface IssuerVerifier extends Verifier {
  /** Accounts have changed: every token is verified anew. */
  forget(): void;
}

/** What a token says of itself, which nothing has verified. */
function claimsIn(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch (fault) {
    if (fault instanceof errors.JOSEError) return undefined;
    throw fault;
  }
}

const expired = (): DomainError => new DomainError('expired_token', 'the access token has expired');

export function createIssuerVerifier({
  issuers,
  hasLocalAccount,
  onUnavailable,
  now = Date.now,
}: IssuerVerifierOptions): IssuerVerifier {
  const byName = new Map(issuers.map((issuer) => [issuer.settings.issuer, issuer]));
  const ofOpaque = issuers.find(({ settings }) => settings.introspection !== undefined);
  const known = lruCache<Known>(MAX_TOKENS);
  const pending = new Map<string, Promise<Identity>>();
  let era = 0;

  const issuerNamed = ({ iss }: JWTPayload): TokenIssuer | undefined =>
    typeof iss === 'string' ? byName.get(iss.replace(/\/$/, '')) : undefined;

  const verifyAnew = async (token: string, name: string): Promise<Identity> => {
    const startedIn = era;
    const keep = (kept: Known): void => {
      if (startedIn === era) known.set(name, kept);
    };
    const claims = claimsIn(token);
    const issuer = claims === undefined ? ofOpaque : issuerNamed(claims);
    if (issuer === undefined)
      throw new DomainError('invalid_token', 'the token is of no issuer that is known');
    const { clockToleranceSeconds: tolerance, introspection } = issuer.settings;
    // known before anybody is asked: a connection ends with its token also while the issuer is away
    if (claims?.exp !== undefined && (claims.exp + tolerance) * 1000 <= now()) throw expired();
    try {
      const issued = claims === undefined ? await issuer.introspect(token) : await issuer.read(token);
      const outcome = await identify(issuer, issued, hasLocalAccount);
      const holds = claims === undefined ? (introspection?.cacheSeconds ?? 0) * 1000 : KEYS_HOLD_MS;
      const expiresAt = (issued.expiresAt + (claims === undefined ? 0 : tolerance)) * 1000;
      keep({ outcome, until: Math.min(now() + holds, expiresAt), expiresAt });
      return outcome;
    } catch (refusal) {
      if (refusal instanceof DomainError && refusal.status >= 500) onUnavailable?.(refusal);
      else if (claims === undefined && refusal instanceof DomainError)
        keep({ outcome: refusal, until: now() + REFUSED_MS, expiresAt: undefined });
      throw refusal;
    }
  };

  return {
    forget: () => {
      era++;
      known.clear();
      pending.clear();
    },
    recognises(credential) {
      if (OTHERS.test(credential)) return false;
      if (credential.split('.', 4).length !== 3) return ofOpaque !== undefined;
      const claims = claimsIn(credential);
      return claims !== undefined && issuerNamed(claims) !== undefined;
    },
    verify(credential) {
      const name = hash('sha256', credential, 'base64url');
      const found = known.get(name);
      if (found?.expiresAt !== undefined && found.expiresAt <= now()) throw expired();
      if (found !== undefined && now() < found.until) {
        if (found.outcome instanceof DomainError) throw found.outcome;
        return found.outcome;
      }
      let asked = pending.get(name);
      if (asked === undefined) {
        const asking = verifyAnew(credential, name).finally(() => {
          if (pending.get(name) === asking) pending.delete(name);
        });
        pending.set(name, (asked = asking));
      }
      return asked;
    },
  };
}
