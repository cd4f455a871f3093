// Sessions of the owner, each for one piece of work.
import pg from 'pg';
import type { Logger } from 'pino';
import { OWNER } from './roles.ts';
import { beginSession } from './begin-session.ts';
import { type SessionSettings, withSessionOptions } from './session-options.ts';

/** With the connection check, the server stops a statement within a second after its client disconnects. */
const ownerSessionOf = (steady: SessionSettings): SessionSettings => ({
  role: OWNER,
  ...steady,
  statement_timeout: '1h',
  client_connection_check_interval: '1s',
});

/** Runs `work` in a session of its own, as the owner. */
export type AsOwner = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;

interface OwnerSessions {
  readonly run: AsOwner;
  /** Ends all sessions. Work in progress fails in its caller. */
  end(): Promise<void>;
}

export function ownerSessions(
  url: string,
  steady: SessionSettings,
  applicationName: string,
  log: Logger,
): OwnerSessions {
  const settings = ownerSessionOf(steady);
  const sessions = new Set<pg.Client>();
  return {
    async run(work) {
      const client = new pg.Client({
        connectionString: withSessionOptions(url, settings),
        application_name: `${applicationName} (owner)`,
        keepAlive: true,
        connectionTimeoutMillis: 15_000,
      });
      client.on('error', (error) => {
        log.warn({ err: error }, 'a database connection of the owner failed');
      });
      sessions.add(client);
      try {
        await client.connect();
        await beginSession(client, settings);
        return await work(client);
      } finally {
        sessions.delete(client);
        await client.end();
      }
    },
    async end() {
      await Promise.all([...sessions].map((client) => client.end().catch(() => undefined)));
    },
  };
}
