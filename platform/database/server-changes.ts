// Notices that another PostgreSQL server answers than before: after a failover it may lack commits of the former one,
// so what a process keeps of the database may not be so any more.

/**
 * No two servers start in the same microsecond, and a database that replaces another has another number. A standby
 * that is promoted stays the same: it goes on with what it has shown.
 */
export const SERVER = `(SELECT pg_postmaster_start_time() || ' ' || oid FROM pg_database WHERE datname = current_database())`;

export class ServerChanges {
  readonly #listeners = new Set<() => void>();
  #server: string | undefined;

  /** To be told of each new connection, before anything else is asked of it. @param server as by {@link SERVER} */
  see(server: string): void {
    const before = this.#server;
    this.#server = server;
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
