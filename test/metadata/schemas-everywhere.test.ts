// A schema is registered once every process judges by it
// (docs/reference/metadata.md#registering-a-schema).
import { expect, test } from 'vitest';
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import { SchemaCatalogue } from '../../subgraphs/metadata/schema-model/schema-catalogue.ts';
import { SchemaRegistry } from '../../subgraphs/metadata/schemas/schema-registry.ts';
import { readDefinition } from '../../subgraphs/metadata/schema-model/definition.ts';
import { anotherProcess, type FreshMetadata, freshMetadata } from '../testkit/metadata.ts';

const register = (metadata: Pick<FreshMetadata, 'ask'>, definition: object): Promise<unknown> =>
  metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { version: '1', fields: [], ...definition },
  });

test('what one process has registered, another knows with the next request: to the types, lists and searches, also a new version', async () => {
  await using metadata = await freshMetadata();
  await using other = await anotherProcess(metadata);
  for (let n = 0; n < 20; n++) {
    const [name, id] = [`T${n}`, `t${n}`];
    await register(metadata, { name });
    expect(await other.ask('query($n: String!) { schema(name: $n) { name } }', { n: name })).toEqual({
      name,
    });
    await register(other, { name, version: '2', fields: [{ name: 'x', field_type: 'string' }] });
    expect(
      await metadata.ask(
        'query($n: String!) { entities(entityType: $n, filter: "data.x == 1.0") { total } }',
        {
          n: name,
        },
      ),
    ).toEqual({ total: 0 });
    expect(await metadata.ask('query($n: String!) { schema(name: $n) { version } }', { n: name })).toEqual({
      version: '2',
    });
    await register(metadata, { name: `Sub${n}`, parent: name });
    await other.ask(
      'mutation($t: String!, $i: ID!) { createEntity(entityType: $t, id: $i, data: {}) { id } }',
      {
        t: `Sub${n}`,
        i: id,
      },
    );
    expect(
      await metadata.ask('query($n: String!) { entities(entityType: $n) { total } }', { n: name }),
    ).toEqual({ total: 1 });
  }
});

test('a process that stands still holds up a registration for a second, and one that has ended not at all', async () => {
  await using metadata = await freshMetadata();
  await register(metadata, { name: 'First' });
  const behind = await metadata.database.pool.connect();
  await behind.query('SELECT pg_advisory_lock_shared($1, 1)', [LOCKS.schemaRevision]);
  const began = performance.now();
  await register(metadata, { name: 'Second' });
  expect(performance.now() - began).toBeGreaterThan(900);
  behind.release(true);
  await expect
    .poll(
      async () =>
        (
          await metadata.database.pool.query(
            "SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database() WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objid = 1",
            [LOCKS.schemaRevision],
          )
        ).rowCount,
    )
    .toBe(0);
});

test('a change between the first look at the schemas and the first notification is known from the start', async () => {
  const empty = new SchemaCatalogue(0, []);
  const changed = new SchemaCatalogue(1, [
    { definition: readDefinition({ name: 'New', version: '1', fields: [] }), revision: 1 },
  ]);
  let stored = empty;
  const registry = await SchemaRegistry.start(
    {
      read: () => Promise.resolve(stored),
      watch: () => {
        stored = changed; // committed before anybody listens
        return Promise.resolve(() => Promise.resolve());
      },
      tell: () => Promise.resolve(),
      isAnyBehind: () => Promise.resolve(false),
    },
    (error) => {
      throw error;
    },
  );
  expect(registry.current().get('New')?.name).toBe('New');
  await registry.close();
});
