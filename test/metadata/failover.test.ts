// After a failover to a standby that lacks the last commits, a process that goes on without a restart uses nothing
// that only the former server had. The standby is a copy of the database that takes the place of the original.
import { expect, test } from 'vitest';
import { asSuperuser } from '../testkit/database.ts';
import { anotherProcess, type FreshMetadata, freshMetadata } from '../testkit/metadata.ts';

const REGISTER = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const INGEST =
  'mutation($t: String!, $id: ID!) { ingestEntity(entityType: $t, id: $id, data: {}) { updatedAt } }';
const SCHEMAS = '{ schemas { name } }';
const FIRST = '{ entity(id: "t1") { id } }';
const schema = (name: string) => ({
  d: { name, version: '1', fields: [{ name: 'n', field_type: 'int' }] },
});

/** Ends all connections of a database, and keeps others out while the statements run. */
async function alone(name: string, statements: readonly string[]): Promise<void> {
  await asSuperuser(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await asSuperuser(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  await expect
    .poll(() => asSuperuser(`SELECT pid FROM pg_stat_activity WHERE datname = '${name}'`))
    .toEqual([]);
  for (const statement of statements) await asSuperuser(statement);
  await asSuperuser(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
}

/** Copies the database as it is now. Returns what puts the copy in its place. */
async function standbyOf({ database }: FreshMetadata): Promise<() => Promise<void>> {
  const name = new URL(database.url).pathname.slice(1);
  const standby = `${name}_standby`;
  await alone(name, [`CREATE DATABASE ${standby} TEMPLATE ${name} STRATEGY FILE_COPY`]);
  return () =>
    alone(name, [`DROP DATABASE ${name} WITH (FORCE)`, `ALTER DATABASE ${standby} RENAME TO ${name}`]);
}

const reconnected = (metadata: FreshMetadata): Promise<void> =>
  expect.poll(() => metadata.ask(FIRST).catch(() => null)).toEqual({ id: 't1' });

test('schemas and positions of the past that the new server never had are not used any more', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask(REGISTER, schema('Thing'));
  await metadata.ask(INGEST, { t: 'Thing', id: 't1' });
  const promote = await standbyOf(metadata);

  await reconnected(metadata);
  await metadata.ask(REGISTER, schema('Lost'));
  await metadata.ask(INGEST, { t: 'Lost', id: 'lost' });
  const { updatedAt } = (await metadata.ask(INGEST, { t: 'Thing', id: 't2' })) as { updatedAt: string };
  await metadata.ask(INGEST, { t: 'Thing', id: 't3' });
  const then = `{ entities(asOf: "${updatedAt}") { items { id } } }`;
  expect(await metadata.ask(then)).toEqual({ items: [{ id: 't1' }, { id: 'lost' }, { id: 't2' }] });

  await promote();
  {
    await using elsewhere = await anotherProcess(metadata);
    await elsewhere.ask(REGISTER, schema('New'));
    for (const id of ['n1', 'n2', 'n3']) await elsewhere.ask(INGEST, { t: 'New', id });
  }
  await reconnected(metadata);
  expect(await metadata.ask(then)).toEqual({ items: [{ id: 't1' }] });
  await expect(metadata.ask(INGEST, { t: 'Lost', id: 'l2' })).rejects.toThrow('unknown entity type: Lost');
  expect(await metadata.ask(INGEST, { t: 'New', id: 'n4' })).toBeDefined();
  expect(await metadata.ask(SCHEMAS)).toEqual([{ name: 'New' }, { name: 'Thing' }]);
});
