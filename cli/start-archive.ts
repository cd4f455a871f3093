// Archives the write-ahead log of the embedded database beside the servers of `cairn start`.
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import { Failure } from './failure.ts';
import { entryFunction } from './server-process.ts';
import type { Session } from './session.ts';

type Closing = () => Promise<void>;

/**
 * @returns what starts it, and then what ends it; nothing where `database.archive` is not configured
 * @throws Failure for another PostgreSQL than the embedded one
 */
export function archiveStarter(
  session: Session,
  config: Config,
  log: Logger,
): (() => Promise<Closing>) | undefined {
  const { archive: settings, url } = config.database;
  if (settings === undefined) return undefined;
  if (url !== undefined)
    throw new Failure(
      'database.archive is for the embedded PostgreSQL: the one of database.url has point-in-time recovery of its own; remove one of them',
    );
  return async () => {
    const start = await entryFunction<{ close(): Promise<void> }>(
      session,
      'standalone/wal-archive.ts',
      'startWalArchive',
    );
    const archive = await start({ config, log });
    return () => archive.close();
  };
}
