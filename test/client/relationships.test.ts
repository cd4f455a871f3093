// Client library: relate, unrelate, traverse, find (docs/reference/metadata.md#client-operations).
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  EntityNotFoundError,
  RelationshipExistsError,
  RelationshipNotFoundError,
  ValidationError,
} from '../../client/src/index.ts';
import { type Served, servedClient } from './served-client.ts';

let served: Served;
beforeAll(async () => {
  served = await servedClient();
  for (const id of ['a', 'b', 'c', 'd']) await served.client.create('Sample', { name: id }, { id });
});
afterAll(() => served[Symbol.asyncDispose]());

test('relate links two entities and stores the metadata of the link', async () => {
  const { client } = served;
  const made = await client.relate('a', 'b', 'derived_from', {
    metadata: { by: 'hand' },
    provenanceContext: { notes: 'why' },
  });
  expect(made).toMatchObject({
    id: 'a->b:derived_from',
    sourceEntityId: 'a',
    targetEntityId: 'b',
    relationshipType: 'derived_from',
    metadata: { by: 'hand' },
    createdBy: 'user:admin',
  });
  expect(await client.findRelationships({ sourceId: 'a' }).all()).toEqual([made]);
  expect(await client.relationships('b', { direction: 'in' }).all()).toEqual([made]);
  expect(await client.relationships('b', { direction: 'out' }).all()).toEqual([]);
  expect(
    (await client.history('Sample', 'a', { eventTypes: ['RelationshipCreated'] }).first())?.context,
  ).toEqual({ notes: 'why' });
});

test('relating twice is a RelationshipExistsError that names the relationship', async () => {
  await served.client.relate('a', 'c', 'x');
  const refused = served.client.relate('a', 'c', 'x');
  await expect(refused).rejects.toBeInstanceOf(RelationshipExistsError);
  await expect(refused).rejects.toMatchObject({ relationshipId: 'a->c:x' });
});

test('relating what is not there is an EntityNotFoundError that names which', async () => {
  await expect(served.client.relate('a', 'nobody', 'x')).rejects.toMatchObject({
    name: 'EntityNotFoundError',
    entityId: 'nobody',
  });
  await expect(served.client.relate('noone', 'a', 'x')).rejects.toMatchObject({
    name: 'EntityNotFoundError',
    entityId: 'noone',
  });
});

test('unrelate removes it; again is a RelationshipNotFoundError', async () => {
  const { client } = served;
  await client.relate('c', 'd', 'y');
  expect(await client.unrelate('c', 'd', 'y', { reason: 'mistake' })).toEqual({
    id: 'c->d:y',
    sourceEntityId: 'c',
    targetEntityId: 'd',
    relationshipType: 'y',
  });
  expect(
    await client.findRelationships({ sourceId: 'c', targetId: 'd', relationshipType: 'y' }).all(),
  ).toEqual([]);
  const again = client.unrelate('c', 'd', 'y');
  await expect(again).rejects.toBeInstanceOf(RelationshipNotFoundError);
  await expect(again).rejects.toMatchObject({ relationshipId: 'c->d:y' });
});

test('traverse follows relationships to a depth, each entity once, round circles too', async () => {
  const { client } = served;
  for (const [from, to] of [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
    ['c', 'd'],
  ] as const)
    await client.relate(from, to, 'next');
  const { nodes, isComplete } = await client.traverse('a', { relationshipType: 'next' });
  expect(nodes.map(({ entityId, depth, path }) => ({ entityId, depth, path }))).toEqual([
    { entityId: 'b', depth: 1, path: ['a', 'b'] },
    { entityId: 'c', depth: 2, path: ['a', 'b', 'c'] },
    { entityId: 'd', depth: 3, path: ['a', 'b', 'c', 'd'] },
  ]);
  expect(nodes[0]).toMatchObject({
    entity: { entityType: 'Sample', data: { name: 'b' } },
    relationship: { id: 'a->b:next' },
  });
  expect(isComplete).toBe(true);
  expect((await client.traverse('a', { relationshipType: 'next', maxDepth: 1 })).nodes).toHaveLength(1);
  expect(
    (await client.traverse('d', { relationshipType: 'next', direction: 'in', maxDepth: 1 })).nodes.map(
      ({ entityId }) => entityId,
    ),
  ).toEqual(['c']);
  expect(await client.traverse('a', { relationshipType: 'next', limit: 2 })).toMatchObject({
    isComplete: false,
    nodes: { length: 2 },
  });
});

test('traverse refuses depths out of range and unknown starts', async () => {
  await expect(served.client.traverse('a', { maxDepth: 101 })).rejects.toBeInstanceOf(ValidationError);
  await expect(served.client.traverse('nobody')).rejects.toBeInstanceOf(EntityNotFoundError);
  await expect(served.client.relationships('nobody').all()).rejects.toBeInstanceOf(EntityNotFoundError);
});

test('relationships are read to the end while those that were read are removed', async () => {
  const { client } = served;
  const ids = Array.from({ length: 6 }, (_, i) => `spoke:${i}`);
  for (const id of ids) await client.create('Sample', { name: id }, { id });
  for (const [i, id] of ids.entries())
    await (i % 2 === 0 ? client.relate('d', id, 'spoke') : client.relate(id, 'd', 'spoke'));
  await client.relate('d', 'd', 'spoke');
  for (const direction of ['out', 'in', 'both'] as const) {
    const before = await client.relationships('d', { relationshipType: 'spoke', direction }).all();
    expect(before).toHaveLength({ out: 4, in: 4, both: 7 }[direction]);
    const seen: string[] = [];
    for await (const { id, sourceEntityId, targetEntityId } of client.relationships('d', {
      relationshipType: 'spoke',
      direction,
      pageSize: 2,
    })) {
      seen.push(id);
      await client.unrelate(sourceEntityId, targetEntityId, 'spoke');
    }
    expect(seen).toEqual(before.map(({ id }) => id));
    for (const { sourceEntityId, targetEntityId } of before)
      await client.relate(sourceEntityId, targetEntityId, 'spoke');
  }
});

test('findRelationships and relationships read every page', async () => {
  const { client } = served;
  const ids = Array.from({ length: 7 }, (_, i) => `hub:${i}`);
  for (const id of ids) {
    await client.create('Sample', { name: id }, { id });
    await client.relate('d', id, 'hub');
  }
  expect(
    (await client.findRelationships({ relationshipType: 'hub', pageSize: 3 }).all()).map(
      (r) => r.targetEntityId,
    ),
  ).toEqual(ids);
  expect(
    (await client.relationships('d', { relationshipType: 'hub', pageSize: 3 }).all()).map(
      (r) => r.targetEntityId,
    ),
  ).toEqual(ids);
});
