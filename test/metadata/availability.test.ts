// Deleting entities and changing their availability, one and many, as docs/reference/metadata.md#availability
// has it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metadataFace, type MetadataFace } from '../testkit/metadata-rest-api.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

let metadata: FreshMetadata;
let rest: MetadataFace;
const schema = (name: string, more: object = {}) =>
  rest('POST', '/schemas', {
    body: {
      name,
      version: '1',
      fields: [
        { name: 'label', field_type: 'string' },
        { name: 'project', field_type: 'string' },
      ],
      ...more,
    },
  });
const make = (id: string, type = 'Sample', data: object = {}) =>
  rest('POST', '/ingest', { body: { entity_type: type, id, data: { label: id, ...data } } });
const events = async (id: string) =>
  (
    (await rest('GET', `/entities/${id}/history`)).body.data as {
      event_type: string;
      actor: string;
      context: unknown;
      payload: unknown;
    }[]
  ).filter((e) => e.event_type === 'AvailabilityChanged');

beforeAll(async () => {
  metadata = await freshMetadata();
  rest = metadataFace(metadata.component);
  await schema('Sample');
  await schema('Biopsy', { parent: 'Sample', fields: [] });
  await schema('Donor');
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('deleting makes unavailable, keeps version and data, and records the event with a reason', async () => {
  const before = (await make('d1')).body.data;
  const gone = await rest('DELETE', '/entities/d1', {
    headers: { 'x-metadata-context': '{"notes": "tidy"}' },
  });
  expect(gone).toMatchObject({
    status: 200,
    body: { data: { status: 'deleted', entity_id: 'd1' }, error: null },
  });
  const after = (await rest('GET', '/entities/d1')).body.data;
  expect(after).toEqual({ ...before, is_available: false, updated_at: after.updated_at });
  expect(after.updated_at > before.updated_at).toBe(true);
  expect(await events('d1')).toMatchObject([
    {
      actor: 'user:admin',
      context: { notes: 'tidy' },
      payload: { previous: true, current: false, reason: 'deleted' },
    },
  ]);
  expect((await rest('GET', '/entities?entity_type=Sample&label=d1')).body.data.items).toEqual([]);
});

test('deleting an unavailable entity is 200 and writes no event; deleting an absent one is 404', async () => {
  await make('d2');
  await rest('DELETE', '/entities/d2?reason=duplicate');
  expect((await rest('DELETE', '/entities/d2')).body.data).toEqual({ status: 'deleted', entity_id: 'd2' });
  expect((await events('d2')).map((e) => e.payload)).toEqual([
    { previous: true, current: false, reason: 'duplicate' },
  ]);
  expect(await rest('DELETE', '/entities/nothing')).toMatchObject({
    status: 404,
    body: { data: null, error: { code: 404, message: 'entity not found: nothing' } },
  });
});

test('If-Match on DELETE is honoured', async () => {
  await make('d3');
  for (const tag of ['"2"', '"99999999999"', 'W/"1"', 'junk'])
    expect((await rest('DELETE', '/entities/d3', { headers: { 'if-match': tag } })).status).toBe(412);
  expect((await rest('GET', '/entities/d3')).body.data.is_available).toBe(true);
  expect((await rest('DELETE', '/entities/d3', { headers: { 'if-match': '"1"' } })).status).toBe(200);
});

test('availability is read as of a time', async () => {
  const made = (await make('a0')).body.data.created_at as string;
  await rest('DELETE', '/entities/a0');
  expect((await rest('GET', `/entities/a0/availability?as_of=${made}`)).body.data).toEqual({
    entity_id: 'a0',
    is_available: true,
  });
  expect((await rest('GET', '/entities/a0/availability')).body.data).toEqual({
    entity_id: 'a0',
    is_available: false,
  });
  expect((await rest('GET', '/entities/a0/availability?as_of=2001-01-01T00:00:00Z')).status).toBe(404);
  expect((await rest('GET', '/entities/a0/availability?as_of=then')).status).toBe(422);
});

test('availability is read and set; without a reason, false records one and true needs none', async () => {
  await make('a1');
  expect((await rest('GET', '/entities/a1/availability')).body.data).toEqual({
    entity_id: 'a1',
    is_available: true,
  });
  expect(
    (await rest('POST', '/entities/a1/availability', { body: { is_available: false } })).body.data,
  ).toEqual({ entity_id: 'a1', is_available: false });
  expect(
    (await rest('POST', '/entities/a1/availability', { body: { is_available: false, reason: 'again' } }))
      .status,
  ).toBe(200);
  expect(
    (await rest('POST', '/entities/a1/availability', { body: { is_available: true } })).body.data,
  ).toEqual({ entity_id: 'a1', is_available: true });
  expect(
    (await rest('POST', '/entities/a1/availability', { body: { is_available: false, reason: 'withdrawn' } }))
      .status,
  ).toBe(200);
  expect((await events('a1')).map((e) => e.payload)).toEqual([
    { previous: true, current: false, reason: 'not given' },
    { previous: false, current: true, reason: null },
    { previous: true, current: false, reason: 'withdrawn' },
  ]);
  expect((await rest('GET', '/entities/none/availability')).status).toBe(404);
  expect((await rest('POST', '/entities/none/availability', { body: { is_available: true } })).status).toBe(
    404,
  );
});

test('a body that does not say true or false is 422, malformed JSON 400', async () => {
  await make('a2');
  for (const body of [
    {},
    { is_available: 'false' },
    { is_available: null },
    { is_available: true, reason: 5 },
  ]) {
    expect((await rest('POST', '/entities/a2/availability', { body })).status).toBe(422);
  }
  expect((await rest('POST', '/entities/a2/availability', { body: '{' })).status).toBe(400);
  expect((await rest('POST', '/entities/a2/availability', { body: [] })).status).toBe(400);
});

test("bulk: all of them is 200; the body's actor never overrides the authenticated one", async () => {
  for (const id of ['b1', 'b2']) await make(id);
  await make('b3', 'Biopsy');
  const all = await rest('POST', '/entities/Sample/bulk-availability', {
    body: { entity_ids: ['b1', 'b2', 'b3', 'b1'], available: false, reason: 'lost', actor: 'user:mallory' },
  });
  expect(all).toMatchObject({ status: 200, body: { data: { updated: 3, errors: [] } } });
  for (const id of ['b1', 'b2', 'b3'])
    expect(await events(id)).toMatchObject([
      { actor: 'user:admin', payload: { previous: true, current: false, reason: 'lost' } },
    ]);
  expect(
    (await rest('POST', '/entities/Sample/bulk-availability', { body: { entity_ids: [], available: true } }))
      .body.data,
  ).toEqual({ updated: 0, errors: [] });
});

test('bulk: a failure on one entity does not stop the others, and is 207', async () => {
  await make('c1');
  await make('c2', 'Donor');
  const some = await rest('POST', '/entities/Sample/bulk-availability', {
    body: { entity_ids: ['c1', 'nothing', 'c2'], available: false, reason: 'x' },
  });
  expect(some.status).toBe(207);
  expect(some.body.data).toEqual({
    updated: 1,
    errors: [
      { entity_id: 'nothing', code: 404, message: 'entity not found: nothing' },
      { entity_id: 'c2', code: 404, message: 'entity not found: c2' },
    ],
  });
  expect((await rest('GET', '/entities/c2/availability')).body.data.is_available).toBe(true);
  expect((await rest('GET', '/entities/c1/availability')).body.data.is_available).toBe(false);
});

test('bulk: an unknown type is 404, a wrong body 422', async () => {
  expect(
    (
      await rest('POST', '/entities/Nothing/bulk-availability', {
        body: { entity_ids: ['c1'], available: true },
      })
    ).status,
  ).toBe(404);
  for (const body of [
    { available: true },
    { entity_ids: 'c1', available: true },
    { entity_ids: [1], available: true },
    { entity_ids: ['c1'] },
  ]) {
    expect((await rest('POST', '/entities/Sample/bulk-availability', { body })).status).toBe(422);
  }
});

test('an id that cannot be stored is reported as absent and does not affect others', async () => {
  await make('n1');
  const bulk =
    'mutation($ids: [ID!]!) { setAvailabilityBulk(entityType: "Sample", entityIds: $ids, available: false) { updated errors { entityId code } } }';
  expect(await metadata.ask(bulk, { ids: ['\u0000', 'n1'] })).toEqual({
    updated: 1,
    errors: [{ entityId: '\u0000', code: 404 }],
  });
  await expect(
    metadata.ask(
      'mutation($id: ID!) { relate(sourceId: $id, targetId: "n1", relationshipType: "r") { id } }',
      { id: 'x\u0000' },
    ),
  ).rejects.toThrow('NOT_FOUND');
  expect((await rest('GET', '/entities/n1/relationships?relationship_type=%00')).status).toBe(422);
});

test("another project's entity cannot be deleted, nor its availability read or set", async () => {
  await make('p1', 'Sample', { project: 'alpha' });
  const beta = callerWith('project_lead', ['beta']);
  expect((await rest('DELETE', '/entities/p1', { caller: beta })).status).toBe(404);
  expect((await rest('GET', '/entities/p1/availability', { caller: beta })).status).toBe(404);
  expect(
    (await rest('POST', '/entities/p1/availability', { caller: beta, body: { is_available: false } })).status,
  ).toBe(404);
  expect(
    (
      await rest('POST', '/entities/Sample/bulk-availability', {
        caller: beta,
        body: { entity_ids: ['p1'], available: false },
      })
    ).body.data.errors,
  ).toHaveLength(1);
  expect(
    (await rest('DELETE', '/entities/p1', { caller: callerWith('project_lead', ['alpha']) })).status,
  ).toBe(200);
});

test('an analyst may not delete', async () => {
  await make('r1');
  await expect(rest('DELETE', '/entities/r1', { caller: callerWith('analyst') })).rejects.toMatchObject({
    code: 'insufficient_role',
  });
});

test('ten thousand entities change in one call', async () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => `many-${i}`);
  const install =
    'mutation($e: [ReferenceEntity!]!) { installReferenceData(loader: "test", version: "1", entities: $e) { entitiesCreated entitiesUpdated } }';
  expect(
    await metadata.ask(install, { e: ids.map((id) => ({ id, entityType: 'Donor', data: { label: id } })) }),
  ).toEqual({ entitiesCreated: 10_000, entitiesUpdated: 0 });
  const started = performance.now();
  const done = await rest('POST', '/entities/Donor/bulk-availability', {
    body: { entity_ids: ids, available: false, reason: 'withdrawn' },
  });
  const milliseconds = performance.now() - started;
  expect(done).toMatchObject({ status: 200, body: { data: { updated: 10_000, errors: [] } } });
  expect(
    (await rest('GET', '/entities?entity_type=Donor&include_unavailable=true&limit=1')).body.data.total,
  ).toBe(10_001);
  expect((await rest('GET', '/entities?entity_type=Donor&limit=1')).body.data.total).toBe(1);
  expect(milliseconds).toBeLessThan(20_000); // set-based: far below the time of 10,000 transactions
  console.info(`10,000 entities made unavailable in ${Math.round(milliseconds)} ms`);
});
