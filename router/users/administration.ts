// Local accounts for the administrative command: opens the store beside a running server, or without one.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { openEndings } from '../endings/endings.ts';
import { createUsers, type Users } from './users.service.ts';
import { createUserStore } from './users.store.ts';

export interface OpenUsersOptions { readonly config: Config; readonly log: Logger }

/** @throws DomainError `component_unavailable` where there is no usable store */
export async function openUsers({ config, log }: OpenUsersOptions): Promise<Users & { close(): Promise<void> }> {
  const database = await openDatabase({
    ...(config.database.url === undefined ? {} : { url: config.database.url }),
    dataDir: config.database.dataDir, binaries: config.database.binaries, applicationName: 'cairn users', poolSize: 2, log,
  });
  const endings = await openEndings({ db: database.pool, listen: database.listen, log });
  const spread = async (id: string): Promise<void> => {
    await endings.introduced(); // this process has only just begun: whom it waits for, it has yet to hear of
    await endings.spread({ kind: 'all', id });
  };
  return {
    ...createUsers(createUserStore(database.pool), spread),
    async close() {
      await endings.close();
      await database.close();
    },
  };
}
