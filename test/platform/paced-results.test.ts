// Long results of the database are parsed in turns with everything else, and lists of texts fast.
import { expect, test } from 'vitest';
import { freshDatabase } from '../testkit/database.ts';
import { loopShare } from '../testkit/loop-share.ts';

test('others run while the rows of long results are parsed, whatever comes at one time', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  const rows = `SELECT (SELECT array_agg('an entity ' || k) FROM generate_series(1, 2000) k) AS ids FROM generate_series(1, 400)`;
  await Promise.all(Array.from({ length: 8 }, () => pool.query('SELECT 1')));
  const shares: number[] = [];
  for (let i = 0; i < 3; i++)
    shares.push(
      await loopShare(() =>
        Promise.all(
          Array.from({ length: 8 }, async () => {
            const { rows: found } = await pool.query<{ ids: string[] }>(rows);
            expect([found.length, found[399]?.ids.length, found[399]?.ids[1999]]).toEqual([
              400,
              2000,
              'an entity 2000',
            ]);
          }),
        ),
      ),
    );
  expect(Math.min(...shares)).toBeLessThan(0.05);
});

test('lists of texts are those that were stored', async () => {
  await using database = await freshDatabase();
  const texts = ['', 'a', 'NULL', '"', '\\', '{}', ', ', 'é\n', '{"a":[1,"}"]}'];
  const { rows } = await database.pool.query<{ texts: (string | null)[]; none: string[] }>(
    `SELECT $1::text[] || ARRAY[NULL]::text[] AS texts, '{}'::text[] AS none`,
    [texts],
  );
  expect(rows).toEqual([{ texts: [...texts, null], none: [] }]);
});
