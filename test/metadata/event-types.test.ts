// Every provenance event has exactly the payload that docs/reference/metadata.md#event-types specifies for
// its type.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

interface Row {
  event_type: string;
  entity_id: string | null;
  entity_type: string | null;
  actor: string;
  schema_version: string;
  context: string | null;
  payload: string;
}

let metadata: FreshMetadata;
let log: Row[];
const ask = (document: string, variables: Record<string, unknown> = {}) => metadata.ask(document, variables);
const CONTEXT = '{ "notes":"to the letter", "workflow_run_id": "r1" }';
const schema = (version: string, ...names: string[]) =>
  ask('mutation($d: JSON!, $c: ProvenanceContext) { createSchema(definition: $d, context: $c) { name } }', {
    d: { name: 'Thing', version, fields: names.map((name) => ({ name, field_type: 'string' })) },
    c: CONTEXT,
  });

beforeAll(async () => {
  metadata = await freshMetadata();
  await schema('1', 'label');
  await schema('2', 'label', 'note');
  const c = `context: ${JSON.stringify(CONTEXT)}`;
  await ask(`mutation { ingestEntity(entityType: "Thing", id: "a", data: {label: "one"}, ${c}) { id } }`);
  await ask(
    `mutation { updateEntity(entityType: "Thing", id: "a", data: {label: "two", note: "n"}, ${c}) { id } }`,
  );
  await ask(`mutation { setAvailability(id: "a", isAvailable: false, reason: "lost", ${c}) { id } }`);
  await ask(`mutation { setAvailability(id: "a", isAvailable: true, ${c}) { id } }`);
  await ask(`mutation { registerExternalId(entityId: "a", externalId: "X", idType: "ega", ${c}) { id } }`);
  await ask(
    `mutation { supersedeExternalId(entityId: "a", oldExternalId: "X", newExternalId: "Y", reason: "typo", ${c}) { id } }`,
  );
  await ask(
    `mutation { installReferenceData(loader: "l", version: "v", entities: [{id: "b", entityType: "Thing", data: {label: "b"}}, {id: "a", entityType: "Thing", data: {label: "three"}}], ${c}) { loader } }`,
  );
  await ask(
    `mutation { relate(sourceId: "a", targetId: "b", relationshipType: "r", metadata: {w: 1}, ${c}) { id } }`,
  );
  await ask(
    `mutation { unrelate(sourceId: "a", targetId: "b", relationshipType: "r", reason: "wrong", ${c}) { id } }`,
  );
  await ask(
    `mutation { supersedeEntity(id: "a", replacementId: "b", reason: "better", ${c}) { superseded { id } } }`,
  );
  await ask(`mutation { deleteEntity(id: "b", ${c}) { id } }`);
  log = (
    await metadata.database.pool.query<Row>({
      text: 'SELECT event_type, entity_id, entity_type, actor, schema_version, context, payload FROM metadata.provenance ORDER BY position',
      types: { getTypeParser: () => (value: unknown) => value },
    })
  ).rows;
});
afterAll(() => metadata[Symbol.asyncDispose]());

const payloads = (type: string): unknown[] =>
  log.filter((e) => e.event_type === type).map((e) => JSON.parse(e.payload) as unknown);

test('EntityCreated holds the initial state', () => {
  expect(payloads('EntityCreated')).toEqual([
    { initial_state: { label: 'one' } },
    { initial_state: { label: 'b' } },
  ]);
});

test('EntityUpdated holds both states and the changed fields; of a replacement also a note and what it supersedes', () => {
  expect(payloads('EntityUpdated')).toEqual([
    {
      previous_state: { label: 'one' },
      new_state: { label: 'two', note: 'n' },
      changed_fields: ['label', 'note'],
    },
    {
      previous_state: { label: 'two', note: 'n' },
      new_state: { label: 'three', note: 'n' },
      changed_fields: ['label'],
    },
    {
      previous_state: { label: 'b' },
      new_state: { label: 'b' },
      changed_fields: [],
      note: expect.stringContaining('a') as string,
      supersedes: 'a',
    },
  ]);
});

test('AvailabilityChanged holds both values, and a reason wherever it is false now', () => {
  expect(payloads('AvailabilityChanged')).toEqual([
    { previous: true, current: false, reason: 'lost' },
    { previous: false, current: true, reason: null },
    { previous: true, current: false, reason: 'better' },
    { previous: true, current: false, reason: 'deleted' },
  ]);
});

test('EntitySuperseded names the replacement and the reason', () => {
  expect(payloads('EntitySuperseded')).toEqual([{ superseded_by_id: 'b', reason: 'better' }]);
});

test('RelationshipCreated names both ends with their types, and holds the properties', () => {
  expect(payloads('RelationshipCreated')).toEqual([
    {
      relationship: 'r',
      from_id: 'a',
      from_type: 'Thing',
      to_id: 'b',
      to_type: 'Thing',
      properties: { w: 1 },
    },
    {
      relationship: 'superseded_by',
      from_id: 'a',
      from_type: 'Thing',
      to_id: 'b',
      to_type: 'Thing',
      properties: {},
    },
  ]);
});

test('RelationshipRemoved names the relationship, its type and the reason', () => {
  expect(payloads('RelationshipRemoved')).toEqual([
    { relationship_id: 'a->b:r', relationship: 'r', reason: 'wrong' },
  ]);
});

test('ExternalIdAdded names system and identifier; ExternalIdSuperseded both records and values', async () => {
  expect(payloads('ExternalIdAdded')).toEqual([{ system: 'ega', external_id: 'X' }]);
  const records = (await ask(
    '{ externalIds(entityId: "a", includeSuperseded: true) { id externalId } }',
  )) as { id: string; externalId: string }[];
  expect(records.map((r) => r.externalId)).toEqual(['X', 'Y']);
  expect(payloads('ExternalIdSuperseded')).toEqual([
    {
      old_external_id_record_id: records[0]?.id,
      new_external_id_record_id: records[1]?.id,
      system: 'ega',
      old_value: 'X',
      new_value: 'Y',
      reason: 'typo',
    },
  ]);
});

test('MigrationApplied and ReferenceDataInstalled are of the whole instance: no entity, no type', () => {
  expect(payloads('MigrationApplied')).toEqual([
    { from_version: '0', to_version: '1', changes_applied: ['create schema Thing 1'] },
    {
      from_version: '1',
      to_version: '2',
      changes_applied: ['change schema Thing from 1 to 2', 'add optional field note'],
    },
  ]);
  expect(payloads('ReferenceDataInstalled')).toEqual([
    { loader: 'l', version: 'v', entities_created: 1, entities_updated: 1 },
  ]);
  for (const event of log) {
    const isOfInstance = ['MigrationApplied', 'ReferenceDataInstalled'].includes(event.event_type);
    expect([event.entity_id === null, event.entity_type === null]).toEqual([isOfInstance, isOfInstance]);
  }
});

test('every event has its actor, the schema revision and the context to the letter; all ten types occurred', () => {
  for (const event of log) expect(event).toMatchObject({ actor: 'user:admin', context: CONTEXT });
  expect(log.map((e) => e.schema_version)).toEqual(['1', ...log.slice(1).map(() => '2')]);
  expect(new Set(log.map((e) => e.event_type)).size).toBe(10);
});

test('history answers them oldest first, of the types that were asked for', async () => {
  const history = (await ask(
    '{ entityHistory(entityId: "a", eventTypes: ["AvailabilityChanged", "EntityCreated"]) { eventType timestamp } }',
  )) as { eventType: string; timestamp: string }[];
  expect(history.map((e) => e.eventType)).toEqual([
    'EntityCreated',
    'AvailabilityChanged',
    'AvailabilityChanged',
    'AvailabilityChanged',
  ]);
  expect(history.map((e) => e.timestamp).toSorted()).toEqual(history.map((e) => e.timestamp));
});
