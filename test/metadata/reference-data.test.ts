// Installing reference data: every entity and the event that counts them, or none
// (docs/reference/metadata.md#reference-data).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const INSTALL = `mutation($l: String!, $v: String!, $e: [ReferenceEntity!]!, $c: ProvenanceContext) {
  installReferenceData(loader: $l, version: $v, entities: $e, context: $c) { loader version entitiesCreated entitiesUpdated } }`;

let metadata: FreshMetadata;
const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;
const term = (id: string, label: string, code: string = id) => ({
  id,
  entityType: 'Term',
  data: { label, code },
});
const install = (version: string, entities: object[], caller = callerWith('admin')) =>
  ask(INSTALL, { l: 'ontology', v: version, e: entities, c: '{"adapter":  "obo"}' }, caller);
const installed = async () =>
  (
    await metadata.database.pool.query<{
      payload: object;
      context: object;
      actor: string;
      entity_id: null;
      entity_type: null;
      schema_version: string;
    }>(
      `SELECT payload, context, actor, entity_id, entity_type, schema_version FROM metadata.provenance WHERE event_type = 'ReferenceDataInstalled' ORDER BY position`,
    )
  ).rows;

beforeAll(async () => {
  metadata = await freshMetadata();
  const fields = [
    { name: 'label', field_type: 'string', required: true },
    { name: 'code', field_type: 'string', unique: true },
  ];
  await ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Term', version: '1', fields },
  });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('reference data creates new entities, merges existing ones, counts both, and leaves equal ones unchanged', async () => {
  expect(await install('1', [term('t1', 'one'), term('t2', 'two')])).toEqual({
    loader: 'ontology',
    version: '1',
    entitiesCreated: 2,
    entitiesUpdated: 0,
  });
  expect(await install('2', [term('t1', 'one'), term('t2', 'zwei'), term('t3', 'three')])).toEqual({
    loader: 'ontology',
    version: '2',
    entitiesCreated: 1,
    entitiesUpdated: 1,
  });
  expect(await installed()).toEqual([
    {
      payload: { loader: 'ontology', version: '1', entities_created: 2, entities_updated: 0 },
      context: { adapter: 'obo' },
      actor: 'user:admin',
      entity_id: null,
      entity_type: null,
      schema_version: '1',
    },
    {
      payload: { loader: 'ontology', version: '2', entities_created: 1, entities_updated: 1 },
      context: { adapter: 'obo' },
      actor: 'user:admin',
      entity_id: null,
      entity_type: null,
      schema_version: '1',
    },
  ]);
  expect(await ask('{ entities(entityType: "Term") { total items { id version } } }')).toEqual({
    total: 3,
    items: [
      { id: 't1', version: 1 },
      { id: 't2', version: 2 },
      { id: 't3', version: 1 },
    ],
  });
});

test('nothing is installed if one entity is invalid; the error names its position', async () => {
  const before = await installed();
  await expect(
    install('3', [term('t9', 'nine'), { id: 't10', entityType: 'Term', data: { code: 'x' } }]),
  ).rejects.toMatchObject({
    message: 'VALIDATION_FAILED: entities[1]: field label is required',
    details: { index: 1, entity_id: 't10' },
  });
  await expect(install('3', [{ id: 'a/b', entityType: 'Term', data: {} }])).rejects.toThrow(
    'entities[0]: id must be',
  );
  await expect(install('3', [{ id: 'ok', entityType: 'Nothing', data: {} }])).rejects.toThrow(
    'entities[0]: unknown entity type: Nothing',
  );
  await expect(install('3', [term('t11', 'x', 'same'), term('t12', 'y', 'same')])).rejects.toThrow(
    'entities[1]: field code must be unique',
  );
  expect(await ask('{ entity(id: "t9") { id } }')).toBeNull();
  expect(await installed()).toEqual(before);
});

test('unique values may pass from one entity to another within a set', async () => {
  await install('4', [term('u1', 'one', 'A'), term('u2', 'two', 'B')]);
  await install('5', [term('u1', 'one', 'C'), term('u2', 'two', 'A'), term('u1', 'one', 'B')]);
  const ingest = 'mutation($d: JSON!) { ingestEntity(entityType: "Term", id: "u3", data: $d) { id } }';
  for (const code of ['A', 'B'])
    await expect(ask(ingest, { d: { label: 'x', code } })).rejects.toThrow('must be unique');
  expect(await ask(ingest, { d: { label: 'x', code: 'C' } })).toEqual({ id: 'u3' });
  const { rows } = await metadata.database.pool.query<{ entity_id: string; n: string }>(
    `SELECT entity_id, count(*) AS n FROM metadata.unique_value WHERE entity_id LIKE 'u_' GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { entity_id: 'u1', n: '1' },
    { entity_id: 'u2', n: '1' },
    { entity_id: 'u3', n: '1' },
  ]);
});

test('installing reference data takes an administrator or a service', async () => {
  await expect(install('6', [], callerWith('project_lead'))).rejects.toThrow('INSUFFICIENT_ROLE');
  expect(await install('6', [], callerWith('service'))).toMatchObject({ entitiesCreated: 0 });
  await expect(ask(INSTALL, { l: ' ', v: '1', e: [] })).rejects.toThrow('VALIDATION_FAILED');
});
