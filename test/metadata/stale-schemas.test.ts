// A writer with outdated schemas decides again with the current ones, and stores nothing of its first
// decision.
import { expect, test } from 'vitest';
import { ingest } from '../../subgraphs/metadata/entities/entity-writes.ts';
import { Log } from '../../subgraphs/metadata/log/log.service.ts';
import { withOpenLog } from '../../subgraphs/metadata/log/log.store.ts';
import { readCatalogue } from '../../subgraphs/metadata/log/schemas.store.ts';
import { admin, freshMetadata } from '../testkit/metadata.ts';

test('a write with a stale schema is decided again with the current revision: new types and fields are known, and it is stored once', async () => {
  await using metadata = await freshMetadata();
  const { pool, pipelined } = metadata.database;
  const register = (definition: unknown): Promise<unknown> =>
    metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', { d: definition });
  await register({ name: 'Thing', version: '1', fields: [{ name: 'a', field_type: 'string' }] });
  const stale = await readCatalogue(pool);
  await register({
    name: 'Thing',
    version: '2',
    fields: [
      { name: 'a', field_type: 'string' },
      { name: 'b', field_type: 'int' },
    ],
  });
  await register({ name: 'Other', version: '1', fields: [] });

  const opened: (number | undefined)[] = [];
  const log = new Log({
    withOpenLog: (work, expected) => {
      opened.push(expected?.revision);
      return withOpenLog(pipelined, work, { expected, clockAheadSeconds: 60 });
    },
    catalogue: () => stale,
    validate: () => undefined,
    largeStates: () => Promise.resolve(new Map()),
  });
  const author = { ...admin, contextText: null };
  const write = (entityType: string, id: string, data: Record<string, string | number>): Promise<unknown> =>
    log.write(ingest({ entityType, id, mayExist: false, data, author }));
  await Promise.all([write('Thing', 't', { a: 'x', b: 1 }), write('Other', 'o', {})]);
  await expect(write('None', 'n', {})).rejects.toThrow('unknown entity type: None');

  expect(opened.slice(0, 2)).toEqual([stale.revision, undefined]);
  const { revision } = await readCatalogue(pool);
  const { rows } = await pool.query(
    'SELECT entity_id, schema_version FROM metadata.provenance WHERE entity_id IS NOT NULL ORDER BY entity_id',
  );
  expect(rows).toEqual(['o', 't'].map((id) => ({ entity_id: id, schema_version: String(revision) })));
  expect(await metadata.ask('{ entity(id: "t") { data } }')).toEqual({ data: { a: 'x', b: 1 } });
});
