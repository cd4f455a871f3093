// Relationships: create, list, remove, find, follow, by docs/reference/metadata.md#relationships.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metadataFace, type MetadataFace } from '../testkit/metadata-rest-api.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';
import { possibleKeys } from '../../subgraphs/metadata/relationships/relationship-writes.ts';

let metadata: FreshMetadata;
let rest: MetadataFace;
const make = async (...ids: string[]) => {
  for (const id of ids) await rest('POST', '/ingest', { body: { entity_type: 'Thing', data: { id } } });
};
const relate = (source: string, target: string, type: string, more: object = {}) =>
  rest('POST', `/entities/${encodeURIComponent(source)}/relationships`, {
    body: { target_entity_id: target, relationship_type: type, ...more },
  });
const listed = async (id: string, query = '') =>
  (
    (await rest('GET', `/entities/${encodeURIComponent(id)}/relationships${query}`)).body.data as {
      id: string;
    }[]
  ).map((r) => r.id);
const remove = (id: string, rel: string) =>
  rest('DELETE', `/entities/${encodeURIComponent(id)}/relationships/${encodeURIComponent(rel)}`);
const TRAVERSE = `query($s: ID!, $t: String, $d: Int, $dir: RelationshipDirection, $l: Int) {
  traverse(sourceId: $s, relationshipType: $t, maxDepth: $d, direction: $dir, limit: $l) { isComplete nodes { entityId depth path relationship { id } entity { id } } } }`;
interface Traversal {
  isComplete: boolean;
  nodes: {
    entityId: string;
    depth: number;
    path: string[];
    relationship: { id: string };
    entity: { id: string };
  }[];
}
const traverse = (variables: object, caller = callerWith('viewer')) =>
  metadata.ask(TRAVERSE, { d: 10, ...variables }, caller) as Promise<Traversal>;

beforeAll(async () => {
  metadata = await freshMetadata();
  rest = metadataFace(metadata.component);
  await rest('POST', '/schemas', {
    body: {
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'project', field_type: 'string' },
        { name: 'label', field_type: 'string' },
      ],
    },
  });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('a relationship is made with its id, metadata, time and maker, and recorded on its source', async () => {
  await make('s1', 't1');
  const made = await relate('s1', 't1', 'derived_from', { metadata: { weight: 0.5 } });
  expect(made.status).toBe(200);
  expect(made.body.data).toEqual({
    id: 's1->t1:derived_from',
    source_entity_id: 's1',
    target_entity_id: 't1',
    relationship_type: 'derived_from',
    metadata: { weight: 0.5 },
    created_at: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/),
    created_by: 'user:admin',
  });
  expect((await rest('GET', '/entities/s1/relationships')).body.data).toEqual([made.body.data]);
  expect((await rest('GET', '/entities/s1')).body.data).toMatchObject({
    version: 1,
    updated_at: made.body.data.created_at,
  });
  const [, event] = (await rest('GET', '/entities/s1/history')).body.data;
  expect(event).toMatchObject({
    event_type: 'RelationshipCreated',
    entity_id: 's1',
    timestamp: made.body.data.created_at,
  });
  expect(event.payload).toEqual({
    relationship: 'derived_from',
    from_id: 's1',
    from_type: 'Thing',
    to_id: 't1',
    to_type: 'Thing',
    properties: { weight: 0.5 },
  });
});

test('listing shows both directions, or one, of all types, or one; a relationship to itself once', async () => {
  await make('l1', 'l2', 'l3');
  await relate('l1', 'l2', 'a');
  await relate('l3', 'l1', 'a');
  await relate('l1', 'l1', 'b');
  expect(await listed('l1')).toEqual(['l1->l2:a', 'l3->l1:a', 'l1->l1:b']);
  expect(await listed('l1', '?direction=out')).toEqual(['l1->l2:a', 'l1->l1:b']);
  expect(await listed('l1', '?direction=in')).toEqual(['l3->l1:a', 'l1->l1:b']);
  expect(await listed('l1', '?relationship_type=a')).toEqual(['l1->l2:a', 'l3->l1:a']);
  expect(await listed('l1', '?limit=1&offset=1')).toEqual(['l3->l1:a']);
  expect((await rest('GET', '/entities/l1/relationships?direction=up')).status).toBe(422);
  expect((await rest('GET', '/entities/nothing/relationships')).status).toBe(404);
  expect((await rest('GET', '/entities/t1/relationships')).body.data).toHaveLength(1);
});

test('missing parts are 404 or 422: source, target, fields, types', async () => {
  await make('m1');
  expect((await relate('m1', 'nothing', 'a')).status).toBe(404);
  expect((await relate('nothing', 'm1', 'a')).status).toBe(404);
  for (const body of [
    { relationship_type: 'a' },
    { target_entity_id: 'm1' },
    { target_entity_id: 5, relationship_type: 'a' },
    { target_entity_id: 'm1', relationship_type: '' },
    { target_entity_id: 'm1', relationship_type: 'a/b' },
    { target_entity_id: 'm1', relationship_type: 'x'.repeat(201) },
    { target_entity_id: 'm1', relationship_type: 'a', metadata: [] },
  ]) {
    expect((await rest('POST', '/entities/m1/relationships', { body })).status).toBe(422);
  }
});

test('an existing one is 422, a removed one can be made again', async () => {
  await make('x1', 'x2');
  await relate('x1', 'x2', 'a');
  const again = await relate('x1', 'x2', 'a');
  expect(again).toMatchObject({ status: 422, body: { error: { code: 422 } } });
  expect((await remove('x1', 'x1->x2:a')).body.data).toEqual({
    status: 'deleted',
    relationship_id: 'x1->x2:a',
  });
  expect(await listed('x1')).toEqual([]);
  expect(await listed('x2')).toEqual([]);
  expect(await remove('x1', 'x1->x2:a')).toMatchObject({ status: 404, body: { error: { code: 404 } } });
  expect((await relate('x1', 'x2', 'a')).status).toBe(200);
  const types = (
    (await rest('GET', '/entities/x1/history')).body.data as { event_type: string; payload: unknown }[]
  ).slice(1);
  expect(types.map((e) => e.event_type)).toEqual([
    'RelationshipCreated',
    'RelationshipRemoved',
    'RelationshipCreated',
  ]);
  expect(types[1]?.payload).toEqual({ relationship_id: 'x1->x2:a', relationship: 'a', reason: null });
});

test('it is removed by its id from either end, and only from its ends', async () => {
  await make('e1', 'e2', 'e3');
  await relate('e1', 'e2', 'a');
  expect((await remove('e3', 'e1->e2:a')).status).toBe(404);
  expect((await remove('nothing', 'e1->e2:a')).body.error.message).toBe('entity not found: nothing');
  expect((await remove('e2', 'e1->e2:a')).status).toBe(200);
  for (const junk of ['junk', '->', ':', 'e1->e2', 'e1->:a', 'e1->e2:', '%', 'x'.repeat(3000)])
    expect((await remove('e1', junk)).status).toBe(404);
});

test('ids and types that hold arrows and colons are read right', async () => {
  await make('p->q', 'u:v', 'w', 'a->b:c', 'b:c', 'b');
  for (const [source, target, type] of [
    ['p->q', 'u:v', 'r'],
    ['w', 'p->q', 'ns:rel'],
    ['u:v', 'w', 'prov:was derived from'],
    ['a->b:c', 'a->b:c', 'x'],
  ] as const) {
    const id = (await relate(source, target, type)).body.data.id as string;
    expect(id).toBe(`${source}->${target}:${type}`);
    expect((await remove(target, id)).body.data).toEqual({ status: 'deleted', relationship_id: id });
  }
  await relate('w', 'b', 'c:d');
  await relate('w', 'b:c', 'd'); // the same id: only source, target and type distinguish them
  expect(await remove('w', 'w->b:c:d')).toMatchObject({ status: 422 });
  expect((await remove('b:c', 'w->b:c:d')).status).toBe(200);
  expect(await listed('w')).toEqual(['w->b:c:d']);
  expect(possibleKeys('e', 'e->f:g:h')).toEqual([
    { sourceId: 'e', targetId: 'f', type: 'g:h' },
    { sourceId: 'e', targetId: 'f:g', type: 'h' },
  ]);
});

test('a relationship to an entity that one may not see is not shown and cannot be made', async () => {
  for (const [id, project] of [
    ['va', 'alpha'],
    ['vb', 'beta'],
    ['vs', null],
  ] as const) {
    await rest('POST', '/ingest', { body: { entity_type: 'Thing', id, data: { project } } });
  }
  const alpha = callerWith('project_lead', ['alpha']);
  for (const [s, t] of [
    ['va', 'vb'],
    ['va', 'vs'],
    ['vb', 'vs'],
    ['vs', 'vb'],
  ] as const)
    expect((await relate(s, t, 'r')).status).toBe(200);
  const seen = async (id: string) =>
    (
      (await rest('GET', `/entities/${id}/relationships`, { caller: alpha })).body.data as { id: string }[]
    ).map((r) => r.id);
  expect(await seen('va')).toEqual(['va->vs:r']);
  expect(await seen('vs')).toEqual(['va->vs:r']);
  expect((await rest('GET', '/entities/vb/relationships', { caller: alpha })).status).toBe(404);
  for (const [s, t] of [
    ['va', 'vb'],
    ['vb', 'va'],
  ] as const) {
    expect(
      (
        await rest('POST', `/entities/${s}/relationships`, {
          caller: alpha,
          body: { target_entity_id: t, relationship_type: 'new' },
        })
      ).status,
    ).toBe(404);
  }
  expect((await rest('DELETE', '/entities/va/relationships/va-%3Evb%3Ar', { caller: alpha })).status).toBe(
    404,
  );
  const found = (await metadata.ask(
    '{ findRelationships(relationshipType: "r") { items { id } } }',
    {},
    alpha,
  )) as { items: { id: string }[] };
  expect(found.items.map((r) => r.id)).toEqual(['va->vs:r']);
  expect((await traverse({ s: 'va', dir: 'BOTH' }, alpha)).nodes.map((n) => n.entityId)).toEqual(['vs']);
  expect((await traverse({ s: 'va', dir: 'BOTH' })).nodes.map((n) => n.entityId)).toEqual(['vb', 'vs']);
  const entity = await metadata.ask(
    '{ entity(id: "vs") { relationships(direction: IN) { id source { id } target { id } } } }',
    {},
    alpha,
  );
  expect(entity).toEqual({ relationships: [{ id: 'va->vs:r', source: { id: 'va' }, target: { id: 'vs' } }] });
});

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
