import { test } from 'vitest';
import { startServer } from '../testkit/server.ts';
test('nul', async () => {
  await using server = await startServer();
  await server.rest('POST', '/api/v1/metadata/schemas', { body: { name: 'T', version: '1', fields: [{ name: 'j', field_type: 'json' }, { name: 's', field_type: 'string' }, { name: 'n', field_type: 'int' }] } });
  await server.rest('POST', '/api/v1/metadata/ingest', { body: { entity_type: 'T', id: 'a', data: {} } });
  for (const q of [
    'mutation { deleteEntity(id: "a\\u0000") { id } }', '{ relationships(entityId: "a", relationshipType: "\\u0000") { id } }', '{ findRelationships(sourceId: "\\u0000") { items { id } } }',
    '{ traverse(sourceId: "a", relationshipType: "\\u{0}") { isComplete } }', 'mutation { relate(sourceId: "a", targetId: "a", relationshipType: "r", metadata: {x: "\\u0000"}) { id } }',
    'mutation { ingestEntity(entityType: "T", data: {j: "\\u0000"}) { id data } }', 'mutation { ingestEntity(entityType: "T", data: {j: 9007199254740993}) { id data } }', 'mutation { ingestEntity(entityType: "T", data: {j: 1e400}) { id data } }', 'mutation { ingestEntity(entityType: "T", data: {j: "\\uD800"}) { id data } }',
    'mutation { ingestEntity(entityType: "T", data: {s: "\\u0000"}) { id data } }', 'mutation { deleteEntity(id: "a", reason: "x\\u0000") { id } }', '{ entities(entityType: "\\u0000") { total } }', '{ schema(name: "\\u0000") { name } }', '{ drsObject(id: "\\u0000", host: "h") { id } }',
    'mutation { installReferenceData(loader: "\\u0000", version: "1", entities: []) { loader } }', '{ entities(fields: [{name: "s", values: ["\\u0000"]}], entityType: "T") { total } }', 'mutation { supersedeEntity(id: "\\u0000", replacementId: "a") { superseded { id } } }',
    'mutation { setAvailabilityBulk(entityType: "T", entityIds: ["\\u0000", "a"], available: false) { updated errors { entityId code } } }', 'mutation { unrelateById(entityId: "a", relationshipId: "a->b\\u0000:c") { id } }',
    '{ externalIds(entityId: "\\u0000") { id } }', 'mutation { supersedeExternalId(entityId: "\\u0000", oldExternalId: "a", newExternalId: "b") { id } }', 'mutation { registerExternalId(entityId: "\\u0000", externalId: "b") { id } }',
  ]) console.log(q.slice(0, 90), '→', JSON.stringify((await server.graphql(q)).body).slice(0, 160));
}, 60000);
