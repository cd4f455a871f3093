// docs/reference/artifact.md#lists-of-stale-results: a process of the version before writes marks beside this one, and says
// of which production they are, but not who sees that.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { listStaleResults } from '../../subgraphs/artifact/staleness/listed-marks.store.ts';
import { keepCompared, listDue, settleDue } from '../../subgraphs/artifact/staleness/stale-results.store.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { freshDatabase } from '../testkit/database.ts';

/** As that process wrote it. */
const MARK_BEFORE = `INSERT INTO artifact.stale_result AS s (entity_id, entity_type, production_id, since) VALUES ('e', 'Stats', $1, clock_timestamp())
  ON CONFLICT (entity_id) DO UPDATE SET production_id = excluded.production_id, entity_type = excluded.entity_type, since = excluded.since
    WHERE s.production_id <> excluded.production_id`;

/** As this process does it, for what is due of the production. */
async function compareAs(pool: Queryable, id: string, comparison: string): Promise<void> {
  const due = (await listDue(pool, [], 10)).filter((one) => one.id === id);
  expect(due).toHaveLength(1);
  const results = [{ entityId: 'e', entityType: 'Stats', productionId: id }];
  await keepCompared(
    pool,
    comparison,
    due.map((one) => ({ due: one, isStale: true, results })),
  );
}

test('a mark is of the production that it names now, to those who see that', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  for (const project of ['alpha', 'beta'])
    await pool.query(
      `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, runner, requested_by)
       VALUES ($1::text, 'Stats', jsonb_build_object('project', $1::text), $1::text || '@1', 'completed', $1::text, '{}', '{e}', 'cwltool', 'user:x')`,
      [project],
    );
  const seenBy = async (project: string) =>
    (await listStaleResults(pool, [project], { types: null, rule: null, after: null }, 10)).marks.map(
      ({ productionId, rule }) => [productionId, rule],
    );
  await compareAs(pool, 'alpha', randomUUID());
  expect([await seenBy('alpha'), await seenBy('beta')]).toEqual([[['alpha', 'alpha@1']], []]);
  await pool.query(MARK_BEFORE, ['beta']);
  expect([await seenBy('alpha'), await seenBy('beta')]).toEqual([[], [['beta', 'beta@1']]]);
  await pool.query(MARK_BEFORE, ['gone']);
  expect([await seenBy('alpha'), await seenBy('beta')]).toEqual([[], []]);
});

test('what that process has compared again names no comparison, also where it leaves the mark', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await pool.query(
    `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, runner, requested_by)
     VALUES ('p', 'Stats', '{}', 'r@1', 'completed', 'p', '{}', '{e}', 'cwltool', 'user:x')`,
  );
  const comparison = async () =>
    (await listStaleResults(pool, '*', { types: null, rule: null, after: null }, 10)).marks.map(
      ({ compared }) => compared,
    );
  const own = randomUUID();
  const makeDue = () =>
    pool.query(`INSERT INTO artifact.staleness_due (kind, id) VALUES ('production', 'p')`);
  await compareAs(pool, 'p', own);
  expect(await comparison()).toEqual([own]);
  await makeDue();
  const due = await listDue(pool, [], 10);
  expect(due).toHaveLength(1);
  await settleDue(pool, due);
  await pool.query(MARK_BEFORE, ['p']);
  expect(await comparison()).toEqual([null]);
  await makeDue();
  await compareAs(pool, 'p', own);
  expect(await comparison()).toEqual([own]);
});
