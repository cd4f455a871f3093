// Broadcasts to all processes that a credential is no longer valid, and waits for their acknowledgements, so
// that it is refused everywhere once the caller has its answer
// (docs/reference/gateway.md#end-of-a-credential). A process that does not acknowledge is not waited for
// long: it reads again within two seconds.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Listener } from '../../platform/database/listener.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { isReadOnly } from '../../platform/store-away.ts';
import {
  CREDENTIAL_INVALIDATED,
  type InvalidationKind,
  PROCESSES,
  notifyProcesses,
} from './credential-invalidation.store.ts';

/** Maximum wait for the acknowledgements of other processes. */
const ACK_TIMEOUT_MS = 500;
/** How long other processes have to answer a first `join`. */
const JOIN_TIMEOUT_MS = 250;

export interface Invalidation {
  readonly kind: InvalidationKind;
  readonly id: string;
}

export interface CredentialInvalidation {
  /**
   * Calls the listener at every invalidation, of this process or another, and with `all` where one may have
   * been missed. A listener has to act before it returns: the acknowledgement is sent then. Listeners are
   * called in the order in which they were added. Returns a function that removes the listener.
   */
  onInvalidated(listener: (invalidation: Invalidation) => void): () => void;
  /** Resolves when every process has acknowledged an invalidation that this process has announced. */
  broadcast(invalidation: Invalidation): Promise<void>;
  /**
   * Resolves when the other processes have had time to answer this one's `join`: for a process that has just
   * started.
   */
  joined(): Promise<void>;
  close(): Promise<void>;
}

export interface CredentialInvalidationOptions {
  readonly db: Queryable;
  readonly listen: Listener['listen'];
  readonly log: Logger;
}

interface Wait {
  readonly missing: Set<string>;
  readonly done: () => void;
}

/** Which peers there are, what they have acknowledged, and who waits for them. */
class PeerAcks {
  readonly peers = new Set<string>();
  /** Recent acknowledgements: a peer may acknowledge before the announcing statement has returned. */
  readonly #known = new LRUCache<string, Set<string>>({ max: 1000, ttl: 10_000 });
  readonly #waits = new Map<string, Wait>();

  acknowledge(peer: string, id: string): void {
    this.#known.set(id, (this.#known.get(id) ?? new Set<string>()).add(peer));
    const wait = this.#waits.get(id);
    wait?.missing.delete(peer);
    if (wait?.missing.size === 0) wait.done();
  }

  async wait(id: string): Promise<void> {
    const missing = new Set([...this.peers].filter((peer) => this.#known.get(id)?.has(peer) !== true));
    if (missing.size === 0) return;
    const before = this.#waits.get(id);
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waits.set(id, {
        missing,
        done: () => {
          before?.done();
          resolve();
        },
      });
      timer = setTimeout(resolve, ACK_TIMEOUT_MS);
    });
    clearTimeout(timer);
    this.#waits.delete(id);
    // it has exited or is busy: its next message adds it again
    for (const peer of missing) this.peers.delete(peer);
  }
}

/**
 * Messages between processes: `join`, `present` in answer to it, `ack <id>` of an invalidation, and `leave`.
 */
export async function openCredentialInvalidation({
  db,
  listen,
  log,
}: CredentialInvalidationOptions): Promise<CredentialInvalidation> {
  const me = randomUUID();
  const peerAcks = new PeerAcks();
  const listeners = new Set<(invalidation: Invalidation) => void>();
  const notify = (invalidation: Invalidation): void => {
    for (const listener of listeners) listener(invalidation);
  };
  const send = (word: 'join' | 'present' | 'ack' | 'leave', id = ''): Promise<void> =>
    notifyProcesses(db, `${word} ${me} ${id}`).catch((error: unknown) => {
      // at a standby this process looks by itself (platform/database/listener.ts)
      if (isReadOnly(error)) return;
      log.warn({ err: error }, 'the other processes could not be notified of ended credentials');
    });

  const onMessage = (message: string): void => {
    const [word = '', peer = '', id = ''] = message.split(' ');
    if (peer === me) return;
    if (word === 'leave') peerAcks.peers.delete(peer);
    else peerAcks.peers.add(peer);
    if (word === 'join') void send('present');
    if (word === 'ack') peerAcks.acknowledge(peer, id);
  };
  const onInvalidation = (message: string): void => {
    const [kind = '', id = ''] = message.split(' ');
    notify({ kind: kind === 'key' || kind === 'token' ? kind : 'all', id });
    if (peerAcks.peers.size > 0) void send('ack', id);
  };
  const invalidateAll = (): void => notify({ kind: 'all', id: '' });

  const stops = [
    await listen(CREDENTIAL_INVALIDATED, onInvalidation, invalidateAll),
    await listen(PROCESSES, onMessage, () => void send('join')),
  ];
  await send('join');

  return {
    onInvalidated(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    broadcast(invalidation) {
      notify(invalidation);
      return peerAcks.wait(invalidation.id);
    },
    joined: () => sleep(JOIN_TIMEOUT_MS),
    async close() {
      for (const stop of stops) await stop();
      await send('leave');
    },
  };
}
