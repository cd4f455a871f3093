// Client library: availability, external ids, schemas, the current actor, any GraphQL
// (docs/reference/metadata.md#client-operations).
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  EntityNotFoundError,
  ExternalIdNotFoundError,
  ForbiddenError,
  SchemaError,
  ValidationError,
} from '../../client/src/index.ts';
import { type Served, servedClient } from './served-client.ts';

let served: Served;
beforeAll(async () => {
  served = await servedClient();
});
afterAll(() => served[Symbol.asyncDispose]());

test('availability is read and set, with a reason', async () => {
  const { client } = served;
  const { id } = await client.create('Sample', { name: 'a' });
  expect(await client.availability.get(id)).toEqual({ entityId: id, isAvailable: true });
  expect(await client.availability.set(id, false, { reason: 'lost' })).toEqual({
    entityId: id,
    isAvailable: false,
  });
  expect(await client.availability.set(id, true)).toEqual({ entityId: id, isAvailable: true });
  await expect(client.availability.get('nobody')).rejects.toBeInstanceOf(EntityNotFoundError);
  await expect(client.availability.set('nobody', true)).rejects.toMatchObject({
    name: 'EntityNotFoundError',
    entityId: 'nobody',
  });
});

test('setAvailabilityBulk changes what it can and says what it cannot', async () => {
  const { client } = served;
  const made = [await client.create('Sample', { name: 'a' }), await client.create('Sample', { name: 'b' })];
  const outcome = await client.setAvailabilityBulk('Sample', [...made.map(({ id }) => id), 'nobody'], false, {
    reason: 'recalled',
    actor: 'me',
  });
  expect(outcome).toEqual({
    updated: 2,
    errors: [{ entityId: 'nobody', code: 404, message: expect.stringContaining('nobody') as string }],
  });
  await expect(client.setAvailabilityBulk('Nothing', [], false)).rejects.toBeInstanceOf(SchemaError);
});

test('external ids are registered, found, superseded and listed', async () => {
  const { client } = served;
  const { id } = await client.create('Sample', { name: 'a' });
  const first = await client.externalIds.register(id, 'SAMN01', { idType: 'biosample' });
  expect(first).toMatchObject({
    entityId: id,
    idType: 'biosample',
    externalId: 'SAMN01',
    supersededAt: null,
  });
  expect(await client.externalIds.find('SAMN01', { idType: 'biosample' })).toMatchObject({ id });
  const second = await client.externalIds.supersede(id, 'SAMN01', 'SAMN02', { reason: 'typo' });
  expect(second).toMatchObject({ idType: 'biosample', externalId: 'SAMN02' });
  expect((await client.externalIds.list(id)).map(({ externalId }) => externalId)).toEqual(['SAMN02']);
  expect(
    (await client.externalIds.list(id, { includeSuperseded: true })).map(({ externalId }) => externalId),
  ).toEqual(['SAMN01', 'SAMN02']);
  expect(await client.externalIds.superseded(id)).toMatchObject([{ id: first.id, supersededBy: second.id }]);
  await expect(client.externalIds.find('SAMN01', { idType: 'biosample' })).rejects.toBeInstanceOf(
    ExternalIdNotFoundError,
  );
  expect(await client.externalIds.find('SAMN01', { asOf: first.createdAt })).toMatchObject({ id });
  await expect(client.externalIds.supersede(id, 'none', 'other')).rejects.toMatchObject({
    name: 'ExternalIdNotFoundError',
    externalId: 'none',
  });
  await expect(client.externalIds.list('nobody')).rejects.toBeInstanceOf(EntityNotFoundError);
  await expect(client.externalIds.register('nobody', 'x')).rejects.toBeInstanceOf(EntityNotFoundError);
});

test('an external id has one owner', async () => {
  const { client } = served;
  const [one, other] = [
    await client.create('Sample', { name: 'a' }),
    await client.create('Sample', { name: 'b' }),
  ];
  await client.externalIds.register(one.id, 'mine');
  await expect(client.externalIds.register(other.id, 'mine')).rejects.toMatchObject({
    name: 'ValidationError',
    details: { reason: 'external_id_taken' },
  });
});

test('schemas are created, listed, read and referred to', async () => {
  const { client } = served;
  const definition = {
    name: 'Assay',
    version: '1',
    fields: [
      { name: 'sample', fieldType: 'ref', references: 'Sample', required: true },
      { name: 'reads', fieldType: 'int', indexed: true },
    ],
    rules: [{ ruleId: 'r', expression: 'true', message: 'never' }],
  } as const;
  const made = await client.schemas.create(definition, { provenanceContext: { notes: 'new' } });
  expect(made).toMatchObject({
    name: 'Assay',
    version: '1',
    parent: null,
    fields: [
      { name: 'sample', fieldType: 'ref', references: 'Sample', required: true, many: false, indexed: false },
      { name: 'reads', indexed: true },
    ],
    rules: [{ ruleId: 'r' }],
  });
  expect(await client.schemas.create(definition)).toEqual(made);
  expect(await client.schemas.get('Assay')).toEqual(made);
  expect((await client.schemas.list()).map(({ name }) => name).sort()).toEqual([
    'Assay',
    'Biopsy',
    'Donor',
    'Sample',
  ]);
  expect(await client.schemas.references('Assay')).toEqual([{ field: 'sample', targetEntityType: 'Sample' }]);
  expect(await client.schemas.referenceFaults('Assay', { limit: 10 })).toEqual({
    items: [],
    nextCursor: null,
  });
  const asking = {
    name: 'Panel',
    version: '1',
    fields: [
      { name: 'assay', fieldType: 'ref', references: 'Assay', mustExist: true },
      { name: 'loose', fieldType: 'ref', references: 'Assay' },
    ],
  } as const;
  expect((await client.schemas.create(asking)).fields.map(({ mustExist }) => mustExist)).toEqual([
    true,
    false,
  ]);
});

test('what is wrong with a schema, or missing, is a SchemaError', async () => {
  const { client } = served;
  await expect(client.schemas.get('Nothing')).rejects.toMatchObject({
    name: 'SchemaError',
    code: 'NOT_FOUND',
  });
  await expect(client.schemas.references('Nothing')).rejects.toBeInstanceOf(SchemaError);
  await expect(client.schemas.referenceFaults('Nothing')).rejects.toBeInstanceOf(SchemaError);
  await expect(
    client.schemas.create({
      name: 'Bad',
      version: '1',
      fields: [{ name: 'x', fieldType: 'colour' as 'string' }],
    }),
  ).rejects.toMatchObject({ name: 'SchemaError', code: 'VALIDATION_FAILED' });
});

test('a role that does not reach that far is a ForbiddenError that names the one that does', async () => {
  const viewer = served.connect({ apiKey: await served.server.newKey({ role: 'viewer' }) });
  await expect(viewer.create('Sample', { name: 'a' })).rejects.toMatchObject({
    name: 'ForbiddenError',
    code: 'INSUFFICIENT_ROLE',
    requiredRole: 'analyst',
  });
  await expect(viewer.schemas.create({ name: 'X', version: '1', fields: [] })).rejects.toBeInstanceOf(
    ForbiddenError,
  );
  expect(await viewer.query('Sample').count()).toBeGreaterThan(0);
});

test('a project that the caller is not in is a ForbiddenError that names it', async () => {
  const scoped = await served.server.newKey({ role: 'analyst', project: 'alpha' });
  await expect(served.connect({ apiKey: scoped, project: 'beta' }).me()).rejects.toMatchObject({
    name: 'ForbiddenError',
    code: 'PROJECT_SCOPE_DENIED',
    project: 'beta',
  });
  expect(await served.connect({ apiKey: scoped, project: 'alpha' }).me()).toMatchObject({
    projects: ['alpha'],
  });
});

test('graphql sends queries for which there is no method', async () => {
  const { client } = served;
  expect(await client.me()).toEqual({ actor: 'user:admin', roles: ['admin'], projects: null });
  const { schema } = await client.graphql<{ schema: { name: string } }>(
    'query ($name: String!) { schema(name: $name) { name } }',
    { name: 'Sample' },
  );
  expect(schema.name).toBe('Sample');
  await expect(client.graphql('{ nothing }')).rejects.toMatchObject({
    name: 'ValidationError',
    code: 'INVALID_REQUEST',
  });
  await expect(client.graphql('{ nothing }')).rejects.toBeInstanceOf(ValidationError);
});
