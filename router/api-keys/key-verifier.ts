// Identifies the API key of every request from memory, at most two seconds behind the store.
import { hash } from 'node:crypto';
import { lruCache } from '../../platform/lru-cache.ts';
import type { Logger } from 'pino';
import { DomainError } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import { credentialOfKey } from '../acting/credential.ts';
import type { Queryable } from '../../platform/queryable.ts';
import type { Verifier } from '../edge/identity/credentials.ts';
import { findStanding, type KeyStanding } from './api-keys.store.ts';
import { hashSecret, isSound, looksLikeKey } from './key-secret.ts';
import type { KeyUses } from './key-uses.ts';

/** Milliseconds for which a cached key is valid; and after which it is refreshed while it is still valid. */
const HOLDS = 2000;
const REFRESH_AFTER = 1000;
const MAX_KEYS = 50_000;

interface Entry {
  readonly standing: KeyStanding;
  readonly identity: Identity;
  readonly readAt: number;
}

export interface KeyVerifier extends Verifier {
  /** Clears the cache: a key has ended, or notifications may have been missed. */
  forget(): void;
}

const identityOf = ({ id, role, owner, label, projects }: KeyStanding): Identity => ({
  actor: role === 'service' ? `service:${label}` : owner,
  roles: [role],
  projects,
  credential: credentialOfKey(id),
});

export interface KeyVerifierOptions {
  readonly db: Queryable;
  readonly uses: KeyUses;
  readonly log: Logger;
  readonly now?: () => number;
}

export function createKeyVerifier({ db, uses, log, now = Date.now }: KeyVerifierOptions): KeyVerifier {
  const known = lruCache<Entry>(MAX_KEYS);
  const reading = new Map<string, Promise<Entry>>();
  let era = 0;

  const judge = ({ standing, identity }: Entry): Identity => {
    if (standing.revoked) throw new DomainError('revoked_token', 'the API key has been revoked');
    if (standing.expiresAt <= now()) throw new DomainError('expired_token', 'the API key has expired');
    uses.note(standing.id, now());
    return identity;
  };

  /** A key that is read while some key ends may be outdated: it is used once, but not cached. */
  const read = async (secretHash: Buffer, name: string): Promise<Entry> => {
    const readAt = now();
    const startedIn = era;
    const standing = await findStanding(db, secretHash).catch((cause: unknown) => {
      throw new DomainError(
        'component_unavailable',
        'the store of API keys does not answer',
        { component: 'gateway', upstream_status: null },
        { cause },
      );
    });
    if (standing === undefined) {
      known.delete(name);
      throw new DomainError('invalid_token', 'the API key is unknown');
    }
    const entry = { standing, identity: identityOf(standing), readAt };
    if (era === startedIn) known.set(name, entry);
    return entry;
  };
  const readOnce = (secretHash: Buffer, name: string): Promise<Entry> => {
    let pending = reading.get(name);
    if (pending === undefined) {
      pending = read(secretHash, name).finally(() => {
        if (reading.get(name) === pending) reading.delete(name);
      });
      reading.set(name, pending);
    }
    return pending;
  };

  return {
    recognises: looksLikeKey,
    verify(secret) {
      const name = hash('sha256', secret, 'base64');
      const entry = known.get(name);
      const age = entry === undefined ? Infinity : now() - entry.readAt;
      if (entry === undefined && !isSound(secret))
        throw new DomainError('invalid_token', 'the API key is malformed');
      if (entry === undefined || age >= HOLDS) return readOnce(hashSecret(secret), name).then(judge);
      if (age >= REFRESH_AFTER)
        readOnce(hashSecret(secret), name).catch((error: unknown) =>
          log.warn({ err: error }, 'an API key could not be reloaded'),
        );
      return judge(entry);
    },
    forget() {
      era++;
      known.clear();
      reading.clear();
    },
  };
}
