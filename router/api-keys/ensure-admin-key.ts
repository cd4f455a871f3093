// Creates the first administrator's key in a file on the first start (docs/reference/gateway.md#start).
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pool } from 'pg';
import { inTransaction } from '../../platform/database/transaction.ts';
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import { hasAdminKey, insertKey } from './api-keys.store.ts';
import { generateKeyId, generateSecret, hashSecret } from './key-secret.ts';

/** Owns the first key, without an account. */
export const FIRST_ADMINISTRATOR = 'admin';

export const adminKeyFile = (dataDir: string): string => path.resolve(dataDir, 'admin-key');

/**
 * Writes `<dataDir>/admin-key` (mode 0600) with a key of `user:admin` if the store has never had an admin's
 * key. The file is complete before the key works, so the next start recovers from a crash in between.
 */
export async function ensureAdminKey(
  pool: Pool,
  dataDir: string,
): Promise<{ readonly file: string; /** The id of the new key. */ readonly id: string | null }> {
  const file = adminKeyFile(dataDir);
  return inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.adminKey]);
    const id = (await hasAdminKey(client)) ? null : generateKeyId();
    if (id !== null) {
      const secret = generateSecret();
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await rm(`${file}.new`, { force: true });
      await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600, flag: 'wx' });
      await rename(`${file}.new`, file);
      await insertKey(client, {
        id,
        label: 'first administrator',
        role: 'admin',
        project: null,
        owner: `user:${FIRST_ADMINISTRATOR}`,
        createdBy: `user:${FIRST_ADMINISTRATOR}`,
        expires: null,
        secretHash: hashSecret(secret),
      });
    }
    return { file, id };
  });
}
