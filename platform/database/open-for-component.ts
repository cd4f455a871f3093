// The store of a component that runs by itself: its own `database.url`, or the embedded server of its data directory, shared.
import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import { type KeySet, openKeySet } from '../signing-keys/key-set.ts';
import type { Database } from './connect.ts';
import { openDatabase } from './open.ts';

export interface ComponentStore {
  readonly database: Database;
  /** The deployment's keys, by which callers are verified and this component's own questions are signed. */
  readonly keys: KeySet;
}

/** Several components, and several of one, may share a database: none of them claims it. */
export async function openStore(
  name: string,
  config: Config,
  log: Logger,
  signal?: AbortSignal,
): Promise<ComponentStore> {
  const database = await openDatabase({
    ...(config.database.url === undefined ? {} : { url: config.database.url }),
    dataDir: config.database.dataDir,
    binaries: config.database.binaries,
    applicationName: `cairn ${name}`,
    waitMs: config.database.waitSeconds * 1000,
    signal,
    log,
  });
  const keys = await openKeySet({ db: database.pool, listen: database.listen, log }).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  return { database, keys };
}

export async function closeStore({ database, keys }: ComponentStore): Promise<void> {
  await keys.close();
  await database.close();
}
