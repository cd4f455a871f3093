// The server of an instance, for a command about all of it.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { type ReachedServer, reachServer } from '../../platform/database/open.ts';
import { givingToOwner } from '../../platform/given-to-owner.ts';

/** The database server of the configuration; what root makes in the folder of the server's account meanwhile is that account's. */
export async function reached(config: Config, log: Logger, claim: boolean): Promise<ReachedServer> {
  const { database } = config;
  const giveToOwner = givingToOwner(config);
  const server = await reachServer({
    ...(database.url === undefined ? {} : { url: database.url }),
    dataDir: database.dataDir,
    binaries: database.binaries,
    applicationName: 'cairn backup',
    log,
    claim,
  });
  return {
    ...server,
    async release() {
      try {
        giveToOwner();
      } finally {
        await server.release();
      }
    },
  };
}
