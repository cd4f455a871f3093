// The deployment's signing keys as one process holds them: read from the store, the same in every process, read again when they change.
import { setTimeout as sleep } from 'node:timers/promises';
import { type CryptoKey, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { Logger } from 'pino';
import type { Listener } from '../database/listener.ts';
import type { Queryable } from '../queryable.ts';
import { listStoredKeys, SIGNING_KEYS_CHANGED, type StoredKey } from './stored-keys.store.ts';

/** Keys are read again every so often, whatever notices were missed. */
const READ_MS = 60_000;
/** Unknown names are looked for in the store at most this often; those that come in between wait for the next look. */
const REREAD_MS = 1000;

export interface VerificationKey {
  readonly key: CryptoKey;
  readonly algorithm: string;
}

export interface KeySet {
  /** A signed token with these claims; undefined where there is no key yet. */
  sign(claims: JWTPayload, type: string): Promise<string | undefined>;
  /** The key of that name; for names not known yet the store is asked, once a second at most. Rejects where it does not answer. */
  verificationKey(kid: string): VerificationKey | undefined | Promise<VerificationKey | undefined>;
  /** The public halves, those that do not sign yet included. */
  jwks(): { readonly keys: readonly JWK[] };
  /** Resolves when what the store has now is known here. */
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

/** Resolves once the keys are read and changes of any process are heard of in this one. */
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
      await reading?.catch(() => undefined); // one that is under way may have begun before the change
      next = undefined;
      await readOnce();
    })());
  const hear = (): void => {
    readAgain().catch((err: unknown) => {
      log.warn({ err }, 'the signing keys could not be read again');
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
