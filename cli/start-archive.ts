// Archives the write-ahead log of the embedded database beside the servers of `cairn start`, or ends an archive of before.
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import { hasArchiveState } from '../platform/database/embedded/archive-state.ts';
import { Failure } from './failure.ts';
import { entryFunction } from './server-process.ts';
import type { Session } from './session.ts';

type Closing = () => Promise<void>;

/**
 * @returns what starts it, and then what ends it; nothing where `database.archive` is not configured, and was not before
 * @throws Failure for another PostgreSQL than the embedded one
 */
export function archiveStarter(
  session: Session,
  config: Config,
  log: Logger,
): (() => Promise<Closing>) | undefined {
  const { archive: settings, url, dataDir } = config.database;
  // its slot would keep the log until the disk is full
  if (settings === undefined && (url !== undefined || !hasArchiveState(dataDir))) return undefined;
  if (url !== undefined)
    throw new Failure(
      'database.archive is for the embedded PostgreSQL: the one of database.url has point-in-time recovery of its own; remove one of them',
    );
  return async () => {
    const start = await entryFunction<{ close(): Promise<void> }>(
      session,
      'standalone/wal-archive.ts',
      settings === undefined ? 'endWalArchive' : 'startWalArchive',
    );
    const archive = await start({ config, log });
    return () => archive.close();
  };
}
