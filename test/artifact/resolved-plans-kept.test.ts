// docs/reference/metadata.md#why: which request told of a plan is kept for those who may ask for what it makes, and of each
// of them for the last plans alone.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { noteResolved } from '../../subgraphs/artifact/productions/resolved-plans.store.ts';
import { freshDatabase } from '../testkit/database.ts';
import { startServer } from '../testkit/server.ts';
import { addGreetings } from './staleness-testkit.ts';

test("an actor's oldest are forgotten, and nobody else's", async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  for (const actor of ['user:many', 'user:other'])
    await pool.query(
      `INSERT INTO artifact.resolved_plan (plan_hash, actor, request_id, at)
       SELECT 'plan-' || n, $1, gen_random_uuid(), clock_timestamp() - interval '1 day' + n * interval '1 second' FROM generate_series(1, 1010) n`,
      [actor],
    );
  const note = (plan: string) => noteResolved(pool, plan, { actor: 'user:many', requestId: randomUUID() });
  await note('new');
  await note('plan-500');
  await Promise.all(['x', 'y', 'z'].map(note));
  await note('last');
  const { rows } = await pool.query<{ actor: string; count: number; last: boolean }>(
    `SELECT actor, count(*)::int AS count, bool_or(plan_hash = 'last') AS last, bool_or(plan_hash = 'plan-10') AS first,
       bool_or(plan_hash = 'plan-500') AS again FROM artifact.resolved_plan GROUP BY actor ORDER BY actor`,
  );
  expect(rows).toEqual([
    { actor: 'user:many', count: 1000, last: true, first: false, again: true },
    { actor: 'user:other', count: 1010, last: false, first: true, again: true },
  ]);
});

test('what viewers resolve is not noted', async () => {
  await using server = await startServer();
  await addGreetings(server);
  const sample = { entity_type: 'Sample', id: 's', data: { name: 's', reads: 'a' } };
  await server.rest('POST', '/api/v1/metadata/ingest', { body: sample });
  for (const role of ['viewer', 'analyst']) {
    const key = await server.newKey({ role, owner: `user:${role}` });
    const { status, text } = await server.rest(
      'GET',
      '/api/v1/artifact/resolve?entity_type=Greeting&sample=s',
      {
        key,
      },
    );
    if (status !== 200) throw new Error(text);
  }
  const { rows } = await server.database.pool.query('SELECT actor FROM artifact.resolved_plan');
  expect(rows).toEqual([{ actor: 'user:analyst' }]);
});
