// The catalogue of schemas is updated incrementally, with the same result as a full resolution.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDefinition } from '../../subgraphs/metadata/schema-model/definition.ts';
import {
  type CatalogueEntry,
  SchemaCatalogue,
} from '../../subgraphs/metadata/schema-model/schema-catalogue.ts';
import { readCatalogue } from '../../subgraphs/metadata/log/schemas.store.ts';
import { SchemaRegistry } from '../../subgraphs/metadata/schemas/schema-registry.ts';
import { freshMetadata } from '../testkit/metadata.ts';

const seen = (catalogue: SchemaCatalogue): unknown =>
  [...catalogue.types()].map((type) => ({ ...type, fields: [...type.fields] }));
const NAMES = ['A', 'B', 'C', 'D', 'E', 'F'];

test('the catalogue after incremental reads equals that of all schemas read at once, in any order of registration', () => {
  const change = fc.record({
    name: fc.constantFrom(...NAMES),
    parent: fc.option(fc.constantFrom(...NAMES)),
    field: fc.constantFrom('x', 'y'),
    unique: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
      let grown = new SchemaCatalogue(0, []);
      const entries = new Map<string, CatalogueEntry>();
      for (const { name, parent, field, unique } of changes) {
        const definition = readDefinition({
          name,
          version: '1',
          parent,
          fields: [{ name: field, field_type: 'string', unique }],
        });
        try {
          grown = grown.with(definition);
        } catch {
          continue; // an unknown parent, or a cycle
        }
        entries.set(name, { definition, revision: grown.revision });
      }
      expect(seen(grown)).toEqual(seen(new SchemaCatalogue(grown.revision, [...entries.values()])));
    }),
  );
});

test('registering a schema reads only that schema, and unaffected types stay the same objects', async () => {
  await using metadata = await freshMetadata();
  const register = (definition: object): Promise<unknown> =>
    metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
      d: { version: '1', fields: [], ...definition },
    });
  for (const name of ['Old', 'Parent']) await register({ name });
  const { pool } = metadata.database;
  const before = await readCatalogue(pool);
  expect(await readCatalogue(pool, before)).toBe(before);
  await register({ name: 'Child', parent: 'Parent' });
  const after = await readCatalogue(pool, before);
  expect(after.get('Old')).toBe(before.get('Old'));
  expect(after.get('Parent')?.selfAndSubtypes).toEqual(['Child', 'Parent']);
  expect(seen(after)).toEqual(seen(await readCatalogue(pool)));
  // known from a log that no longer exists
  expect(seen(await readCatalogue(pool, new SchemaCatalogue(99, [], after)))).toEqual(seen(after));
});

test('schemas that a restored database does not have are forgotten', async () => {
  let stored = new SchemaCatalogue(3, [
    { definition: readDefinition({ name: 'Gone', version: '1', fields: [] }), revision: 3 },
  ]);
  const registry = await SchemaRegistry.start(
    {
      read: () => Promise.resolve(stored),
      watch: () => Promise.resolve(() => Promise.resolve()),
      tell: () => Promise.resolve(),
      isAnyBehind: () => Promise.resolve(false),
    },
    () => undefined,
  );
  stored = new SchemaCatalogue(2, []);
  expect((await registry.refresh()).get('Gone')).toBeUndefined();
  registry.adopt(new SchemaCatalogue(1, [])); // read earlier, reported late
  expect(registry.current().revision).toBe(2);
  await registry.close();
});
