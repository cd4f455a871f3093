// The decisions of a batch of writes: each write can be undone on its own, and writes that cannot share a
// statement wait.
import { expect, test } from 'vitest';
import { nextState } from '../../platform/entity-columns.ts';
import type { Loaded, LoadedEntity } from '../../subgraphs/metadata/log/pending.ts';
import { Deferred } from '../../subgraphs/metadata/log/pending.ts';
import { WorkingSet } from '../../subgraphs/metadata/log/working-set.ts';
import type { Author, WriteView } from '../../subgraphs/metadata/log/write.ts';
import { SchemaCatalogue } from '../../subgraphs/metadata/schema-model/schema-catalogue.ts';

const author: Author = { actor: 'user:ada', roles: ['admin'], projects: '*', contextText: null };
const entity = (id: string): LoadedEntity => ({
  ...nextState({ before: null, data: { n: 1 }, actor: 'user:ada' }),
  id,
  entityType: 'Thing',
  data: { n: 1 },
  version: 3,
  isAvailable: true,
  project: null,
  firstEvent: '1',
  stateEvent: '5',
  lastEvent: '7',
  createdAt: 'c',
  updatedAt: 'u',
});
const key = { sourceId: 'a', targetId: 'b', type: 't' };
const unique = (text: string) => ({ scope: 'Thing', field: 'n', hash: Buffer.from(text) });
const setOf = (loaded: Partial<Loaded> = {}) =>
  new WorkingSet(new SchemaCatalogue(0, []), {
    entities: [entity('a'), entity('b')],
    relationships: [],
    externalIds: [],
    uniques: [],
    ...loaded,
  });

/** Everything that would be written, as values. */
const contents = (set: WorkingSet) =>
  structuredClone({
    events: set.events,
    entities: set.entities,
    newRelationships: set.relationships.made,
    endedRelationships: set.relationships.ended,
    newExternalIds: set.externalIds.added,
    endedExternalIds: set.externalIds.ended,
    taken: set.uniques.taken,
    freed: set.uniques.freed,
    passed: set.uniques.passed,
  });

const everything = (view: WriteView): void => {
  view.create({ id: 'c', entityType: 'Thing', data: {}, project: null }, 'words');
  view.update('a', { data: { n: 2 }, project: 'p', searchText: 'two', changedFields: ['n'] });
  view.setAvailability('b', false, 'r');
  view.relate({ ...key, type: 'new' }, { w: 1 });
  view.unrelate(key, null);
  view.addExternalId('a', { idType: 'default', value: 'fresh' });
  view.supersedeExternalId({ idType: 'default', value: 'old' }, { idType: 'default', value: 'new' }, null);
  view.freeUnique(unique('mine'));
  view.takeUnique(unique('mine'), 'b');
  view.takeUnique(unique('other'), 'a');
  view.recordInstance('ReferenceDataInstalled', {});
};
const stored: Partial<Loaded> = {
  relationships: [{ ...key, metadata: null }],
  externalIds: [{ idType: 'default', value: 'old', recordId: 'x', entityId: 'a' }],
  uniques: [{ ...unique('mine'), entityId: 'a' }],
};

test('a write that throws has no effect, and earlier writes of the batch are kept', () => {
  const set = setOf(stored);
  set.attempt(author, (view) => view.setAvailability('a', false, 'first'));
  const before = contents(set);
  expect(() =>
    set.attempt(author, (view) => {
      everything(view);
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(contents(set)).toEqual(before);
  expect(set.entity('c')).toBeUndefined();
  expect(set.relationship(key)).toBeDefined();
  expect(set.relationship({ ...key, type: 'new' })).toBeUndefined();
  expect(set.externalId({ idType: 'default', value: 'old' })).toBeDefined();
  expect(set.externalId({ idType: 'default', value: 'fresh' })).toBeUndefined();
  expect(set.holder(unique('mine'))).toBe('a');
  expect(set.holder(unique('other'))).toBeUndefined();
  set.attempt(author, everything); // and it can be retried
  expect(set.events).toHaveLength(9);
});

test('later writes of a batch see what earlier ones decided', () => {
  const set = setOf();
  set.attempt(author, (view) => view.create({ id: 'c', entityType: 'Thing', data: {}, project: null }, ''));
  set.attempt(author, (view) => {
    view.relate({ ...key, targetId: 'c' }, null);
  });
  set.attempt(author, (view) =>
    view.update('c', { data: { n: 1 }, project: null, searchText: '', changedFields: ['n'] }),
  );
  expect(set.entity('c')).toMatchObject({ version: 2, data: { n: 1 } });
  expect(set.events.map((e) => [e.type, e.entityId])).toEqual([
    ['EntityCreated', 'c'],
    ['RelationshipCreated', 'a'],
    ['EntityUpdated', 'c'],
  ]);
});

test('a write that repeats or ends what an earlier write of its batch has ended or created is deferred', () => {
  const related = setOf(stored);
  related.attempt(author, (view) => {
    view.unrelate(key, null);
  });
  expect(() =>
    related.attempt(author, (view) => {
      view.relate(key, null);
    }),
  ).toThrow(Deferred);
  const fresh = setOf();
  fresh.attempt(author, (view) => {
    view.relate(key, null);
  });
  expect(() =>
    fresh.attempt(author, (view) => {
      view.unrelate(key, null);
    }),
  ).toThrow(Deferred);
  expect(fresh.events).toHaveLength(1);

  const [old, next] = [
    { idType: 'default', value: 'old' },
    { idType: 'default', value: 'new' },
  ];
  const ids = setOf(stored);
  ids.attempt(author, (view) => {
    view.supersedeExternalId(old, next, null);
  });
  expect(() =>
    ids.attempt(author, (view) => {
      view.supersedeExternalId(next, old, null);
    }),
  ).toThrow(Deferred);
  expect(() =>
    ids.attempt(author, (view) => {
      view.supersedeExternalId(next, { idType: 'default', value: 'third' }, null);
    }),
  ).toThrow(Deferred);
  expect(() =>
    ids.attempt(author, (view) => {
      view.addExternalId('b', old);
    }),
  ).toThrow(Deferred);
  expect(ids.events).toHaveLength(1);
});

test('a unique value that one entity releases can be taken by another in the batch; intermediate values leave no trace', () => {
  const set = setOf(stored);
  set.attempt(author, (view) => {
    view.freeUnique(unique('mine'));
    view.takeUnique(unique('mine'), 'b');
  });
  expect([
    set.uniques.taken.size,
    set.uniques.freed.size,
    [...set.uniques.passed.values()].map((u) => u.entityId),
  ]).toEqual([0, 0, ['b']]);
  set.attempt(author, (view) => {
    view.freeUnique(unique('mine'));
  });
  expect([set.uniques.taken.size, set.uniques.freed.size, set.uniques.passed.size]).toEqual([0, 1, 0]);
  set.attempt(author, (view) => {
    view.takeUnique(unique('new'), 'a');
    view.freeUnique(unique('new'));
  });
  expect([set.uniques.taken.size, set.uniques.freed.size, set.uniques.passed.size]).toEqual([0, 1, 0]);
});

test('a write that changes an entity it has not loaded is an internal error', () => {
  expect(() => setOf().attempt(author, (view) => view.setAvailability('z', false, 'r'))).toThrow(
    'without having needed it',
  );
});
