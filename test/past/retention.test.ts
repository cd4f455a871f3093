// Past states are kept for a time; an earlier instant is refused before anything of it goes
// (docs/decisions/0166-how-long-the-past-is-kept.md).
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { forgetPast } from '../../platform/past/forget-past.ts';
import { finalityOf } from '../../platform/past/past.store.ts';
import { forget } from '../../subgraphs/workflow/runs/retention.store.ts';
import { asSuperuser, freshDatabase, testLog } from '../testkit/database.ts';
import { artifactBench } from '../artifact/artifact-bench.ts';
import { viewer } from '../testkit/callers.ts';
import { workflowBench } from '../workflow/workflow-bench.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

const begins = async (pool: Pool, schema: 'workflow' | 'artifact' = 'artifact'): Promise<string | null> =>
  (await finalityOf(pool, schema, daysAgo(0))).begins;
const left = async (pool: Pool, schema: 'workflow' | 'artifact'): Promise<string[]> =>
  (await pool.query<{ key: string }>(`SELECT key FROM ${schema}.past_state ORDER BY until`)).rows.map(
    ({ key }) => key,
  );
const past = (schema: 'workflow' | 'artifact', relation: string, ages: readonly number[]): string =>
  `INSERT INTO ${schema}.past_state (relation, key, until, state) VALUES ${ages
    .map((days) => `('${relation}', 'd${days}', clock_timestamp() - interval '${days} days', '{}')`)
    .join(', ')}`;

test.each([
  ['artifact', 'production'],
  ['workflow', 'trigger'],
] as const)(
  'of %s, an instant is refused first, and what only it needs goes half an hour later',
  async (schema, relation) => {
    await using database = await freshDatabase();
    const { pool } = database;
    await forgetPast(pool, schema, 30, testLog);
    expect(await begins(pool, schema)).toBeNull(); // there is nothing that would go
    await pool.query(past(schema, relation, [40, 35, 20]));
    await forgetPast(pool, schema, 30, testLog);
    expect(await left(pool, schema)).toEqual(['d40', 'd35', 'd20']);
    const announced = (await begins(pool, schema)) ?? '';
    expect(Math.abs(Date.parse(announced) - Date.parse(daysAgo(30)))).toBeLessThan(60_000);
    await forgetPast(pool, schema, 30, testLog);
    expect(await left(pool, schema)).toHaveLength(3);
    const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
    await asSuperuser(
      `UPDATE ${schema}.past_begins SET moved_at = clock_timestamp() - interval '31 minutes'`,
      rows[0]?.name,
    );
    // several processes do so at once; a longer period brings nothing back
    await Promise.all([30, 30, 60].map((days) => forgetPast(pool, schema, days, testLog)));
    expect(await left(pool, schema)).toEqual(['d20']);
    expect(await begins(pool, schema)).toBe(announced);
  },
);

test('servers cannot forget the latest day, nor move what is announced themselves', async () => {
  await using database = await freshDatabase();
  for (const sql of [
    'SELECT artifact.forget_past_states(0, 10)',
    'SELECT workflow.forget_past_states(NULL, 10)',
    'UPDATE artifact.past_begins SET moved_at = NULL',
    'DELETE FROM artifact.past_state',
  ])
    await expect(database.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
});

test('once runs have been deleted, what workflow was before that is refused, not told without them', async () => {
  await using bench = await workflowBench();
  const RUNS = 'query($asOf: DateTime) { runs(asOf: $asOf) { total } triggers(asOf: $asOf) { name } }';
  await bench.asOwner(`UPDATE workflow.past_begins SET at = '-infinity'`);
  await bench.seed({ id: 'old' }, { id: 'new' });
  await bench.sql(
    `UPDATE workflow.run SET finished_at = clock_timestamp() - interval '50 days', trigger_name = NULL WHERE id = 'old'`,
  );
  expect(await bench.ask(RUNS, { asOf: daysAgo(45) })).toMatchObject({ runs: { total: 0 } });
  const client = await bench.connect();
  expect(await forget(client, 'runs', 40)).toBe(1);
  client.release();
  await expect(bench.ask(RUNS, { asOf: daysAgo(45) })).rejects.toThrow(
    'VALIDATION_FAILED: what workflow was is known from',
  );
  expect(await bench.ask(RUNS, { asOf: daysAgo(39) })).toMatchObject({ runs: { total: 0 } });
});

test('exclusions of many entities as of an instant are read at once', async () => {
  await using bench = await artifactBench();
  for (const id of ['a', 'b', 'c'])
    await bench.sql(
      `INSERT INTO artifact.not_reusable (entity_id, reason, actor) VALUES ($1, 'wrong', 'user:x')`,
      [id],
    );
  await new Promise((resolve) => void setTimeout(resolve, 5));
  const asOf = new Date().toISOString();
  await bench.sql('DELETE FROM artifact.not_reusable');
  const ids = ['a', 'b', 'c', 'd'].map((id) => ({ __typename: 'Entity', id }));
  bench.statements.length = 0;
  const { _entities: found } = await bench.ask(
    'query($ids: [_Any!]!) { _entities(representations: $ids) { ... on Entity { id reuseRefusal { reason } } } }',
    { ids },
    { ...viewer, asOf },
  );
  expect(found.map((one: { reuseRefusal: unknown }) => one.reuseRefusal)).toEqual([
    ...[1, 2, 3].map(() => ({ reason: 'wrong' })),
    null,
  ]);
  expect(bench.statements.filter((text) => text.includes('not_reusable'))).toHaveLength(1);
});
