// Relationships: create, list, remove, find, follow, by docs/reference/metadata.md#relationships.
import { expect, test } from 'vitest';
import { callerWith } from '../testkit/metadata.ts';
import { possibleKeys } from '../../subgraphs/metadata/relationships/relationship-writes.ts';
import { metadata, rest, make, relate, traverse, setUp } from './relationships-testkit.ts';

const listed = async (id: string, query = '') =>
  (
    (await rest('GET', `/entities/${encodeURIComponent(id)}/relationships${query}`)).body.data as {
      id: string;
    }[]
  ).map((r) => r.id);

const remove = (id: string, rel: string) =>
  rest('DELETE', `/entities/${encodeURIComponent(id)}/relationships/${encodeURIComponent(rel)}`);

setUp();

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
