// A writer with outdated schemas decides again with the current ones, and stores nothing of its first
// decision.
import { expect, test } from 'vitest';
import { ingest } from '../../subgraphs/metadata/entities/entity-writes.ts';
import { Log } from '../../subgraphs/metadata/log/log.service.ts';
import { Rivals } from '../../subgraphs/metadata/log/rivals.ts';
import { withOpenLog } from '../../subgraphs/metadata/log/log.store.ts';
import { readCatalogue } from '../../subgraphs/metadata/log/schemas.store.ts';
import { asSuperuser } from '../testkit/database.ts';
import { admin, anotherProcess, freshMetadata } from '../testkit/metadata.ts';

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
    withOpenLog: (work, options) => {
      opened.push(options?.expected?.revision);
      return withOpenLog(pipelined, work, { ...options, clockAheadSeconds: 60 });
    },
    catalogue: () => stale,
    rivals: new Rivals(),
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

test('unknown keys in rules that are stored stay readable and registered; a change of the schema refuses them', async () => {
  await using metadata = await freshMetadata();
  const REGISTER = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
  const rule = { rule_id: 'named', expression: 'has(data.name)', message: 'give it a name' };
  const definition = { name: 'Older', version: '1', fields: [], rules: [rule] };
  await metadata.ask(REGISTER, { d: definition });
  // as it was stored when such keys were not refused
  await asSuperuser(
    `ALTER TABLE metadata.schema_revision DISABLE TRIGGER USER;
    UPDATE metadata.schema_revision SET definition = replace(definition::text, '"message"', '"mesage"')::json`,
    new URL(metadata.database.url).pathname.slice(1),
  );
  await using process = await anotherProcess(metadata);
  const misspelled = {
    ...definition,
    rules: [{ rule_id: 'named', expression: rule.expression, mesage: rule.message }],
  };
  expect(await process.ask(REGISTER, { d: misspelled })).toEqual({ name: 'Older' });
  await expect(
    process.ask('mutation { ingestEntity(entityType: "Older", data: {}) { id } }'),
  ).rejects.toThrow('rule named is not met');
  await expect(process.ask(REGISTER, { d: { ...misspelled, version: '2' } })).rejects.toThrow(
    'rules[0]: unknown key "mesage"; did you mean message?',
  );
  expect(await process.ask(REGISTER, { d: { ...definition, version: '2' } })).toEqual({ name: 'Older' });
});
