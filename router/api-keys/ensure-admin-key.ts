// The first administrator's key: written to a file on first start, so that there is a way in
// (docs/reference/gateway.md#start).
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pool } from 'pg';
import { inTransaction } from '../../platform/database/transaction.ts';
import { hasAdminKey, insertKey } from './api-keys.store.ts';
import { generateKeyId, generateSecret, hashSecret } from './key-secret.ts';

export const adminKeyFile = (dataDir: string): string => path.resolve(dataDir, 'admin-key');

/** Of several processes that start at once, one makes the key. */
const LOCK = 0x0ca1_0001;

/**
 * Writes `<dataDir>/admin-key` (mode 0600) with a key of `user:admin` where the store has never had an
 * admin's key.
 * The file is complete before the key works, so a crash in between is made good by the next start.
 */
export async function ensureAdminKey(
  pool: Pool,
  dataDir: string,
): Promise<{ readonly file: string; /** Of the key that was made now. */ readonly id: string | null }> {
  const file = adminKeyFile(dataDir);
  return inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const id = (await hasAdminKey(client)) ? null : generateKeyId();
    if (id !== null) {
      const secret = generateSecret();
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
      await chmod(`${file}.new`, 0o600);
      await rename(`${file}.new`, file);
      await insertKey(client, {
        id,
        label: 'first administrator',
        role: 'admin',
        project: null,
        owner: 'user:admin',
        createdBy: 'user:admin',
        expires: null,
        secretHash: hashSecret(secret),
      });
    }
    return { file, id };
  });
}
