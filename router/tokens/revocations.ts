// The revoked tokens, in memory: at most two seconds behind the store, and updated by notifications.
import type { Logger } from 'pino';
import { DomainError } from '../../platform/errors.ts';

/** Milliseconds for which the list is valid; and after which it is refreshed while it is still valid. */
const HOLDS = 2000;
const REFRESH_AFTER = 1000;

export interface Revocations {
  /**
   * Whether any of the ids has been revoked; synchronous while the list is valid. Rejects with DomainError
   * `component_unavailable`.
   */
  hold(...ids: readonly string[]): boolean | Promise<boolean>;
  /** Adds an id that is being revoked, before the store reports it. */
  add(id: string): void;
  /** Marks the list as possibly outdated: it is read again before the next answer. */
  invalidate(): void;
}

export interface RevocationsOptions {
  readonly list: () => Promise<readonly string[]>;
  readonly log: Logger;
  readonly now?: () => number;
}

export function createRevocations({
  list,
  log,
  now = () => performance.now(),
}: RevocationsOptions): Revocations {
  let revoked = new Set<string>();
  /** Revocations announced since the current read began, which it may not include. */
  let heard: string[] = [];
  let readAt = -Infinity;
  let era = 0;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const startedAt = now();
    const startedIn = era;
    heard = [];
    const ids = await list().catch((cause: unknown) => {
      throw new DomainError(
        'component_unavailable',
        'the store of revocations does not answer',
        { component: 'gateway', upstream_status: null },
        { cause },
      );
    });
    revoked = new Set([...ids, ...heard]);
    if (era === startedIn) readAt = startedAt;
  };
  const readOnce = (): Promise<void> =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));
  const readFresh = async (): Promise<void> => {
    await readOnce();
    if (now() - readAt >= HOLDS) await readOnce(); // the current read began before the list was invalidated
  };
  const known = (ids: readonly string[]): boolean => ids.some((id) => revoked.has(id));

  return {
    hold(...ids) {
      const age = now() - readAt;
      if (age >= HOLDS) return readFresh().then(() => known(ids));
      if (age >= REFRESH_AFTER && reading === undefined)
        readOnce().catch((error: unknown) =>
          log.warn({ err: error }, 'the revocations could not be reloaded'),
        );
      return known(ids);
    },
    add(id) {
      revoked.add(id);
      if (reading !== undefined) heard.push(id);
    },
    invalidate() {
      era++;
      readAt = -Infinity;
    },
  };
}
