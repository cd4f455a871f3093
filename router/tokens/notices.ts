// Tells all processes that tokens have ended, and waits until each has heard: "at once in every process" (contract 1.4) is then
// true for whoever got the answer. A process that is not heard from is not waited for long: it reads again within two seconds.
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Listener } from '../../platform/database/listener.ts';
import type { Queryable } from '../../platform/queryable.ts';
import type { Revocations } from './revocations.ts';
import { sayToProcesses, TOKEN_PROCESSES, TOKENS_REVOKED } from './revocations.store.ts';

/** Longest wait for the others, in milliseconds. */
const PATIENCE = 500;

export interface Notices {
  /** Resolves when an id that was revoked here is known in every process. */
  spread(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface NoticesOptions {
  readonly db: Queryable;
  readonly listen: Listener['listen'];
  readonly revocations: Revocations;
  readonly log: Logger;
}

interface Wait { readonly missing: Set<string>; readonly done: () => void }

/** Processes know each other by what they say: `hello`, `here` in answer to it, `has <id>` when they know of a revocation, `bye`. */
export async function openNotices({ db, listen, revocations, log }: NoticesOptions): Promise<Notices> {
  const me = randomUUID();
  const peers = new Set<string>();
  /** Who has said to know of what lately: a peer may be faster than the statement's own answer. */
  const known = new LRUCache<string, Set<string>>({ max: 1000, ttl: 10_000 });
  const waits = new Map<string, Wait>();

  const say = (word: 'hello' | 'here' | 'has' | 'bye', id = ''): Promise<void> =>
    sayToProcesses(db, `${word} ${me} ${id}`).catch((error: unknown) => log.warn({ err: error }, 'the other processes could not be told'));

  const noteKnown = (peer: string, id: string): void => {
    const knowing = known.get(id) ?? new Set();
    known.set(id, knowing.add(peer));
    const wait = waits.get(id);
    wait?.missing.delete(peer);
    if (wait?.missing.size === 0) wait.done();
  };
  const hear = (message: string): void => {
    const [word = '', peer = '', id = ''] = message.split(' ');
    if (peer === me) return;
    if (word === 'bye') peers.delete(peer);
    else peers.add(peer);
    if (word === 'hello') void say('here');
    if (word === 'has') noteKnown(peer, id);
  };
  const hearRevoked = (id: string): void => {
    if (id === '') return revocations.doubt();
    revocations.add(id);
    if (peers.size > 0) void say('has', id);
  };
  const doubt = (): void => revocations.doubt();

  const stops = [await listen(TOKENS_REVOKED, hearRevoked, doubt), await listen(TOKEN_PROCESSES, hear, () => void say('hello'))];
  await say('hello');

  return {
    async spread(id) {
      revocations.add(id);
      const missing = new Set([...peers].filter((peer) => known.get(id)?.has(peer) !== true));
      if (missing.size === 0) return;
      const before = waits.get(id);
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        waits.set(id, { missing, done: () => { before?.done(); resolve(); } });
        timer = setTimeout(resolve, PATIENCE);
      });
      clearTimeout(timer);
      waits.delete(id);
      for (const peer of missing) peers.delete(peer); // gone, or busy: what it says next brings it back
    },
    async close() {
      for (const stop of stops) await stop();
      await say('bye');
    },
  };
}
