// The statement of lists of stale results, with no condition and with each.
import type pg from 'pg';
import { listStaleResults } from '../../subgraphs/artifact/staleness/listed-marks.store.ts';

export async function readMarks(pool: pg.Pool): Promise<void> {
  await listStaleResults(pool, '*', { types: null, rule: null, after: null }, 1);
  const after = '2026-01-01T00:00:00.000000Z';
  await listStaleResults(pool, ['a'], { types: ['T'], rule: 'r', after }, 1);
}
