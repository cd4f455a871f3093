// Pools whose connections have their settings, and are watched.
import pg from 'pg';
import type { Logger } from 'pino';
import { RepeatedFaults } from '../repeated-faults.ts';
import { beginSession } from './begin-session.ts';
import type { DiskSpace } from './disk-space.ts';
import { paceResults } from './paced-results.ts';
import type { ServerChanges } from './server-changes.ts';
import type { SessionSettings } from './session-options.ts';
import type { SilentConnections } from './silent-connections.ts';

/** A busy connection is replaced after this time, so that a server that has come back gets its share again. */
const MAX_AGE_SECONDS = 3600;

interface PoolWatch {
  /** Made by statement where a pooler has dropped them. */
  readonly settings: SessionSettings;
  /** Gets a promise for each connection, which resolves when the connection has closed. */
  readonly open: Set<Promise<unknown>>;
  readonly silent: SilentConnections;
  readonly servers: ServerChanges;
  readonly space: DiskSpace;
  readonly log: Logger;
}

export function openPool(
  options: pg.PoolConfig,
  { settings, open, silent, servers, space, log }: PoolWatch,
): pg.Pool {
  const begin = async (client: pg.ClientBase): Promise<void> => {
    const { server, pid } = await beginSession(client, settings);
    silent.identify(client, pid);
    servers.see(server);
  };
  const made = new pg.Pool({
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: MAX_AGE_SECONDS,
    keepAlive: true,
    verify(client, done) {
      begin(client).then(() => {
        done();
      }, done);
    },
    ...options,
  });
  // a server that goes away fails all of them at once
  const faults = new RepeatedFaults(log);
  made.on('error', (error) => {
    faults.warn(error, 'an idle database connection failed');
  });
  // The pool removes its error listener while a connection is in use. Without this listener, losing the
  // connection between two queries would end the process.
  made.on('connect', (client) => {
    client.on('error', (error) => {
      faults.warn(error, 'a database connection failed');
    });
    silent.watch(client);
    space.watch(client);
    paceResults(client);
    const ended = new Promise<void>((resolve) => {
      client.once('end', () => {
        open.delete(ended);
        resolve();
      });
    });
    open.add(ended);
  });
  return made;
}
