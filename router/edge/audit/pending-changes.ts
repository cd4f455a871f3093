// Changes of keys, accounts and clients by requests in progress, until their audit records are written.
import type { AuditChange } from './audit-record.ts';

/**
 * Milliseconds after which a change is recorded without its request: the client had disconnected, and the
 * request was recorded before the change.
 */
const ABANDONED_MS = 60_000;

interface Pending {
  readonly by: string;
  readonly changes: AuditChange[];
  readonly timer: NodeJS.Timeout;
}

export class PendingChanges {
  readonly #pending = new Map<string, Pending>();
  readonly #abandoned: (requestId: string, by: string, changes: readonly AuditChange[]) => void;

  constructor(abandoned: (requestId: string, by: string, changes: readonly AuditChange[]) => void) {
    this.#abandoned = abandoned;
  }

  add(requestId: string, by: string, change: AuditChange): void {
    const known = this.#pending.get(requestId);
    if (known) known.changes.push(change);
    else
      this.#pending.set(requestId, {
        by,
        changes: [change],
        timer: setTimeout(() => {
          this.#giveUp(requestId);
        }, ABANDONED_MS).unref(),
      });
  }

  /** The changes of the request; undefined for most requests. */
  take(requestId: string): readonly AuditChange[] | undefined {
    if (this.#pending.size === 0) return undefined;
    const pending = this.#pending.get(requestId);
    if (pending === undefined) return undefined;
    clearTimeout(pending.timer);
    this.#pending.delete(requestId);
    return pending.changes;
  }

  giveUpAll(): void {
    for (const requestId of [...this.#pending.keys()]) this.#giveUp(requestId);
  }

  #giveUp(requestId: string): void {
    const by = this.#pending.get(requestId)?.by ?? 'anonymous';
    const changes = this.take(requestId);
    if (changes) this.#abandoned(requestId, by, changes);
  }
}
