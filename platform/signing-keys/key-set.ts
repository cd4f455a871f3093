// Holds the deployment's signing keys in one process. They are read from the store, are the same in every
// process, and are read again when they change.
import { setTimeout as sleep } from 'node:timers/promises';
import { type CryptoKey, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { Logger } from 'pino';
import type { Listener } from '../database/listener.ts';
import type { Queryable } from '../queryable.ts';
import { listStoredKeys, SIGNING_KEYS_CHANGED, type StoredKey } from './stored-keys.store.ts';

/** Interval of reading the keys again, in case a notification was missed. */
const READ_MS = 60_000;
/** Minimum interval between lookups of unknown key ids; lookups in between wait for the next one. */
const REREAD_MS = 1000;

export interface VerificationKey {
  readonly key: CryptoKey;
  readonly algorithm: string;
}

export interface KeySet {
  /** Returns a signed token with these claims; undefined where there is no key yet. */
  sign(claims: JWTPayload, type: string): Promise<string | undefined>;
  /**
   * Returns the key with this id. An unknown id is looked up in the store, at most once a second. Rejects
   * where the store does not respond.
   */
  verificationKey(kid: string): VerificationKey | undefined | Promise<VerificationKey | undefined>;
  /** Returns the public keys, including those that do not sign yet. */
  jwks(): { readonly keys: readonly JWK[] };
  /** Resolves when the store's current keys have been read. */
  readAgain(): Promise<void>;
  close(): Promise<void>;
}

export interface KeySetOptions {
  readonly db: Queryable;
  readonly listen: Listener['listen'];
  readonly log: Logger;
}

interface Held extends VerificationKey {
  readonly kid: string;
  readonly jwk: JWK;
  readonly signingKey: CryptoKey | undefined;
  readonly activeAt: number;
}

async function hold(stored: StoredKey): Promise<Held> {
  const algorithm = stored.publicJwk.alg ?? '';
  const key = await importJWK(stored.publicJwk, algorithm);
  const signingKey = stored.privateJwk === null ? undefined : await importJWK(stored.privateJwk, algorithm);
  if (key instanceof Uint8Array || signingKey instanceof Uint8Array)
    throw new Error(`signing key ${stored.kid} is symmetric`);
  return {
    kid: stored.kid,
    key,
    algorithm,
    jwk: stored.publicJwk,
    signingKey,
    activeAt: performance.now() + stored.activeInMs,
  };
}

/** Reads the keys and subscribes to changes; resolves when both are done. */
export async function openKeySet({ db, listen, log }: KeySetOptions): Promise<KeySet> {
  let held: readonly Held[] = [];
  let byKid = new Map<string, Held>();
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const startedAt = performance.now();
    held = await Promise.all((await listStoredKeys(db)).map(hold));
    byKid = new Map(held.map((key) => [key.kid, key]));
    readAt = startedAt;
  };
  const readOnce = (): Promise<void> =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));
  let next: Promise<void> | undefined;
  const readAgain = (): Promise<void> =>
    (next ??= (async () => {
      await reading?.catch(() => undefined); // a read in progress may have begun before the change
      next = undefined;
      await readOnce();
    })());
  const hear = (): void => {
    readAgain().catch((err: unknown) => {
      log.warn({ err }, 'the signing keys could not be reloaded');
    });
  };
  let looking: Promise<void> | undefined;
  const lookSoon = (): Promise<void> =>
    (looking ??= sleep(Math.max(0, readAt + REREAD_MS - performance.now()))
      .then(readOnce)
      .finally(() => {
        looking = undefined;
      }));

  const unlisten = await listen(SIGNING_KEYS_CHANGED, hear, hear);
  await readOnce();
  const timer = setInterval(hear, READ_MS).unref();

  return {
    async sign(claims, type) {
      const now = performance.now();
      const signer = held.find((key) => key.signingKey !== undefined && key.activeAt <= now);
      if (signer?.signingKey === undefined) return undefined;
      return new SignJWT(claims)
        .setProtectedHeader({ alg: signer.algorithm, typ: type, kid: signer.kid })
        .sign(signer.signingKey);
    },
    verificationKey(kid) {
      return byKid.get(kid) ?? lookSoon().then(() => byKid.get(kid));
    },
    jwks: () => ({ keys: held.map((key) => key.jwk) }),
    readAgain,
    async close() {
      clearInterval(timer);
      await unlisten();
    },
  };
}
