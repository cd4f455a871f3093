// Keeps `last_used_at` exact to a minute without a write per request (docs/reference/gateway.md#api-keys).
import type { Logger } from 'pino';
import type { Queryable } from '../../platform/queryable.ts';
import { touchKeys } from './api-keys.store.ts';

/** A use within this many milliseconds of the last one written is not written. */
const MINUTE = 60_000;
/** Milliseconds that uses wait for company. */
const DELAY = 500;
const MAX_KEYS = 100_000;

export interface KeyUses {
  /** Never waits. `at` in milliseconds since the epoch. */
  note(id: string, at: number): void;
  /** Waits until everything noted is written; a failure is logged and tried again with the next use. */
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
      for (const id of uses.keys()) noted.delete(id);
      log.warn({ err: error }, 'the last uses of API keys could not be written');
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
