// Statements of the queue of productions.
import type pg from 'pg';
import {
  claimProductions,
  endLeasesOfDead,
  finishProduction,
  giveBackProduction,
  giveBackProductions,
  cancelProduction,
  recoverAbandoned,
  renewProduction,
} from '../../subgraphs/artifact/productions/production-queue.store.ts';

export const JOB = { id: 'r', fence: '1' };
export async function workProductions(pool: pg.Pool): Promise<void> {
  await claimProductions(pool, 'o', 1, 1);
  await giveBackProductions(pool, 'o', ['p']);
  await giveBackProduction(pool, JOB);
  await renewProduction(pool, JOB, 1, 'log');
  await finishProduction(pool, JOB, { status: 'completed', produced: [], error: null, log: null }, 'any');
  await cancelProduction(pool, 'p', 'stopped');
  await recoverAbandoned(pool, 1, 'lost');
  await endLeasesOfDead(pool, 'o', () => Promise.resolve(true));
}
