// Maintains `last_used_at` with a precision of one minute, without a write per request
// (docs/reference/gateway.md#api-keys).
import type { Logger } from 'pino';
import type { Queryable } from '../../platform/queryable.ts';
import { isReadOnly } from '../../platform/store-away.ts';
import { touchKeys } from './api-keys.store.ts';

/** Minimum milliseconds between two written uses. */
const MINUTE = 60_000;
/** Milliseconds for which uses are collected before a write. */
const DELAY = 500;
const MAX_KEYS = 100_000;

export interface KeyUses {
  /** Returns at once. `at` in milliseconds since the epoch. */
  note(id: string, at: number): void;
  /** Waits until all recorded uses are written; a failure is logged and retried with the next use. */
  flush(): Promise<void>;
}

export function createKeyUses(db: Queryable, log: Logger): KeyUses {
  const noted = new Map<string, number>();
  let pending = new Map<string, Date>();
  let timer: NodeJS.Timeout | undefined;

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const uses = pending;
    pending = new Map();
    try {
      await touchKeys(db, uses);
    } catch (error) {
      if (isReadOnly(error)) return; // a standby notes none, and is asked again by the next use after a minute
      for (const id of uses.keys()) noted.delete(id);
      log.warn({ err: error }, 'the times of last use of API keys could not be stored');
    }
  };

  return {
    note(id, at) {
      const last = noted.get(id);
      if (last !== undefined && at - last < MINUTE) return;
      if (noted.size >= MAX_KEYS) noted.clear();
      noted.set(id, at);
      pending.set(id, new Date(at));
      timer ??= setTimeout(() => void flush(), DELAY).unref();
    },
    flush,
  };
}
