// The keys that tokens are signed with and verified by: read from the store, the same in every process, replaced while all run.
import { setTimeout as sleep } from 'node:timers/promises';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Listener } from '../../../platform/database/listener.ts';
import { insertKey, listKeys, newestKeyAge, SIGNING_KEYS_CHANGED, type StoredKey, sweepKeys, withKeysLocked } from './signing-keys.store.ts';

/** The `typ` of an access token (RFC 9068). */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
const SIGNING_ALGORITHM = 'ES256';
export const VERIFIED_ALGORITHMS = [SIGNING_ALGORITHM, 'EdDSA'] as const;

/** A scheduled successor is published this long before it signs, so that whoever caches the key set has it by then. */
const PUBLISHED_AHEAD_S = 600;
/** Keys verify for this long beyond the longest life of a token: clocks differ. */
const MARGIN_S = 300;
/** Every so often keys are read again and their age is looked at, whatever notices were missed. */
const UPKEEP_MS = 60_000;
/** Unknown names are looked for in the store at most this often; those that come in between wait for the next look. */
const REREAD_MS = 1000;
const DAY_MS = 86_400_000;

export interface VerificationKey { readonly key: CryptoKey; readonly algorithm: string }

export interface Keyring {
  /** A signed access token with these claims. */
  sign(claims: JWTPayload): Promise<string>;
  /** The key of that name; for names not known yet the store is asked, once a second at most. Rejects where it does not answer. */
  verificationKey(kid: string): VerificationKey | undefined | Promise<VerificationKey | undefined>;
  /** The public halves, those that do not sign yet included. */
  jwks(): { readonly keys: readonly JWK[] };
  /** Makes a new key that signs from now on, in every process; what the others have signed stays valid. Answers its id. */
  rotate(): Promise<string>;
  /** What the clock does every minute: a successor where the newest key is too old, and an end to those whose tokens are gone. */
  upkeep(): Promise<void>;
  close(): Promise<void>;
}

export interface KeyringOptions {
  readonly pool: Pool;
  readonly listen: Listener['listen'];
  readonly log: Logger;
  /** Age at which a key makes way for a new one. */
  readonly rotateAfterDays: number;
  /** Longest life of a token. */
  readonly tokenSeconds: number;
}

interface Held extends VerificationKey { readonly kid: string; readonly jwk: JWK; readonly signingKey: CryptoKey | undefined; readonly activeAt: number }

async function hold(stored: StoredKey): Promise<Held> {
  const algorithm = stored.publicJwk.alg ?? '';
  const key = await importJWK(stored.publicJwk, algorithm);
  const signingKey = stored.privateJwk === null ? undefined : await importJWK(stored.privateJwk, algorithm);
  if (key instanceof Uint8Array || signingKey instanceof Uint8Array) throw new Error(`signing key ${stored.kid} is symmetric`);
  return { kid: stored.kid, key, algorithm, jwk: stored.publicJwk, signingKey, activeAt: performance.now() + stored.activeInMs };
}

async function generate(): Promise<{ kid: string; publicJwk: JWK; privateJwk: JWK }> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
  const kid = await calculateJwkThumbprint(publicJwk);
  const common = { kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  return { kid, publicJwk: { ...publicJwk, ...common }, privateJwk: { ...privateJwk, ...common } };
}

/** Makes the first key where there is none, and resolves once changes of any process are heard of in this one. */
export async function openKeyring({ pool, listen, log, rotateAfterDays, tokenSeconds }: KeyringOptions): Promise<Keyring> {
  let held: readonly Held[] = [];
  let byKid = new Map<string, Held>();
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const startedAt = performance.now();
    held = await Promise.all((await listKeys(pool)).map(hold));
    byKid = new Map(held.map((key) => [key.kid, key]));
    readAt = startedAt;
  };
  const readOnce = (): Promise<void> => (reading ??= read().finally(() => { reading = undefined; }));
  let looking: Promise<void> | undefined;
  const lookSoon = (): Promise<void> => (looking ??= sleep(Math.max(0, readAt + REREAD_MS - performance.now())).then(readOnce).finally(() => { looking = undefined; }));
  const readAgain = (): void => {
    // one that is under way may have begun before the change
    (reading ?? Promise.resolve()).then(readOnce).catch((error: unknown) => log.warn({ err: error }, 'the signing keys could not be read again'));
  };

  const add = async (activeInSeconds: number): Promise<string> => {
    const key = await generate();
    await withKeysLocked(pool, (client) => insertKey(client, { ...key, activeInSeconds, overlapSeconds: tokenSeconds + MARGIN_S }));
    return key.kid;
  };
  const addWhereDue = async (): Promise<void> => {
    const key = await generate();
    const added = await withKeysLocked(pool, async (client) => {
      const age = await newestKeyAge(client);
      if (age !== undefined && age < rotateAfterDays * DAY_MS) return false;
      await insertKey(client, { ...key, activeInSeconds: age === undefined ? 0 : PUBLISHED_AHEAD_S, overlapSeconds: tokenSeconds + MARGIN_S });
      return true;
    });
    if (added) log.info({ kid: key.kid }, 'made a signing key');
  };
  const isDue = async (): Promise<boolean> => {
    const age = await newestKeyAge(pool);
    return age === undefined || age >= rotateAfterDays * DAY_MS;
  };
  const upkeep = async (): Promise<void> => {
    if (await isDue()) await addWhereDue();
    await sweepKeys(pool);
    await readOnce();
  };

  const unlisten = await listen(SIGNING_KEYS_CHANGED, readAgain, readAgain);
  await upkeep();
  const timer = setInterval(() => { upkeep().catch((error: unknown) => log.warn({ err: error }, 'the signing keys could not be looked after')); }, UPKEEP_MS).unref();

  return {
    async sign(claims) {
      const now = performance.now();
      const signer = held.find((key) => key.signingKey !== undefined && key.activeAt <= now);
      if (signer?.signingKey === undefined) throw new Error('there is no key to sign with');
      return new SignJWT(claims).setProtectedHeader({ alg: signer.algorithm, typ: ACCESS_TOKEN_TYPE, kid: signer.kid }).sign(signer.signingKey);
    },
    verificationKey(kid) {
      return byKid.get(kid) ?? lookSoon().then(() => byKid.get(kid));
    },
    jwks: () => ({ keys: held.map((key) => key.jwk) }),
    async rotate() {
      const kid = await add(0);
      await (reading ?? Promise.resolve());
      await readOnce();
      return kid;
    },
    upkeep,
    async close() {
      clearInterval(timer);
      await unlisten();
    },
  };
}
