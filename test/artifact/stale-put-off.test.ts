// docs/reference/artifact.md#lists-of-stale-results: what cannot be compared holds nothing else up.
import { expect, test } from 'vitest';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors.ts';
import { compareDue } from '../../subgraphs/artifact/staleness/compare-due.ts';
import { rememberCompared } from '../../subgraphs/artifact/staleness/examine.ts';
import type { StalenessService } from '../../subgraphs/artifact/staleness/staleness.service.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';

test('a production that cannot be compared stays due, and others are marked; one whose component is away ends the look', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  const ids = ['a', 'b', 'c'];
  for (const id of ids)
    await pool.query(
      `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, produced, runner, requested_by)
       VALUES ($1, 'Stats', '{}', 'stats@1', 'completed', $1, '{"requires": []}', ARRAY['of-' || $1], jsonb_build_array(jsonb_build_object('entity_type', 'Stats', 'entity_id', 'of-' || $1)), 'cwltool', 'user:x')`,
      [id],
    );
  let fault: Error = new Error('the workflow is too deep');
  const staleness = {
    isRuleActive: () => Promise.resolve(true),
    inputs: () => Promise.resolve({ changes: [], bound: [], isWhole: true }),
    examine: ({ id }: { id: string }) =>
      id === 'b' ? Promise.reject(fault) : Promise.resolve({ changes: [{}], bound: [] }),
  } as unknown as StalenessService; // what comparing asks of it
  const deps = {
    db: pool,
    log: testLog,
    compared: rememberCompared(),
    revision: '1',
    staleness: () => staleness,
    transact: <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(pool, work),
  };
  const rowsOf = async (sql: string): Promise<unknown[]> => (await pool.query(sql)).rows.map(({ id }) => id);
  const putOff = new Set<string>();
  while (await compareDue(deps, putOff));
  expect(putOff.size).toBe(1);
  expect(await rowsOf('SELECT entity_id AS id FROM artifact.stale_result ORDER BY 1')).toEqual([
    'of-a',
    'of-c',
  ]);
  expect(await rowsOf('SELECT id FROM artifact.staleness_due')).toEqual(['b']);
  fault = new DomainError('component_unavailable', 'metadata is away');
  await expect(compareDue(deps, new Set())).rejects.toThrow('metadata is away');
});
