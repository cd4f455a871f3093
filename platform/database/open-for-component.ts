// The database of a component that runs by itself: its own `database.url`, or the embedded server of its data directory, shared.
import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import type { Database } from './connect.ts';
import { openDatabase } from './open.ts';

/** Several components, and several of one, may share a database: none of them claims it. */
export const openForComponent = (name: string, config: Config, log: Logger, signal?: AbortSignal): Promise<Database> => openDatabase({
  ...(config.database.url === undefined ? {} : { url: config.database.url }),
  dataDir: config.database.dataDir, applicationName: `cairn ${name}`, waitMs: config.database.waitSeconds * 1000, signal, log,
});
