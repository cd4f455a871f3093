// Client library: create, get, update, delete, ingest, supersede, state at a time
// (docs/reference/metadata.md#client-operations).
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ConflictError,
  EntityNotFoundError,
  PreconditionFailedError,
  SchemaError,
  ValidationError,
  ValidationFailure,
} from '../../client/src/index.ts';
import { type Sample, type Served, servedClient } from './served-client.ts';

let served: Served;
beforeAll(async () => {
  served = await servedClient();
});
afterAll(() => served[Symbol.asyncDispose]());

test('create makes an entity with a generated id, version 1 and times to the microsecond', async () => {
  const made = await served.client.create<Sample>('Sample', { name: 'a', age: 40 });
  expect(made).toMatchObject({
    entityType: 'Sample',
    data: { name: 'a', age: 40 },
    version: 1,
    isAvailable: true,
    project: null,
  });
  expect(made.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(made.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(await served.client.get<Sample>('Sample', made.id)).toEqual(made);
});

test('create takes the id from the options or from data, which does not keep it', async () => {
  expect(await served.client.create('Sample', { name: 'a' }, { id: 'own:1' })).toMatchObject({ id: 'own:1' });
  expect(await served.client.create('Sample', { id: 'own:2', name: 'a' })).toMatchObject({
    id: 'own:2',
    data: { name: 'a' },
  });
  await expect(served.client.create('Sample', { id: 'own:3', name: 'a' }, { id: 'own:4' })).rejects.toThrow(
    /data.id and id differ/,
  );
});

test('create refuses an id that is taken, and leaves that entity as it is', async () => {
  const there = await served.client.create('Sample', { name: 'first' }, { id: 'taken' });
  await expect(served.client.create('Sample', { name: 'second' }, { id: 'taken' })).rejects.toBeInstanceOf(
    ConflictError,
  );
  expect(await served.client.get('Sample', 'taken')).toEqual(there);
});

test('create of an unknown type is a SchemaError', async () => {
  await expect(served.client.create('Nothing', { name: 'a' })).rejects.toBeInstanceOf(SchemaError);
});

test("get finds subtypes under their parents' names, and nothing under another type's", async () => {
  const { client } = served;
  const { id } = await client.create('Biopsy', { name: 'b', tissue: 'liver' });
  expect(await client.get('Sample', id)).toMatchObject({ id, entityType: 'Biopsy' });
  await expect(client.get('Donor', id)).rejects.toMatchObject({
    name: 'EntityNotFoundError',
    entityType: 'Donor',
    entityId: id,
    code: 'NOT_FOUND',
  });
  await expect(client.get('Sample', 'no "such\\ thing')).rejects.toBeInstanceOf(EntityNotFoundError);
});

test("an id with quotes and signs is found under its parent's name too", async () => {
  const id = 'a"b&c\'é𝄞';
  await served.client.create('Biopsy', { name: 'q' }, { id });
  expect((await served.client.get('Sample', id)).id).toBe(id);
});

test('update changes the supplied fields, null clears one, and the version goes up', async () => {
  const { client } = served;
  const { id } = await client.create<Sample>('Sample', { name: 'a', site: 'x', age: 30 });
  expect(await client.update<Sample>('Sample', id, { site: 'y', age: null })).toMatchObject({
    version: 2,
    data: { name: 'a', site: 'y' },
  });
  expect((await client.get<Sample>('Sample', id)).data.age ?? null).toBeNull();
});

test('an update with an expected version fails with the current version', async () => {
  const { client } = served;
  const { id } = await client.create('Sample', { name: 'a' });
  expect(await client.update('Sample', id, { name: 'b' }, { ifVersion: 1 })).toMatchObject({ version: 2 });
  const refused = client.update('Sample', id, { name: 'c' }, { ifVersion: 1 });
  await expect(refused).rejects.toBeInstanceOf(PreconditionFailedError);
  await expect(refused).rejects.toMatchObject({ currentVersion: 2, code: 'PRECONDITION_FAILED' });
});

test('update and delete of what is not there, or of another type, are EntityNotFoundErrors', async () => {
  const { client } = served;
  const { id } = await client.create('Donor', { name: 'd' });
  for (const absent of ['nobody', id]) {
    await expect(client.update('Sample', absent, { name: 'x' })).rejects.toMatchObject({
      name: 'EntityNotFoundError',
      entityType: 'Sample',
      entityId: absent,
    });
    await expect(client.delete('Sample', absent)).rejects.toMatchObject({
      name: 'EntityNotFoundError',
      entityType: 'Sample',
      entityId: absent,
    });
  }
});

test('delete makes an entity unavailable and records why', async () => {
  const { client } = served;
  const { id } = await client.create('Sample', { name: 'a' });
  expect(await client.delete('Sample', id, { reason: 'spoiled' })).toMatchObject({ id, isAvailable: false });
  expect(await client.get('Sample', id)).toMatchObject({ isAvailable: false });
  const [event] = await client.history('Sample', id, { eventTypes: ['AvailabilityChanged'] }).all();
  expect(event?.payload).toMatchObject({ previous: true, current: false, reason: 'spoiled' });
});

test('ingest creates, then merges, then changes nothing', async () => {
  const { client } = served;
  expect(await client.ingest('Sample', { name: 'a', age: 20 }, { id: 'again' })).toMatchObject({
    version: 1,
  });
  expect(await client.ingest<Sample>('Sample', { age: 21 }, { id: 'again' })).toMatchObject({
    version: 2,
    data: { name: 'a', age: 21 },
  });
  expect(await client.ingest('Sample', { age: 21 }, { id: 'again' })).toMatchObject({ version: 2 });
});

test('the provenance context is recorded, an object or JSON text to the letter; the actor stays who the credential says', async () => {
  const { client } = served;
  const { id } = await client.create(
    'Sample',
    { name: 'a' },
    { provenanceContext: { workflow_name: 'import', notes: 'first', own: [1] }, actor: 'somebody else' },
  );
  await client.update(
    'Sample',
    id,
    { name: 'b' },
    { provenanceContext: '{"notes": "second"}', actor: 'somebody else' },
  );
  const events = await client.history('Sample', id).all();
  expect(events.map(({ context, actor }) => ({ context, actor }))).toEqual([
    { context: { workflow_name: 'import', notes: 'first', own: [1] }, actor: 'user:admin' },
    { context: { notes: 'second' }, actor: 'user:admin' },
  ]);
});

test('stateAt returns the state of an entity at a time; null before it was created', async () => {
  const { client } = served;
  const { id, createdAt } = await client.create('Sample', { name: 'then' });
  await client.update('Sample', id, { name: 'now' });
  expect(await client.stateAt<Sample>('Sample', id, createdAt)).toMatchObject({
    version: 1,
    data: { name: 'then' },
  });
  expect(await client.stateAt<Sample>('Sample', id, new Date())).toMatchObject({
    version: 2,
    data: { name: 'now' },
  });
  expect(await client.stateAt('Sample', id, '2001-01-01T00:00:00Z')).toBeNull();
  expect(await client.get<Sample>('Sample', id, { asOf: createdAt })).toMatchObject({
    data: { name: 'then' },
  });
  await expect(client.stateAt('Sample', 'nobody', createdAt)).rejects.toBeInstanceOf(EntityNotFoundError);
  await expect(client.stateAt('Sample', id, 'yesterday')).rejects.toBeInstanceOf(ValidationError);
});

test('supersedeEntity replaces one entity by another and records an event for each', async () => {
  const { client } = served;
  const [old, replacement] = [
    await client.create('Sample', { name: 'old' }),
    await client.create('Sample', { name: 'new' }),
  ];
  const done = await client.supersedeEntity('Sample', old.id, replacement.id, { reason: 'relabelled' });
  expect(done).toMatchObject({
    superseded: { id: old.id, isAvailable: false },
    replacement: { id: replacement.id, isAvailable: true },
  });
  expect(
    await client.findRelationships({ sourceId: old.id, relationshipType: 'superseded_by' }).all(),
  ).toMatchObject([{ targetEntityId: replacement.id }]);
  expect(
    (await client.history('Sample', old.id, { eventTypes: ['EntitySuperseded'] }).first())?.payload,
  ).toMatchObject({ superseded_by_id: replacement.id, reason: 'relabelled' });
  await expect(client.supersedeEntity('Sample', old.id, 'nobody')).rejects.toMatchObject({
    name: 'EntityNotFoundError',
    entityId: 'nobody',
  });
  await expect(client.supersedeEntity('Donor', old.id, replacement.id)).rejects.toMatchObject({
    name: 'EntityNotFoundError',
    entityId: old.id,
  });
  await expect(client.supersedeEntity('Sample', old.id, replacement.id)).rejects.toMatchObject({
    name: 'ConflictError',
  });
});

test("a write refused by the server's rules is a ValidationFailure with the rule, the input and the entity", async () => {
  const failure = await served.client
    .create('Sample', { name: 'a', age: 7 }, { id: 'young' })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ValidationFailure);
  expect(failure).toMatchObject({
    message: 'a donor has to be of age',
    ruleId: 'adult',
    entityType: 'Sample',
    entityId: 'young',
    code: 'VALIDATION_FAILED',
    inputContext: { data: { age: 7 } },
  });
  expect((failure as ValidationFailure).requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect((failure as ValidationFailure).formatDetailedMessage()).toMatch(
    /^Sample young: a donor has to be of age\n {2}rule: adult\n/,
  );
});

test('every field at fault is among the failures of a ValidationFailure', async () => {
  const failure = (await served.client
    .create('Sample', { age: 'old', colour: 'red' })
    .catch((error: unknown) => error)) as ValidationFailure;
  expect(failure).toBeInstanceOf(ValidationFailure);
  expect(failure.failures.map(({ inputContext }) => inputContext['field']).sort()).toEqual([
    'age',
    'colour',
    'name',
  ]);
  expect(failure.ruleId).toBeNull();
  for (const field of ['age', 'colour', 'name']) expect(failure.formatDetailedMessage()).toContain(field);
});

test('bypassValidation leaves the rules out for an administrator, and is refused to others', async () => {
  const { client, server, connect } = served;
  expect(await client.create('Sample', { name: 'a', age: 7 }, { bypassValidation: true })).toMatchObject({
    data: { age: 7 },
  });
  const analyst = connect({ apiKey: await server.newKey({ role: 'analyst' }) });
  await expect(
    analyst.create('Sample', { name: 'a', age: 7 }, { bypassValidation: true }),
  ).rejects.toMatchObject({ name: 'ForbiddenError', requiredRole: 'admin' });
});

test.each([
  ['a NaN', { weight: Number.NaN }],
  ['an infinity', { weight: -Infinity }],
  ['a bigint', { age: 1n }],
  ['a Map', { notes: new Map() }],
  ['a function', { notes: [() => 1] }],
  ['a gap in a list', { notes: [1, undefined] }],
  ['an invalid Date', { notes: new Date(Number.NaN) }],
])('%s is refused before it is sent: JSON would make something else of it', async (_, data) => {
  await expect(served.client.create('Sample', { name: 'a', ...data })).rejects.toMatchObject({
    name: 'ValidationError',
    code: 'LOCAL_VALIDATION',
    requestId: null,
  });
});

test('a value that contains itself is refused, one that is there twice is not', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  await expect(served.client.create('Sample', { name: 'a', notes: circle })).rejects.toThrow(
    'data.notes.self: a value that contains itself cannot be sent',
  );
  const shared = { when: new Date(0) };
  expect(
    (await served.client.create<Sample>('Sample', { name: 'a', notes: [shared, shared] })).data.notes,
  ).toEqual([{ when: '1970-01-01T00:00:00.000Z' }, { when: '1970-01-01T00:00:00.000Z' }]);
});

test.each([
  ['null', null],
  ['a list', [1]],
  ['a Map', new Map([['name', 'x']])],
  ['a text', 'name'],
])('data that is %s is refused: it has no fields', async (_, data) => {
  const { client } = served;
  const sent = data as object; // possible in JavaScript
  for (const write of [
    () => client.create('Sample', sent),
    () => client.ingest('Sample', sent),
    () => client.update('Sample', 'any', sent),
    () => client.validate('Sample', sent),
  ]) {
    await expect(write()).rejects.toMatchObject({ name: 'ValidationError', code: 'LOCAL_VALIDATION' });
  }
});

test('contexts, metadata and bounds that JSON would change are refused before they are sent', async () => {
  const { client } = served;
  const refused = { name: 'ValidationError', code: 'LOCAL_VALIDATION' };
  await expect(
    client.create('Sample', { name: 'a' }, { provenanceContext: { share: Number.NaN } }),
  ).rejects.toMatchObject(refused);
  await expect(client.relate('a', 'b', 'x', { metadata: { of: new Set() } })).rejects.toMatchObject(refused);
  await expect(client.traverse('a', { maxDepth: Number.NaN })).rejects.toMatchObject(refused);
  await expect(client.query('Sample', {}, { pageSize: Number.NaN }).all()).rejects.toMatchObject(refused);
  await expect(client.get('Sample', 'a', { asOf: new Date(Number.NaN) })).rejects.toMatchObject(refused);
  for (const site of [[null], [undefined], new Date(0), [{}]])
    await expect(client.query('Sample', { site: site as unknown as string }).all()).rejects.toMatchObject(
      refused,
    ); // possible in JavaScript
});
