// Creates and rotates the keys that sign and verify tokens, while all processes run.
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Listener } from '../../../platform/database/listener.ts';
import { isStandby } from '../../../platform/database/standby.ts';
import { type KeySet, openKeySet } from '../../../platform/signing-keys/key-set.ts';
import { insertSigningKey, newestKeyAge, sweepKeys, withKeysLocked } from './signing-keys.store.ts';

/** The `typ` of an access token (RFC 9068). */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
const SIGNING_ALGORITHM = 'ES256';
export const VERIFIED_ALGORITHMS = [SIGNING_ALGORITHM, 'EdDSA'] as const;

/**
 * A scheduled successor is published this long before it signs, so that caches of the key set contain it by
 * then.
 */
const PUBLISHED_AHEAD_S = 600;
/** Keys verify for this long beyond the maximum lifetime of a token, because clocks differ. */
const MARGIN_S = 300;
/** How often the newest key's age is checked. */
const UPKEEP_MS = 60_000;
const DAY_MS = 86_400_000;

export interface Keyring extends KeySet {
  /**
   * Creates a new key that signs from now on, in every process; tokens signed with the others stay valid.
   * Returns its id.
   */
  rotate(): Promise<string>;
  /**
   * The periodic maintenance: creates a successor if the newest key is too old, and removes keys whose tokens
   * have expired.
   */
  upkeep(): Promise<void>;
}

export interface KeyringOptions {
  readonly pool: Pool;
  readonly listen: Listener['listen'];
  readonly log: Logger;
  /** Age at which a key is replaced. */
  readonly rotateAfterDays: number;
  /** Maximum lifetime of a token. */
  readonly tokenSeconds: number;
}

async function generate(): Promise<{ kid: string; publicJwk: JWK; privateJwk: JWK }> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
  const kid = await calculateJwkThumbprint(publicJwk);
  const common = { kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  return { kid, publicJwk: { ...publicJwk, ...common }, privateJwk: { ...privateJwk, ...common } };
}

/** Creates the first key if there is none, and resolves once changes by any process reach this one. */
export async function openKeyring({
  pool,
  listen,
  log,
  rotateAfterDays,
  tokenSeconds,
}: KeyringOptions): Promise<Keyring> {
  const keys = await openKeySet({ db: pool, listen, log });

  const add = async (activeInSeconds: number): Promise<string> => {
    const key = await generate();
    await withKeysLocked(pool, (client) =>
      insertSigningKey(client, { ...key, activeInSeconds, overlapSeconds: tokenSeconds + MARGIN_S }),
    );
    return key.kid;
  };
  const addWhereDue = async (): Promise<void> => {
    const key = await generate();
    const added = await withKeysLocked(pool, async (client) => {
      const age = await newestKeyAge(client);
      if (age !== undefined && age < rotateAfterDays * DAY_MS) return false;
      await insertSigningKey(client, {
        ...key,
        activeInSeconds: age === undefined ? 0 : PUBLISHED_AHEAD_S,
        overlapSeconds: tokenSeconds + MARGIN_S,
      });
      return true;
    });
    if (added) log.info({ kid: key.kid }, 'created a signing key');
  };
  const isDue = async (): Promise<boolean> => {
    const age = await newestKeyAge(pool);
    return age === undefined || age >= rotateAfterDays * DAY_MS;
  };
  const upkeep = async (): Promise<void> => {
    if (!(await isStandby(pool))) {
      if (await isDue()) await addWhereDue();
      await sweepKeys(pool);
    }
    await keys.readAgain();
  };

  await upkeep();
  const timer = setInterval(() => {
    upkeep().catch((error: unknown) => log.warn({ err: error }, 'the signing keys could not be maintained'));
  }, UPKEEP_MS).unref();

  return {
    ...keys,
    async rotate() {
      const kid = await add(0);
      await keys.readAgain();
      return kid;
    },
    upkeep,
    async close() {
      clearInterval(timer);
      await keys.close();
    },
  };
}
