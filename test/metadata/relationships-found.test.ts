// Finding and traversing relationships.
import { expect, test } from 'vitest';
import { metadata, rest, make, relate, traverse, setUp } from './relationships-testkit.ts';

setUp();

test('unrelate names source, target and type, and says what is missing', async () => {
  await make('n1', 'n2');
  const unrelate =
    'mutation($s: ID!, $t: ID!, $y: String!) { unrelate(sourceId: $s, targetId: $t, relationshipType: $y, reason: "wrong") { id } }';
  await relate('n1', 'n2', 'a');
  await expect(metadata.ask(unrelate, { s: 'n1', t: 'n2', y: 'b' })).rejects.toMatchObject({
    details: { reason: 'relationship_not_found' },
  });
  await expect(metadata.ask(unrelate, { s: 'n1', t: 'nothing', y: 'a' })).rejects.toThrow(
    'NOT_FOUND: entity not found: nothing',
  );
  expect(await metadata.ask(unrelate, { s: 'n1', t: 'n2', y: 'a' })).toEqual({ id: 'n1->n2:a' });
  const history = (await rest('GET', '/entities/n1/history?event_types=RelationshipRemoved')).body.data;
  expect(history[0].payload).toEqual({ relationship_id: 'n1->n2:a', relationship: 'a', reason: 'wrong' });
});

test('relationships are found by any of either end, source, target and type, page by page', async () => {
  await make('f1', 'f2', 'f3');
  for (const [s, t, y] of [
    ['f1', 'f2', 'k'],
    ['f1', 'f3', 'k'],
    ['f2', 'f3', 'k'],
    ['f1', 'f2', 'o'],
  ] as const)
    await relate(s, t, y);
  const find = async (args: string) => {
    const page = (await metadata.ask(`{ findRelationships(${args}) { items { id } nextCursor } }`)) as {
      items: { id: string }[];
      nextCursor: string | null;
    };
    return { ids: page.items.map((r) => r.id), next: page.nextCursor };
  };
  expect(await find('sourceId: "f1"')).toEqual({ ids: ['f1->f2:k', 'f1->f3:k', 'f1->f2:o'], next: null });
  expect(await find('targetId: "f3", relationshipType: "k"')).toEqual({
    ids: ['f1->f3:k', 'f2->f3:k'],
    next: null,
  });
  expect(await find('sourceId: "f1", targetId: "f2", relationshipType: "o"')).toEqual({
    ids: ['f1->f2:o'],
    next: null,
  });
  await relate('f2', 'f2', 'o');
  expect(await find('entityId: "f2"')).toEqual({
    ids: ['f1->f2:k', 'f2->f3:k', 'f1->f2:o', 'f2->f2:o'],
    next: null,
  });
  expect(await find('entityId: "f2", targetId: "f2", relationshipType: "o"')).toEqual({
    ids: ['f1->f2:o', 'f2->f2:o'],
    next: null,
  });
  const first = await find('relationshipType: "k", limit: 2');
  expect(first.ids).toEqual(['f1->f2:k', 'f1->f3:k']);
  expect(await find(`relationshipType: "k", limit: 2, cursor: "${first.next}"`)).toEqual({
    ids: ['f2->f3:k'],
    next: null,
  });
  await expect(find('limit: 0')).rejects.toThrow('VALIDATION_FAILED');
  await expect(find('cursor: "junk"')).rejects.toThrow('VALIDATION_FAILED');
});

test('traversal reaches every entity once, nearest first, with its path, whatever cycles there are', async () => {
  await make('g1', 'g2', 'g3', 'g4', 'g5');
  for (const [s, t, y] of [
    ['g1', 'g2', 'n'],
    ['g2', 'g3', 'n'],
    ['g3', 'g1', 'n'],
    ['g1', 'g1', 'n'],
    ['g3', 'g4', 'n'],
    ['g1', 'g4', 'o'],
    ['g5', 'g1', 'n'],
  ] as const)
    await relate(s, t, y);
  const all = await traverse({ s: 'g1' });
  expect(all.isComplete).toBe(true);
  expect(all.nodes).toEqual([
    { entityId: 'g2', depth: 1, path: ['g1', 'g2'], relationship: { id: 'g1->g2:n' }, entity: { id: 'g2' } },
    { entityId: 'g4', depth: 1, path: ['g1', 'g4'], relationship: { id: 'g1->g4:o' }, entity: { id: 'g4' } },
    {
      entityId: 'g3',
      depth: 2,
      path: ['g1', 'g2', 'g3'],
      relationship: { id: 'g2->g3:n' },
      entity: { id: 'g3' },
    },
  ]);
  const ids = async (variables: object) =>
    (await traverse({ s: 'g1', ...variables })).nodes.map((n) => n.entityId);
  expect(await ids({ t: 'n' })).toEqual(['g2', 'g3', 'g4']);
  expect(await ids({ t: 'n', d: 2 })).toEqual(['g2', 'g3']);
  expect(await ids({ dir: 'IN' })).toEqual(['g3', 'g5', 'g2']);
  expect(await ids({ dir: 'BOTH' })).toEqual(['g2', 'g3', 'g4', 'g5']);
  expect(await traverse({ s: 'g1', l: 2 })).toMatchObject({
    isComplete: false,
    nodes: [{ entityId: 'g2' }, { entityId: 'g4' }],
  });
  expect(await traverse({ s: 'nothing' })).toBeNull();
  for (const wrong of [{ d: 0 }, { d: 101 }, { l: 0 }, { l: 10_001 }])
    await expect(traverse({ s: 'g1', ...wrong })).rejects.toThrow('VALIDATION_FAILED');
  expect((await traverse({ s: 'g1', d: 100 })).nodes).toHaveLength(3);
});

test('relationships of many entities in one query are read together', async () => {
  await make('h1', 'h2', 'h3');
  await relate('h1', 'h2', 'a');
  await relate('h2', 'h3', 'a');
  const statements: unknown[] = [];
  const { pool } = metadata.database;
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    query: (...args: Parameters<typeof query>) => {
      statements.push(args[0]);
      return query(...args);
    },
  });
  const page = (await metadata.ask(
    '{ entities(entityType: "Thing", orderBy: "-id", limit: 1000) { items { id relationships(direction: OUT) { id target { id } } externalIds { id } } } }',
  )) as { items: { id: string; relationships: { id: string; target: { id: string } }[] }[] };
  Object.assign(pool, { query });
  expect(page.items.find((e) => e.id === 'h1')?.relationships).toEqual([
    { id: 'h1->h2:a', target: { id: 'h2' } },
  ]);
  // the page, its relationships, its external ids, the targets
  expect(statements.length).toBeLessThanOrEqual(4);
});
