// docs/reference/metadata.md#event-order: no later commit can appear before an earlier position.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';

const INSERT = `INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload)
  SELECT 'EntityCreated', $1 || i, 'sample', 'a', '0', '{}' FROM generate_series(1, $2::int) i`;

/**
 * One writer: transactions of one to five events that delay their commit; every fifth is rolled back. Returns
 * how many events it wrote.
 */
async function write(database: Database, writer: number, transactions: number): Promise<number> {
  let written = 0;
  for (let i = 0; i < transactions; i++) {
    const client = await database.pool.connect();
    const events = 1 + ((i + writer) % 5);
    try {
      await client.query('BEGIN');
      await client.query(INSERT, [`w${writer}-${i}-`, events]);
      await sleep(Math.random() * 8);
      await client.query(i % 5 === 4 ? 'ROLLBACK' : 'COMMIT');
    } finally {
      client.release();
    }
    if (i % 5 !== 4) written += events;
  }
  return written;
}

test('a reader that follows positions misses no event of eight concurrent writers', async () => {
  await using database = await freshDatabase({ poolSize: 12 });
  let writing = true;
  const seen: number[] = [];
  let reads = 0;
  const follow = async (): Promise<void> => {
    for (let last = 0, more = true; more; reads++) {
      more = writing;
      const { rows } = await database.pool.query<{ position: string }>(
        'SELECT position FROM metadata.provenance WHERE position > $1 ORDER BY position',
        [last],
      );
      for (const { position } of rows) seen.push(Number(position));
      last = seen.at(-1) ?? 0;
    }
  };
  const following = follow();
  const written = await Promise.all(Array.from({ length: 8 }, (_, writer) => write(database, writer, 25)));
  writing = false;
  await following;
  expect(reads).toBeGreaterThan(50);
  expect(seen.length).toBe(written.reduce((a, b) => a + b));
});

test('timestamps strictly increase with positions, across writers and within one statement', async () => {
  await using database = await freshDatabase({ poolSize: 12 });
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(database, writer, 10)));
  await database.pool.query(INSERT, ['bulk-', 500]);
  const {
    rows: [row],
  } = await database.pool.query<{ events: number; disorder: number; away: number }>(`
    SELECT count(*)::int AS events, count(*) FILTER (WHERE timestamp <= earlier)::int AS disorder,
      max(abs(extract(epoch FROM timestamp - clock_timestamp())))::int AS away
    FROM (SELECT timestamp, lag(timestamp) OVER (ORDER BY position) AS earlier FROM metadata.provenance) events`);
  expect(row?.events).toBeGreaterThan(500);
  expect(row?.disorder).toBe(0);
  expect(row?.away).toBeLessThan(60);
});

test('a clock that is set back gives no event an earlier time than the event before', async () => {
  await using database = await freshDatabase();
  const {
    rows: [at],
  } = await database.pool.query<{ name: string }>('SELECT current_database() AS name');
  await asSuperuser(
    `SELECT setval('metadata.event_clock', ((extract(epoch FROM clock_timestamp()) + 3600) * 1000000)::bigint)`,
    at?.name,
  ); // the last event was written while the clock was an hour ahead
  await database.pool.query(INSERT, ['late-', 3]);
  const { rows } = await database.pool.query(
    `SELECT count(DISTINCT timestamp)::int AS times, min(timestamp) > clock_timestamp() + interval '59 minutes' AS after FROM metadata.provenance`,
  );
  expect(rows).toEqual([{ times: 3, after: true }]);
});

test("the log's lock answers the schema revision as it is once the lock is held", async () => {
  await using database = await freshDatabase();
  const first = await database.pool.connect();
  await first.query('BEGIN');
  await first.query('SELECT metadata.open_log()');
  // waits for the first
  const second = database.pool.query<{ revision: string }>('SELECT metadata.open_log() AS revision');
  await sleep(100);
  await first.query(
    `INSERT INTO metadata.schema_revision (revision, name, version, definition, created_event) VALUES (1, 'sample', '1', '{}', 1)`,
  );
  await first.query('COMMIT');
  first.release();
  expect((await second).rows).toEqual([{ revision: '1' }]);
});
