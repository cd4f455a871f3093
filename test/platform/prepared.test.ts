// Statements over lists are planned once per connection, whatever the lengths of the lists.
import { expect, test } from 'vitest';
import { listed } from '../../platform/prepared.ts';
import type { Identity } from '../../platform/identity.ts';
import { EntityStore } from '../../subgraphs/metadata/entities/entities.store.ts';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';

const EVERYBODY: Identity = { actor: 'user:ada', roles: ['admin'], projects: '*' };
const SCOPED: Identity = { actor: 'user:bo', roles: ['viewer'], projects: ['a'] };

/** Enough for the planner to see a difference. */
const FILLED = [
  `INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload)
   SELECT 'EntityCreated', 'e' || i, 'T', 'user:ada', '0', '{}' FROM generate_series(1, 5000) i`,
  `INSERT INTO metadata.entity (id, entity_type, data, search, first_event, state_event, last_event)
   SELECT entity_id, entity_type, '{}', '', position, position, position FROM metadata.provenance WHERE event_type = 'EntityCreated'`,
  'ANALYZE metadata.provenance, metadata.entity',
];

test('repeated reads of single entities use the prepared plan', async () => {
  await using database = await freshDatabase({ poolSize: 1 }); // one connection, because plans belong to it
  const {
    rows: [current],
  } = await database.pool.query<{ name: string }>('SELECT current_database() AS name');
  for (const sql of FILLED) await asSuperuser(sql, current?.name);
  const store = new EntityStore(database.pool);
  for (let i = 0; i < 20; i++) {
    for (const identity of [EVERYBODY, SCOPED]) {
      await store.findMany([`e${i + 1}`], identity, null);
      await store.find(`e${identity === SCOPED ? i + 1 : i + 101}`, identity, null);
      await store.find('e5000', identity, null);
    }
  }
  const { rows } = await database.pool.query<{ name: string; custom: number; generic: number }>(
    `SELECT name, custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements WHERE name LIKE 'entities-%' ORDER BY name`,
  );
  const runs = {
    'entities-all': 20,
    'entities-changes': 39,
    'entities-kept-all': 21,
    'entities-kept-scoped': 20,
    'entities-scoped': 20,
  };
  // PostgreSQL tries five times before it decides
  expect(rows).toEqual(Object.entries(runs).map(([name, n]) => ({ name, custom: 5, generic: n - 5 })));
});

test('reading single entities goes by indexes also where it was planned over an empty database of a server with the usual costs', async () => {
  // one connection, created on demand, because plans belong to it
  await using database = await freshDatabase({ poolSize: 1 });
  const name = new URL(database.url).pathname.slice(1);
  await asSuperuser(`ALTER DATABASE ${name} SET random_page_cost = 4`); // PostgreSQL's default
  const store = new EntityStore(database.pool);
  for (let i = 0; i < 10; i++) await store.find(`e${i}`, EVERYBODY, null);
  for (const sql of FILLED.slice(0, 2)) await asSuperuser(sql, name); // the table has not been analysed
  for (let i = 0; i < 10; i++) await store.find('e1', EVERYBODY, null);
  const planOf = async (sql: string): Promise<string> =>
    (await database.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE ${sql}`)).rows
      .map((row) => row['QUERY PLAN'])
      .join('\n');
  for (const sql of [`"entities-kept-all"('{e1}', 0)`, '"entities-changes"(0)'])
    expect(await planOf(sql)).not.toContain('Seq Scan on provenance');
});

test('a list is the same with and without prepared statements', async () => {
  await using database = await freshDatabase({ poolSize: 1 });
  const sent = ['a', 'ä', '', 'a,b', '{"x"}', 'NULL'];
  const { rows } = await database.pool.query<{ plain: string[]; listed: string[] }>(
    `SELECT $1::text[] AS plain, ${listed(1)} AS listed`,
    [sent],
  );
  expect(rows[0]).toEqual({ plain: sent, listed: sent });
});
