// Whether the database's disk is full, as its server says when it refuses a statement.
import type { ClientBase } from 'pg';

/** SQLSTATE disk_full. */
const DISK_FULL = '53100';
/** Milliseconds for which a refusal counts: writes that go on are refused anew. */
const COUNTS_MS = 5000;

/** What `pg` does not declare of a client. */
interface Answering extends ClientBase {
  readonly connection: {
    on(event: 'errorMessage', listener: (message: { readonly code?: string }) => void): unknown;
  };
}

export class DiskSpace {
  #fullAt = -Infinity;

  /** Listens to the errors of a connection. */
  watch(client: ClientBase): void {
    // Node's and pg's internals: docs/decisions/0071
    (client as Answering).connection.on('errorMessage', ({ code }) => {
      if (code === DISK_FULL) this.#fullAt = performance.now();
    });
  }

  get isFull(): boolean {
    return performance.now() - this.#fullAt < COUNTS_MS;
  }
}
