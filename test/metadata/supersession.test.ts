// Superseding an entity: events, relationship and availability, all or none
// (docs/reference/metadata.md#supersession).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

interface Event {
  eventType: string;
  actor: string;
  context: unknown;
  payload: Record<string, unknown>;
}
const SUPERSEDE = `mutation($id: ID!, $by: ID!, $reason: String, $c: ProvenanceContext) {
  supersedeEntity(id: $id, replacementId: $by, reason: $reason, context: $c) { superseded { id isAvailable version updatedAt } replacement { id isAvailable version data updatedAt } } }`;

let metadata: FreshMetadata;
const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;
const history = (id: string) =>
  ask<Event[]>('query($id: ID!) { entityHistory(entityId: $id) { eventType actor context payload } }', {
    id,
  });
const make = async (id: string, data: object = {}) =>
  ask('mutation($id: ID!, $d: JSON!) { ingestEntity(entityType: "Thing", id: $id, data: $d) { id } }', {
    id,
    d: data,
  });

beforeAll(async () => {
  metadata = await freshMetadata();
  const fields = [
    { name: 'label', field_type: 'string' },
    { name: 'project', field_type: 'string' },
  ];
  await ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Thing', version: '1', fields },
  });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('supersession writes the events of both entities, relates them and makes the old one unavailable', async () => {
  await make('old', { label: 'o' });
  await make('new', { label: 'n' });
  const done = await ask<Record<string, Record<string, unknown>>>(
    SUPERSEDE,
    { id: 'old', by: 'new', reason: 'resequenced', c: { notes: 'batch 7' } },
    callerWith('project_lead'),
  );
  expect(done).toMatchObject({
    superseded: { id: 'old', isAvailable: false, version: 1 },
    replacement: { id: 'new', isAvailable: true, version: 1, data: { label: 'n' } },
  });
  const [of, by] = [(await history('old')).slice(1), (await history('new')).slice(1)];
  expect(of.map((e) => [e.eventType, e.payload])).toEqual([
    ['EntitySuperseded', { superseded_by_id: 'new', reason: 'resequenced' }],
    [
      'RelationshipCreated',
      {
        relationship: 'superseded_by',
        from_id: 'old',
        from_type: 'Thing',
        to_id: 'new',
        to_type: 'Thing',
        properties: {},
      },
    ],
    ['AvailabilityChanged', { previous: true, current: false, reason: 'resequenced' }],
  ]);
  expect(by.map((e) => [e.eventType, e.payload])).toEqual([
    [
      'EntityUpdated',
      {
        previous_state: { label: 'n' },
        new_state: { label: 'n' },
        changed_fields: [],
        note: 'supersedes entity old',
        supersedes: 'old',
      },
    ],
  ]);
  for (const event of [...of, ...by])
    expect(event).toMatchObject({ actor: 'user:project_lead', context: { notes: 'batch 7' } });
  expect(await ask('{ relationships(entityId: "new") { id } }')).toEqual([{ id: 'old->new:superseded_by' }]);
  expect(await ask('{ entity(id: "old") { isAvailable updatedAt } }')).toEqual({
    isAvailable: false,
    updatedAt: done['superseded']?.['updatedAt'],
  });
  expect(await ask('{ entity(id: "new") { updatedAt } }')).toEqual({
    updatedAt: done['replacement']?.['updatedAt'],
  });
});

test('an entity that it supersedes already, itself, and an absent entity are rejected, and nothing is written', async () => {
  await make('a');
  await make('b');
  await ask(SUPERSEDE, { id: 'a', by: 'b' });
  const before = await history('a');
  await expect(ask(SUPERSEDE, { id: 'a', by: 'b' })).rejects.toThrow('CONFLICT');
  await expect(ask(SUPERSEDE, { id: 'b', by: 'b' })).rejects.toThrow('VALIDATION_FAILED');
  await expect(ask(SUPERSEDE, { id: 'b', by: 'nothing' })).rejects.toThrow('NOT_FOUND');
  await expect(ask(SUPERSEDE, { id: 'nothing', by: 'b' })).rejects.toThrow('NOT_FOUND');
  expect(await history('a')).toEqual(before);
  expect(before.at(-1)?.payload).toEqual({ previous: true, current: false, reason: 'superseded' });
});

test('an entity that is already unavailable or related is superseded without repeating either', async () => {
  await make('c');
  await make('d');
  await ask('mutation { deleteEntity(id: "c") { id } }');
  await ask(SUPERSEDE, { id: 'c', by: 'd' });
  expect((await history('c')).map((e) => e.eventType)).toEqual([
    'EntityCreated',
    'AvailabilityChanged',
    'EntitySuperseded',
    'RelationshipCreated',
  ]);
  await make('e');
  await ask('mutation { relate(sourceId: "e", targetId: "d", relationshipType: "superseded_by") { id } }');
  await ask(SUPERSEDE, { id: 'e', by: 'd' });
  expect((await history('e')).map((e) => e.eventType)).toEqual([
    'EntityCreated',
    'RelationshipCreated',
    'EntitySuperseded',
    'AvailabilityChanged',
  ]);
});

test('supersession takes a project lead who may see both entities', async () => {
  await make('p', { project: 'alpha' });
  await make('q', { project: 'beta' });
  await expect(ask(SUPERSEDE, { id: 'p', by: 'q' }, callerWith('analyst'))).rejects.toThrow(
    'INSUFFICIENT_ROLE',
  );
  await expect(ask(SUPERSEDE, { id: 'p', by: 'q' }, callerWith('project_lead', ['alpha']))).rejects.toThrow(
    'NOT_FOUND: entity not found: q',
  );
  expect((await history('p')).length).toBe(1);
});

test('if the database refuses one part, nothing of it remains', async () => {
  await make('t1');
  await make('t2');
  const { asSuperuser } = await import('../testkit/database.ts');
  const name = new URL(metadata.database.url).pathname.slice(1);
  await asSuperuser(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'; CREATE TRIGGER refuse BEFORE INSERT ON metadata.relationship FOR EACH ROW EXECUTE FUNCTION refuse()`,
    name,
  );
  await expect(ask(SUPERSEDE, { id: 't1', by: 't2' })).rejects.toThrow('INTERNAL_ERROR: internal error');
  expect((await history('t1')).length + (await history('t2')).length).toBe(2);
  expect(await ask('{ entity(id: "t1") { isAvailable } }')).toEqual({ isAvailable: true });
  await asSuperuser('DROP TRIGGER refuse ON metadata.relationship', name);
  await ask(SUPERSEDE, { id: 't1', by: 't2' });
  expect((await history('t1')).length).toBe(4);
});

test('a superseded entity cannot be superseded again until the relationship is removed', async () => {
  for (const id of ['s1', 's2', 's3']) await make(id);
  await ask(SUPERSEDE, { id: 's1', by: 's2' });
  await expect(ask(SUPERSEDE, { id: 's1', by: 's3' })).rejects.toThrow('CONFLICT');
  await ask('mutation { setAvailability(id: "s1", isAvailable: true) { id } }');
  await expect(ask(SUPERSEDE, { id: 's1', by: 's3' })).rejects.toThrow('CONFLICT');
  await ask(
    'mutation { unrelate(sourceId: "s1", targetId: "s2", relationshipType: "superseded_by") { id } }',
  );
  await ask(SUPERSEDE, { id: 's1', by: 's3' });
  expect(await ask('{ relationships(entityId: "s1") { id } }')).toEqual([{ id: 's1->s3:superseded_by' }]);
});

test('supersession cannot form a cycle of any length, nor a second successor by a relationship made by hand', async () => {
  for (const id of ['c1', 'c2', 'c3', 'c4']) await make(id);
  for (const [id, by] of [
    ['c1', 'c2'],
    ['c2', 'c3'],
    ['c3', 'c4'],
  ])
    await ask(SUPERSEDE, { id, by });
  for (const by of ['c1', 'c2', 'c3'])
    await expect(ask(SUPERSEDE, { id: 'c4', by })).rejects.toThrow('CONFLICT');
  const relate = (source: string, target: string, type: string): Promise<unknown> =>
    ask(
      'mutation($s: ID!, $t: ID!, $y: String!) { relate(sourceId: $s, targetId: $t, relationshipType: $y) { id } }',
      { s: source, t: target, y: type },
    );
  await expect(relate('c4', 'c1', 'superseded_by')).rejects.toThrow('CONFLICT');
  await expect(relate('c4', 'c4', 'superseded_by')).rejects.toThrow('CONFLICT');
  await expect(relate('c1', 'c3', 'superseded_by')).rejects.toThrow('CONFLICT'); // c2 has superseded it
  await relate('c4', 'c1', 'derived_from');
  await relate('c4', 'c4', 'derived_from');
});

test('of many supersessions at once each entity has one successor, and none lead in a circle', async () => {
  const ids = Array.from({ length: 8 }, (_, i) => `m${i}`);
  for (const id of ids) await make(id);
  const pairs = ids.flatMap((id) => ids.filter((by) => by !== id).map((by) => ({ id, by })));
  const outcomes = await Promise.allSettled(pairs.map((pair) => ask(SUPERSEDE, pair)));
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(String(outcome.reason)).toContain('CONFLICT');
  const successor = new Map<string, string>();
  for (const id of ids) {
    const found = await ask<{ targetEntityId: string }[]>(
      'query($id: ID!) { relationships(entityId: $id, direction: OUT) { targetEntityId } }',
      { id },
    );
    expect(found.length).toBeLessThanOrEqual(1);
    if (found[0]) successor.set(id, found[0].targetEntityId);
  }
  expect(successor.size).toBe(7); // all lead to one end
  for (const id of ids) {
    let steps = 0;
    for (let at = successor.get(id); at !== undefined; at = successor.get(at))
      expect(++steps).toBeLessThan(8);
  }
});
