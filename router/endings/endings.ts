// Tells all processes that a credential has ended, and waits until each has heard: "at once in every process" (contract 1.4) is then
// true for whoever got the answer. A process that is not heard from is not waited for long: it reads again within two seconds.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Listener } from '../../platform/database/listener.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { CREDENTIAL_ENDED, type EndingKind, PROCESSES, sayToProcesses } from './endings.store.ts';

/** Longest wait for the others, in milliseconds; and the time that others are given to answer a first `hello`. */
const PATIENCE = 500;
const INTRODUCTION = 250;

export interface Ending {
  readonly kind: EndingKind;
  readonly id: string;
}

export interface Endings {
  /**
   * Called at each end, here or in another process, and with `all` where one may have been missed. Whoever listens has to act before
   * it returns: the others are told then. Listeners are called in the order in which they came. Answers the way to stop.
   */
  onEnded(listener: (ending: Ending) => void): () => void;
  /** Resolves when an end that this process has announced is known in every process. */
  spread(ending: Ending): Promise<void>;
  /** Resolves when the processes that there are have had time to make themselves known: for one that has just begun. */
  introduced(): Promise<void>;
  close(): Promise<void>;
}

export interface EndingsOptions {
  readonly db: Queryable;
  readonly listen: Listener['listen'];
  readonly log: Logger;
}

interface Wait {
  readonly missing: Set<string>;
  readonly done: () => void;
}

/** What processes have said of ends, and who is waited for. */
class Hearsay {
  readonly peers = new Set<string>();
  /** Who has said to know of what lately: a peer may be faster than the statement's own answer. */
  readonly #known = new LRUCache<string, Set<string>>({ max: 1000, ttl: 10_000 });
  readonly #waits = new Map<string, Wait>();

  knows(peer: string, id: string): void {
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
      timer = setTimeout(resolve, PATIENCE);
    });
    clearTimeout(timer);
    this.#waits.delete(id);
    for (const peer of missing) this.peers.delete(peer); // gone, or busy: what it says next brings it back
  }
}

/** Processes know each other by what they say: `hello`, `here` in answer to it, `has <id>` when they know of an end, `bye`. */
export async function openEndings({ db, listen, log }: EndingsOptions): Promise<Endings> {
  const me = randomUUID();
  const hearsay = new Hearsay();
  const listeners = new Set<(ending: Ending) => void>();
  const tell = (ending: Ending): void => {
    for (const listener of listeners) listener(ending);
  };
  const say = (word: 'hello' | 'here' | 'has' | 'bye', id = ''): Promise<void> =>
    sayToProcesses(db, `${word} ${me} ${id}`).catch((error: unknown) =>
      log.warn({ err: error }, 'the other processes could not be told'),
    );

  const hear = (message: string): void => {
    const [word = '', peer = '', id = ''] = message.split(' ');
    if (peer === me) return;
    if (word === 'bye') hearsay.peers.delete(peer);
    else hearsay.peers.add(peer);
    if (word === 'hello') void say('here');
    if (word === 'has') hearsay.knows(peer, id);
  };
  const hearEnded = (message: string): void => {
    const [kind = '', id = ''] = message.split(' ');
    tell({ kind: kind === 'key' || kind === 'token' ? kind : 'all', id });
    if (hearsay.peers.size > 0) void say('has', id);
  };
  const doubt = (): void => tell({ kind: 'all', id: '' });

  const stops = [
    await listen(CREDENTIAL_ENDED, hearEnded, doubt),
    await listen(PROCESSES, hear, () => void say('hello')),
  ];
  await say('hello');

  return {
    onEnded(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    spread(ending) {
      tell(ending);
      return hearsay.wait(ending.id);
    },
    introduced: () => sleep(INTRODUCTION),
    async close() {
      for (const stop of stops) await stop();
      await say('bye');
    },
  };
}
