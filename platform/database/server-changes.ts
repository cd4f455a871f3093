// Notices that another PostgreSQL server answers than before: after a failover it may lack commits of the former one,
// so what a process keeps of the database may not be so any more.
import type { ClientBase } from 'pg';

/**
 * No two servers start in the same microsecond, and a database that replaces another has another number. A standby
 * that is promoted stays the same: it goes on with what it has shown.
 */
const SERVER = `SELECT pg_postmaster_start_time() || ' ' || oid AS server FROM pg_database WHERE datname = current_database()`;

export class ServerChanges {
  readonly #listeners = new Set<() => void>();
  #server: string | undefined;

  /** Asks a new connection which server it leads to, before anything else is asked of it. */
  async see(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ server: string }>(SERVER);
    const before = this.#server;
    this.#server = rows[0]?.server;
    if (before === undefined || before === this.#server) return;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Calls back when another server, or the same after a restart, answers for the first time, before any of its
   * answers is used. Returns a function that removes the listener.
   */
  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };
}
