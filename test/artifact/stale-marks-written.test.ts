// docs/reference/artifact.md#lists-of-stale-results: what several processes find is written as if one after the other had.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  keepChanged,
  listMadeWith,
  marksAfter,
} from '../../subgraphs/artifact/staleness/changed-results.store.ts';
import { listStaleResults, type StaleResult } from '../../subgraphs/artifact/staleness/listed-marks.store.ts';
import {
  type Due,
  findBasis,
  findComplete,
  findPositions,
  keepCompared,
  keepPosition,
  listDue,
  noteChanged,
} from '../../subgraphs/artifact/staleness/stale-results.store.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { freshDatabase } from '../testkit/database.ts';

/** A production of this id, that made `of-<id>` of one entity, and is due since. */
const add = (db: Queryable, id: string, of: string): Promise<unknown> =>
  db.query(
    `INSERT INTO artifact.production (id, entity_type, criteria, rule, status, request_key, plan, entity_ids, runner, requested_by)
     VALUES ($1, 'Stats', '{}', 'stats@1', 'completed', $1, jsonb_build_object('requires', jsonb_build_array(jsonb_build_object('entity_id', $2::text))), ARRAY['of-' || $1], 'cwltool', 'user:x')`,
    [id, of],
  );
const idsOf = async (db: Queryable): Promise<string[]> => (await listDue(db, [], 100)).map(({ id }) => id);
const marks = async (db: Queryable): Promise<string[]> =>
  (
    await db.query<{ id: string }>('SELECT entity_id AS id FROM artifact.stale_result ORDER BY since')
  ).rows.map(({ id }) => id);
const keep = (db: Queryable, due: readonly Due[], isStale: boolean): Promise<boolean> =>
  keepCompared(
    db,
    randomUUID(),
    due.map((one) => ({
      due: one,
      isStale,
      results: [{ entityId: `of-${one.id}`, entityType: 'Stats', productionId: one.id }],
    })),
  );

const UNTIL = '2026-01-02T00:00:00.000000Z';

/** What was found of `a` in this state, before anything was noted. */
const keepAs = async (db: Queryable, from: string, isStale: boolean): Promise<boolean | null> => {
  const results = [{ entityId: 'of-a', entityType: 'Stats', productionId: 'a' }];
  const compared = [{ id: 'a', rule: 'stats@1', isStale, results }];
  return (await keepChanged(db, { from, to: {}, until: UNTIL }, randomUUID(), compared))?.isDue ?? null;
};

test('of many that note the same change one advances the position, and what was made with it is due once', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  for (const n of [1, 2, 3]) await add(pool, `p${n}`, n === 3 ? 'other' : 's');
  await pool.query('DELETE FROM artifact.staleness_due');
  const [from, until] = ['2026-01-01T00:00:00.000000Z', '2026-01-02T00:00:00.000000Z'];
  await keepPosition(pool, 'Sample', from);
  const change = { entityType: 'Sample', from, until };
  const noted = await Promise.all(Array.from({ length: 8 }, () => noteChanged(pool, change, ['s'])));
  expect(noted.filter(Boolean)).toEqual([true]);
  expect(await findPositions(pool)).toEqual({ Sample: until });
  expect((await idsOf(pool)).toSorted()).toEqual(['p1', 'p2']);
});

test('what has become due again since it was read is neither marked nor settled', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await add(pool, 'a', 's');
  await add(pool, 'b', 't');
  const due = await listDue(pool, [], 10);
  const [from, until] = ['2026-01-01T00:00:00.000000Z', '2026-01-02T00:00:00.000000Z'];
  await keepPosition(pool, 'Sample', from);
  expect(await noteChanged(pool, { entityType: 'Sample', from, until }, ['s'])).toBe(true);
  expect(await keep(pool, due, true)).toBe(true);
  expect([await marks(pool), await idsOf(pool)]).toEqual([['of-b'], ['a']]);
});

test('a mark that comes or goes makes due what was made of the result, and one that stays does not', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await add(pool, 'a', 's');
  await add(pool, 'b', 'of-a');
  await pool.query('DELETE FROM artifact.staleness_due');
  const again = async (id: string) => {
    await pool.query(`INSERT INTO artifact.staleness_due (kind, id) VALUES ('production', $1)`, [id]);
    return (await listDue(pool, [], 10)).filter((one) => one.id === id);
  };
  expect(await keep(pool, await again('a'), true)).toBe(true);
  const chained = await listDue(pool, [], 10);
  expect(
    chained.map(({ id, recorded }) => [id, recorded?.standing, recorded?.stale, recorded?.isOfMade]),
  ).toEqual([['b', ['of-b'], ['of-a'], true]]);
  expect(await keep(pool, chained, true)).toBe(false);
  expect(await marks(pool)).toEqual(['of-a', 'of-b']);
  expect(await keep(pool, await again('a'), true)).toBe(false);
  expect(await keep(pool, await again('a'), false)).toBe(true);
  expect([await marks(pool), await idsOf(pool)]).toEqual([['of-b'], ['b']]);
});

test('of what several write at once each result has one mark, and no two have one time', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  const names = Array.from({ length: 40 }, (_, n) => `p${n}`);
  for (const id of names) await add(pool, id, 's');
  const due = await listDue(pool, [], 100);
  const parts = [due, due.toReversed(), due.slice(0, 20), due.slice(20), due.slice(10, 30)];
  await Promise.all(parts.map((part) => keep(pool, part, true)));
  expect((await marks(pool)).toSorted()).toEqual(names.map((id) => `of-${id}`).toSorted());
  const { rows } = await pool.query(
    'SELECT count(DISTINCT since)::int AS times, count(DISTINCT compared)::int AS comparisons FROM artifact.stale_result',
  );
  expect(rows[0].times).toBe(40);
  expect(rows[0].comparisons).toBeGreaterThanOrEqual(1);
  expect(await idsOf(pool)).toEqual([]);
});

test('what was compared before anything was noted is written by one of many, with how far was looked', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  for (const id of ['a', 'b']) await add(pool, id, 's');
  await add(pool, 'c', 'of-a');
  await pool.query('DELETE FROM artifact.staleness_due');
  const day = (n: number) => `2026-01-0${n}T00:00:00.000000Z`;
  await keepPosition(pool, 'Sample', day(1));
  await keepPosition(pool, 'Donor', day(1));
  const { state: from } = await findBasis(pool);
  const made = (await listMadeWith(pool, ['s', 'gone'], 2)) ?? [];
  expect(made.map(({ production, standing }) => [production.id, standing]).toSorted()).toEqual([
    ['a', ['of-a']],
    ['b', ['of-b']],
  ]);
  expect(await listMadeWith(pool, ['s', 'of-a'], 2)).toBeNull();
  const keepTo = (to: Record<string, string>, stale: readonly string[]) =>
    keepChanged(
      pool,
      { from, to, until: UNTIL },
      randomUUID(),
      ['a', 'b'].map((id) => ({
        id,
        rule: 'stats@1',
        isStale: stale.includes(id),
        results: [{ entityId: `of-${id}`, entityType: 'Stats', productionId: id }],
      })),
    );
  // two look at changes of two types from the same state: the second to write has seen only one of them
  const written = await Promise.all(
    Array.from({ length: 8 }, (_, n) => keepTo({ [n % 2 === 0 ? 'Sample' : 'Donor']: day(2) }, ['a'])),
  );
  expect(written.flatMap((one) => one?.isDue ?? [])).toEqual([true]);
  expect([await marks(pool), await idsOf(pool)]).toEqual([['of-a'], ['c']]);
  expect(Object.values(await findPositions(pool)).toSorted()).toEqual([day(1), day(2)]);
});

test('what has become due since is not written, and no position moves; what is as it was loses its mark', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await add(pool, 'a', 's');
  await keepPosition(pool, 'Sample', '2026-01-01T00:00:00.000000Z');
  const positions = await findPositions(pool);
  await pool.query('DELETE FROM artifact.staleness_due');
  const { state: before } = await findBasis(pool);
  await pool.query(`INSERT INTO artifact.staleness_due (kind, id) VALUES ('production', 'a')`);
  expect(await keepAs(pool, before, true)).toBeNull();
  expect([await marks(pool), await idsOf(pool), await findPositions(pool)]).toEqual([[], ['a'], positions]);
  await pool.query('DELETE FROM artifact.staleness_due');
  expect(await keepAs(pool, before, true)).toBe(false);
  expect(await marks(pool)).toEqual(['of-a']);
  expect(await keepAs(pool, (await findBasis(pool)).state, false)).toBe(false);
  expect(await marks(pool)).toEqual([]);
});

test('what was due and compared by somebody else meanwhile is not written over by an older comparison', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await add(pool, 'a', 's');
  await pool.query('DELETE FROM artifact.staleness_due');
  const { state: before } = await findBasis(pool);
  // it has become due and is found to be as it was: no mark comes or goes
  await pool.query(`INSERT INTO artifact.staleness_due (kind, id) VALUES ('production', 'a')`);
  expect(await keep(pool, await listDue(pool, [], 10), false)).toBe(false);
  expect(await keepAs(pool, before, true)).toBeNull();
  expect(await marks(pool)).toEqual([]);
  // a rule has changed
  const { state } = await findBasis(pool);
  await pool.query('UPDATE artifact.rule_revision SET revision = revision + 1');
  expect(await keepAs(pool, state, true)).toBeNull();
  expect(await marks(pool)).toEqual([]);
});

test('what marks were read in is another one once a mark has come, has gone, or was compared again', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await add(pool, 'a', 's');
  const states = new Set<string>();
  for (const isStale of [true, true, false, false]) {
    await pool.query(
      `INSERT INTO artifact.staleness_due (kind, id) VALUES ('production', 'a') ON CONFLICT DO NOTHING`,
    );
    expect(await keep(pool, await listDue(pool, [], 10), isStale)).toBe(false);
    states.add((await findBasis(pool)).state);
  }
  expect(states.size).toBe(4);
});

const toldOf = (marks: readonly StaleResult[]) =>
  marks.map(({ entityId, entityType, productionId, rule, since, compared }) => [
    entityId,
    entityType,
    productionId,
    rule,
    since,
    compared,
  ]);

test('who has written marks knows without reading them which ones there are, and what they are in', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  // two make each result in turns: which of them it is of now is another one now and then
  for (let n = 0; n < 24; n++) await add(pool, `p${n}`, 's');
  await pool.query('DELETE FROM artifact.staleness_due');
  const read = () => listStaleResults(pool, '*', { types: null, rule: null, after: null }, 100);
  for (let round = 0; round < 30; round++) {
    const before = await read();
    const compared = Array.from({ length: 12 }, (_, n) => {
      const productionId = `p${(round * 5 + n) % 24}`;
      const entityId = `of-${(round * 5 + n) % 12}`;
      const isStale = (round + n) % 3 !== 0;
      return {
        id: productionId,
        rule: 'stats@1',
        isStale,
        results: [{ entityId, entityType: 'Stats', productionId }],
      };
    });
    const written = await keepChanged(
      pool,
      { from: before.state, to: {}, until: UNTIL },
      randomUUID(),
      compared,
    );
    if (written === null) throw new Error('nothing was written');
    const after = await read();
    expect(toldOf(marksAfter(written, before.marks))).toEqual(toldOf(after.marks));
    expect([written.from, written.state]).toEqual([before.state, after.state]);
    expect((await findBasis(pool)).state).toBe(written.state);
    expect(
      await keepChanged(pool, { from: before.state, to: {}, until: UNTIL }, randomUUID(), compared),
    ).toBeNull();
  }
  const { rows } = await pool.query('SELECT count(*)::int AS marks FROM artifact.stale_result');
  expect(rows[0].marks).toBeGreaterThan(0);
  expect(await findComplete(pool)).toBe(UNTIL);
});
