// `project` decides who sees an entity: it must be one text, and any other value hides an entity instead of
// sharing it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';
import { createMetadataComponent } from '../../subgraphs/metadata/component.ts';
import { asSuperuser } from '../testkit/database.ts';
import { admin, anotherProcess, callerWith, freshMetadata } from '../testkit/metadata.ts';

const REGISTER = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const INGEST =
  'mutation($t: String!, $i: ID!, $d: JSON!) { ingestEntity(entityType: $t, id: $i, data: $d) { id } }';
const MIGRATION = readFileSync(
  path.join(projectRoot, 'prisma/migrations/20261128030000_projects_that_are_no_text/migration.sql'),
  'utf8',
);

test('a schema that declares project as anything but a string is refused, inherited or not', async () => {
  await using metadata = await freshMetadata();
  const register = (project: object, more: object = {}): Promise<unknown> =>
    metadata.ask(REGISTER, {
      d: { name: 'Sample', version: '1', fields: [{ name: 'project', ...project }], ...more },
    });
  for (const project of [
    { field_type: 'string', many: true },
    { field_type: 'json' },
    { field_type: 'list' },
    { field_type: 'int' },
    { field_type: 'bool' },
    { field_type: 'float' },
    { field_type: 'datetime' },
    { field_type: 'date' },
    { field_type: 'ref', references: 'X', many: true },
  ]) {
    await expect(register(project)).rejects.toThrow(
      'VALIDATION_FAILED: field project of schema Sample must be a single string',
    );
  }
  await register({ field_type: 'enum', values: ['alpha', 'beta'] });
  await expect(
    register({ field_type: 'enum', values: ['alpha', 'beta'], many: true }, { version: '2' }),
  ).rejects.toThrow('field project of schema Sample must be a single string');
  await metadata.ask(REGISTER, { d: { name: 'Child', version: '1', parent: 'Sample', fields: [] } });
  await metadata.ask(INGEST, { t: 'Child', i: 'c', d: { project: 'alpha' } });
  expect(await metadata.ask('{ entity(id: "c") { id } }', {}, callerWith('viewer', ['beta']))).toBeNull();
});

test('a project that is not a string, or empty, is refused', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask(REGISTER, {
    d: { name: 'Sample', version: '1', fields: [{ name: 'project', field_type: 'text' }] },
  });
  for (const project of [['alpha'], { a: 1 }, 5, true, '', '(unreadable)'])
    await expect(metadata.ask(INGEST, { t: 'Sample', i: 's', d: { project } })).rejects.toThrow(
      'VALIDATION_FAILED: field project must',
    );
  for (const project of [null, 'alpha'])
    await metadata.ask(INGEST, { t: 'Sample', i: `s-${String(project)}`, d: { project } });
});

test('existing entities with unreadable projects are hidden from callers of projects, and reported', async () => {
  await using metadata = await freshMetadata();
  await metadata.ask(REGISTER, {
    d: {
      name: 'Sample',
      version: '1',
      fields: [
        { name: 'project', field_type: 'string' },
        { name: 'a', field_type: 'int' },
      ],
    },
  });
  await metadata.ask(REGISTER, { d: { name: 'Sub', version: '1', parent: 'Sample', fields: [] } });
  for (const id of ['list', 'object', 'number', 'empty', 'alpha', 'shared'])
    await metadata.ask(INGEST, {
      t: id === 'object' ? 'Sub' : 'Sample',
      i: id,
      d: id === 'shared' ? { a: 1 } : { project: 'alpha', a: 1 },
    });
  const database = new URL(metadata.database.url).pathname.slice(1);
  // as they were stored when a schema could declare `json`
  await asSuperuser(
    `UPDATE metadata.entity SET project = NULL, data = data || jsonb_build_object('project', CASE id WHEN 'list' THEN '["alpha"]'::jsonb WHEN 'object' THEN '{"a": 1}' WHEN 'number' THEN '7' ELSE '""' END) WHERE id IN ('list', 'object', 'number', 'empty');
    ALTER TABLE metadata.schema_revision DISABLE TRIGGER USER;
    UPDATE metadata.schema_revision SET definition = replace(definition::text, '"field_type": "string"', '"field_type": "json"')::json WHERE definition::text LIKE '%"field_type": "string"%';
    UPDATE metadata.schema_revision SET definition = replace(definition::text, '"field_type":"string"', '"field_type":"json"')::json WHERE definition::text LIKE '%"field_type":"string"%'`,
    database,
  );
  await asSuperuser(MIGRATION, database);
  await using process = await anotherProcess(metadata); // a pool of its own, and the current schemas
  const viewer = callerWith('viewer', ['alpha']);
  const ids = async (caller = viewer): Promise<unknown> =>
    await process.ask('{ entities(entityType: "Sample") { total items { id } } }', {}, caller);
  expect(await ids()).toEqual({ total: 2, items: [{ id: 'alpha' }, { id: 'shared' }] });
  for (const id of ['list', 'object', 'number', 'empty'])
    expect(await process.ask('query($i: ID!) { entity(id: $i) { id } }', { i: id }, viewer)).toBeNull();
  expect(
    await process.ask(
      '{ entities(entityType: "Sample", filter: "project == \\"(unreadable)\\"") { items { id } } }',
      {},
      admin,
    ),
  ).toEqual({ items: ['list', 'object', 'number', 'empty'].map((id) => ({ id })) });
  await expect(process.ask(INGEST, { t: 'Sample', i: 'new', d: { project: ['alpha'] } })).rejects.toThrow(
    'field project must be a single string',
  );
  await expect(process.ask(INGEST, { t: 'Sample', i: 'list', d: { a: 2 } })).rejects.toThrow(
    'field project must be a single string',
  );
  await process.ask(INGEST, { t: 'Sample', i: 'list', d: { project: 'alpha' } });
  expect(await ids()).toMatchObject({ total: 3 });
  expect(await ids(admin)).toMatchObject({ total: 6 });

  const said: string[] = [];
  const component = await createMetadataComponent({
    database: process.database,
    log: pino(
      { level: 'warn' },
      {
        write: (line: string) => {
          said.push(line);
        },
      },
    ),
  });
  await component.close();
  expect(said.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ schemas: ['Sample', 'Sub'] }),
    expect.objectContaining({ hidden: { Sample: 2, Sub: 1 } }),
  ]);
});
