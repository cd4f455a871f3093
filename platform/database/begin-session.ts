// What is asked of a new session first.
import type { ClientBase } from 'pg';
import { SERVER } from './server-changes.ts';
import { applySettings, ARRIVED, type SessionSettings } from './session-options.ts';

export interface BegunSession {
  /** See {@link SERVER}. */
  readonly server: string;
  /** Its process at the server: a pooler gives connections numbers of its own. */
  readonly pid: number;
}

/** Makes the settings where they have not arrived with the connection. */
export async function beginSession(client: ClientBase, settings: SessionSettings): Promise<BegunSession> {
  const { rows } = await client.query<BegunSession & { arrived: string | null }>(
    `SELECT ${SERVER} AS server, pg_backend_pid() AS pid, ${ARRIVED} AS arrived`,
  );
  const [session] = rows;
  if (!session) throw new Error('the session does not say what it is');
  if (session.arrived === null) await applySettings(client, settings);
  return session;
}
