// docs/decisions/0195-productions-keep-their-outputs.md: what a lost attempt alone made is not kept as made by its production.
import { expect, test } from 'vitest';
import { forgetOtherOutputs } from '../../subgraphs/artifact/storage/stored-objects.store.ts';
import { startServer } from '../testkit/server.ts';

test('of the entities that an attempt made, outputs that it has not made are forgotten', async () => {
  await using server = await startServer({ transport: 'in-process' });
  const { pool } = server.database;
  await pool.query(
    `INSERT INTO artifact.production_output (production_id, entity_id, field, hash)
     VALUES ('p', 'e', 'f1', 'a'), ('p', 'e', 'f2', 'b'), ('p', 'other', 'f2', 'b'), ('q', 'e', 'f2', 'c')`,
  );
  const file = { entityId: 'e', entityType: 'T', field: 'f1', hash: 'a', productionId: 'p' };
  await forgetOtherOutputs(pool, 'p', ['e'], [{ ...file, name: null, source: null, givenIn: null }]);
  const { rows } = await pool.query(
    'SELECT production_id AS p, entity_id AS e, field AS f FROM artifact.production_output ORDER BY 1, 2, 3',
  );
  expect(rows).toEqual([
    { p: 'p', e: 'e', f: 'f1' },
    { p: 'p', e: 'other', f: 'f2' },
    { p: 'q', e: 'e', f: 'f2' },
  ]);
});
