// Whether a process takes requests, as its probes say (docs/reference/gateway.md#probes).
import type { WritePath } from './database/write-path.store.ts';

export interface Readiness {
  readonly status: 'ready' | 'not ready';
  /** Whether writes get through; absent where the database does not tell in time. */
  readonly writes?: WritePath;
  /** Only where it is not ready. */
  readonly reason?: 'stopping' | 'database' | 'outdated';
}

function reasonOf(isServing: boolean, answers: boolean, writes: WritePath | null): Readiness['reason'] {
  if (!isServing) return 'stopping';
  if (!answers) return 'database';
  // where writes wait, or are for another server, reads go on: it stays ready for them
  return writes === 'outdated' ? 'outdated' : undefined;
}

/** @param answers whether the database does. @param writes null where it does not tell in time */
export function readiness(isServing: boolean, answers: boolean, writes: WritePath | null): Readiness {
  const reason = reasonOf(isServing, answers, writes);
  return {
    status: reason === undefined ? 'ready' : 'not ready',
    ...(writes === null ? {} : { writes }),
    ...(reason === undefined ? {} : { reason }),
  };
}

export interface Life {
  readonly status: 'alive' | 'stuck';
  /** What does not go on. */
  readonly reason?: string;
}

/** @param stuck what only another process can mend (platform/database/liveness.ts) */
export const life = (stuck: string | undefined): Life =>
  stuck === undefined ? { status: 'alive' } : { status: 'stuck', reason: stuck };

const ANSWER_MS = 2000;

/** What is asked; the other value where it fails, or takes longer than the database may. */
export async function inTime<T>(asked: () => Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS, otherwise);
  });
  const answer = await Promise.race([asked().catch(() => otherwise), late]);
  clearTimeout(timer);
  return answer;
}
