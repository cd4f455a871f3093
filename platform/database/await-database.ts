// Waits until PostgreSQL is available, because the machines of a deployment start in any order.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { isStoreAway } from '../store-away.ts';
import { unusable } from './boot.ts';
import { systemErrorCode } from '../system-error-code.ts';

export interface Waiting {
  readonly url: string;
  /** Maximum time to wait in milliseconds; 0: one attempt. */
  readonly waitMs: number;
  readonly log: Logger;
  /** Cancels the wait with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const CONNECT_TIMEOUT_MS = 15_000;
const PAUSE_MS = 500;
/** Interval between log lines while the server is unavailable. */
const TELL_EVERY_MS = 10_000;

/** A host name that does not resolve yet also counts as unavailable. */
const isAway = (fault: unknown): boolean =>
  isStoreAway(fault) || ['ENOTFOUND', 'EAI_AGAIN'].includes(systemErrorCode(fault) ?? '');

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'cairn boot',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

/**
 * Resolves when the server accepts connections.
 * @throws DomainError `component_unavailable` where it is unavailable for longer than `waitMs`, or
 * immediately where it rejects the connection
 */
export async function awaitDatabase({ url, waitMs, log, signal }: Waiting): Promise<void> {
  const until = performance.now() + waitMs;
  let toldAt = -Infinity;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await connectOnce(url);
    } catch (cause) {
      const left = until - performance.now();
      const fault = unusable(url, cause);
      if (!isAway(cause) || left <= 0) throw fault;
      if (performance.now() - toldAt >= TELL_EVERY_MS) {
        log.warn(
          `${fault.message}; trying again for at most ${Math.ceil(left / 1000)} s (database.wait_seconds)`,
        );
        toldAt = performance.now();
      }
    }
    await sleep(PAUSE_MS, undefined, signal === undefined ? {} : { signal });
  }
}
