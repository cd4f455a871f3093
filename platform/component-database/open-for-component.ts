// Opens the store of a component that runs on its own: its own `database.url`, or the shared embedded server
// of its data directory.
import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import { type KeySet, openKeySet } from '../signing-keys/key-set.ts';
import type { Database } from '../database/connect.ts';
import { mayInitialise } from '../database/may-initialise.ts';
import { openDatabase } from '../database/open.ts';

export interface ComponentStore {
  readonly database: Database;
  /** The deployment's keys, which verify callers and sign this component's own requests. */
  readonly keys: KeySet;
}

/** Does not claim the database, because several components, and several instances of one, may share it. */
export async function openComponentStore(
  name: string,
  config: Config,
  log: Logger,
  signal?: AbortSignal,
): Promise<ComponentStore> {
  const database = await openDatabase({
    ...(config.database.url === undefined ? {} : { url: config.database.url }),
    replicas: { urls: config.database.readUrls, maxLagMs: config.database.readMaxLagMs },
    dataDir: config.database.dataDir,
    binaries: config.database.binaries,
    diskReserve: config.database.diskReserve,
    applicationName: `cairn ${name}`,
    waitMs: config.database.waitSeconds * 1000,
    signal,
    log,
    mayInitialise: mayInitialise(config.server.mode),
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
