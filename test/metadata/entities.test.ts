// Schemas, ingest, get, list, update and history, by docs/reference/metadata.md#entities.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const ENTITY = '{ id entityType data version createdAt updatedAt isAvailable }';
const CREATE = 'mutation($d: JSON!) { createSchema(definition: $d) { name version } }';
const INGEST = `mutation($t: String!, $id: ID, $d: JSON!, $c: ProvenanceContext) { ingestEntity(entityType: $t, id: $id, data: $d, context: $c) ${ENTITY} }`;
const UPDATE = `mutation($t: String!, $id: ID!, $d: JSON!, $v: Int) { updateEntity(entityType: $t, id: $id, data: $d, ifVersion: $v) ${ENTITY} }`;
const GET = `query($id: ID!) { entity(id: $id) ${ENTITY} }`;
const HISTORY =
  'query($id: ID!, $t: [String!]) { entityHistory(entityId: $id, eventTypes: $t) { eventType actor timestamp schemaVersion context payload } }';
const LIST = `query($t: String, $limit: Int, $offset: Int, $cursor: String) { entities(entityType: $t, limit: $limit, offset: $offset, cursor: $cursor) { items { id } total nextCursor } }`;

interface Entity {
  id: string;
  entityType: string;
  data: Record<string, unknown>;
  version: number;
  createdAt: string;
  updatedAt: string;
  isAvailable: boolean;
}
interface Page {
  items: { id: string }[];
  total: number;
  nextCursor: string | null;
}

let metadata: FreshMetadata;
const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;
beforeAll(async () => {
  metadata = await freshMetadata();
  await ask(CREATE, {
    d: {
      name: 'Material',
      version: '1',
      fields: [
        { name: 'label', field_type: 'text', required: true },
        { name: 'project', field_type: 'string' },
      ],
    },
  });
  await ask(CREATE, {
    d: {
      name: 'Sample',
      version: '1',
      parent: 'Material',
      fields: [
        { name: 'age', field_type: 'int' },
        { name: 'code', field_type: 'string', unique: true },
        { name: 'extra', field_type: 'json' },
      ],
    },
  });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('an ingested entity has version 1 and both times from its one event', async () => {
  const created = await ask<Entity>(INGEST, { t: 'Sample', d: { id: 'e1', label: 'one', age: 3 } });
  expect(created).toMatchObject({
    id: 'e1',
    entityType: 'Sample',
    data: { label: 'one', age: 3 },
    version: 1,
    isAvailable: true,
  });
  expect(created.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(created.updatedAt).toBe(created.createdAt);
  expect(await ask<Entity>(GET, { id: 'e1' })).toEqual(created);
});

test('ingesting an existing id merges; a write that changes nothing keeps the version and writes no event', async () => {
  await ask(INGEST, { t: 'Sample', id: 'm1', d: { label: 'one', age: 3 } });
  const merged = await ask<Entity>(INGEST, { t: 'Sample', id: 'm1', d: { age: 4 } });
  expect(merged).toMatchObject({ version: 2, data: { label: 'one', age: 4 } });
  expect(merged.updatedAt > merged.createdAt).toBe(true);
  expect(await ask<Entity>(INGEST, { t: 'Sample', id: 'm1', d: { age: 4 } })).toEqual(merged);
  const history = await ask<{ eventType: string; payload: unknown }[]>(HISTORY, { id: 'm1' });
  expect(history.map((h) => h.eventType)).toEqual(['EntityCreated', 'EntityUpdated']);
  expect(history[1]?.payload).toEqual({
    previous_state: { label: 'one', age: 3 },
    new_state: { label: 'one', age: 4 },
    changed_fields: ['age'],
  });
});

test('data that violates the schema is rejected with the name of the field', async () => {
  await expect(ask(INGEST, { t: 'Sample', d: { age: 1 } })).rejects.toThrow(
    'VALIDATION_FAILED: field label is required',
  );
  await expect(ask(INGEST, { t: 'Sample', d: { label: 'x', age: '5' } })).rejects.toThrow(
    'field age must be an integer',
  );
  await expect(ask(INGEST, { t: 'Sample', d: { label: 'x', colour: 1 } })).rejects.toThrow(
    'unknown field colour',
  );
  await expect(ask(INGEST, { t: 'Nothing', d: {} })).rejects.toThrow('unknown entity type: Nothing');
  await expect(ask(INGEST, { t: 'Sample', d: { id: 'a/b', label: 'x' } })).rejects.toThrow(
    'VALIDATION_FAILED',
  );
});

test('an update changes supplied fields only, of an entity that exists, at the version that was seen', async () => {
  await ask(INGEST, { t: 'Sample', id: 'u1', d: { label: 'one', age: 1 } });
  expect(await ask<Entity>(UPDATE, { t: 'Material', id: 'u1', d: { age: null } })).toMatchObject({
    version: 2,
    data: { label: 'one', age: null },
  });
  await expect(ask(UPDATE, { t: 'Sample', id: 'u1', d: { age: 2 }, v: 1 })).rejects.toThrow(
    'PRECONDITION_FAILED',
  );
  await expect(ask(UPDATE, { t: 'Sample', id: 'nope', d: { age: 2 } })).rejects.toThrow('NOT_FOUND');
});

test('a unique value has one holder, whoever is first', async () => {
  await ask(INGEST, { t: 'Sample', id: 'q1', d: { label: 'x', code: 'A' } });
  await expect(ask(INGEST, { t: 'Sample', id: 'q2', d: { label: 'x', code: 'A' } })).rejects.toThrow(
    'field code must be unique',
  );
  await ask(UPDATE, { t: 'Sample', id: 'q1', d: { code: 'B' } });
  await ask(INGEST, { t: 'Sample', id: 'q2', d: { label: 'x', code: 'A' } });
  const race = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) =>
      ask(INGEST, { t: 'Sample', id: `r${i}`, d: { label: 'x', code: 'R' } }),
    ),
  );
  expect(race.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
});

test('two hundred parallel updates of one entity lose none', async () => {
  await ask(INGEST, { t: 'Sample', id: 'p1', d: { label: 'x', age: 0 } });
  await Promise.all(
    Array.from({ length: 200 }, (_, i) => ask(UPDATE, { t: 'Sample', id: 'p1', d: { age: i + 1 } })),
  );
  expect(await ask<Entity>(GET, { id: 'p1' })).toMatchObject({ version: 201 });
  const history = await ask<{ payload: { previous_state?: { age: number }; new_state?: { age: number } } }[]>(
    HISTORY,
    { id: 'p1' },
  );
  expect(history).toHaveLength(201);
  for (let i = 2; i < history.length; i++)
    expect(history[i]?.payload.previous_state).toEqual(history[i - 1]?.payload.new_state);
});

test('a list shows subtypes under their parent, in order of creation, with a total and a cursor', async () => {
  await ask(CREATE, { d: { name: 'Page', version: '1', fields: [{ name: 'n', field_type: 'int' }] } });
  await ask(CREATE, { d: { name: 'SubPage', version: '1', parent: 'Page', fields: [] } });
  for (let i = 0; i < 7; i++) await ask(INGEST, { t: i % 2 ? 'SubPage' : 'Page', id: `pg${i}`, d: { n: i } });
  const seen: string[] = [];
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const page: Page = await ask<Page>(LIST, { t: 'Page', limit: 3, cursor });
    expect(page.total).toBe(7);
    seen.push(...page.items.map((i) => i.id));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(['pg0', 'pg1', 'pg2', 'pg3', 'pg4', 'pg5', 'pg6']);
  expect((await ask<Page>(LIST, { t: 'SubPage', offset: 1 })).items.map((i) => i.id)).toEqual(['pg3', 'pg5']);
  await expect(ask(LIST, { t: 'Page', cursor: 'rubbish' })).rejects.toThrow('VALIDATION_FAILED');
  await expect(ask(LIST, { limit: 1001 })).rejects.toThrow('VALIDATION_FAILED');
});

test('entities of another project are not found by id, in lists and their totals, or in history', async () => {
  const scoped = callerWith('analyst', ['alpha']);
  await ask(INGEST, { t: 'Material', id: 'alpha1', d: { label: 'a', project: 'alpha' } });
  await ask(INGEST, { t: 'Material', id: 'beta1', d: { label: 'b', project: 'beta' } });
  expect(await ask(GET, { id: 'beta1' }, scoped)).toBeNull();
  expect(await ask(HISTORY, { id: 'beta1' }, scoped)).toBeNull();
  expect(await ask(GET, { id: 'alpha1' }, scoped)).not.toBeNull();
  const [all, some] = [
    await ask<Page>(LIST, { t: 'Material', limit: 1000 }),
    await ask<Page>(LIST, { t: 'Material', limit: 1000 }, scoped),
  ];
  expect(some.total).toBe(all.total - 1);
  expect(some.items.map((i) => i.id)).not.toContain('beta1');
  await expect(ask(UPDATE, { t: 'Material', id: 'beta1', d: { label: 'x' } }, scoped)).rejects.toThrow(
    'NOT_FOUND',
  );
  await expect(ask(INGEST, { t: 'Material', d: { label: 'x', project: 'beta' } }, scoped)).rejects.toThrow(
    'PROJECT_SCOPE_DENIED',
  );
  await expect(ask(UPDATE, { t: 'Material', id: 'alpha1', d: { project: 'beta' } }, scoped)).rejects.toThrow(
    'PROJECT_SCOPE_DENIED',
  );
});

test('a context is stored verbatim', async () => {
  const context = '{"b": 1.0, "a": [1e2,  "ü"]}';
  await ask(INGEST, { t: 'Material', id: 'c1', d: { label: 'x' }, c: context });
  const { texts } = await metadata.raw(HISTORY, { id: 'c1' });
  expect(texts?.['entityHistory']).toContain(`"context":${context}`);
});

test('schemas evolve forward, as far as stored data allows, each change a revision with its MigrationApplied', async () => {
  const define = (version: string, fields: object[]) => ask(CREATE, { d: { name: 'Evo', version, fields } });
  const a = { name: 'a', field_type: 'int' };
  await define('1', [a]);
  for (const same of ['1', '1.0', 'v1']) await define(same, [a]);
  await expect(define('1', [])).rejects.toThrow('different content');
  await expect(define('0.9', [a])).rejects.toThrow('lower');
  await ask(INGEST, { t: 'Evo', id: 'evo1', d: { a: 1 } });
  await define('2', [a, { name: 'b', field_type: 'string' }]);
  await expect(define('3', [{ ...a, field_type: 'string' }])).rejects.toThrow(
    'stored entity evo1 contradicts the change: field a must be a string',
  );
  await expect(
    define('3', [
      { ...a, required: true },
      { name: 'b', field_type: 'string', required: true },
    ]),
  ).rejects.toThrow('field b is required');
  await define('3', [
    { ...a, required: true },
    { name: 'b', field_type: 'string', unique: true },
  ]);
  const { rows } = await metadata.database.pool.query<{ payload: { changes_applied: string[] } }>(
    `SELECT payload FROM metadata.provenance WHERE event_type = 'MigrationApplied' ORDER BY position DESC LIMIT 1`,
  );
  expect(rows[0]?.payload.changes_applied).toContain('field a: required false → true');
});

test('a rule that stored data violates is refused; a rule about previous states applies to later writes; every change is listed', async () => {
  const n = { name: 'n', field_type: 'int' };
  const define = (version: string, rules: object[], more: object = {}) =>
    ask(CREATE, { d: { name: 'Ruled', version, fields: [n], rules, ...more } });
  const big = { rule_id: 'big', expression: 'data.n > 10.0', message: 'too small' };
  await define('1', []);
  await ask(CREATE, { d: { name: 'SubRuled', version: '1', parent: 'Ruled', fields: [] } });
  await ask(INGEST, { t: 'SubRuled', id: 'ruled1', d: { n: 5 } });
  await expect(define('2', [big])).rejects.toThrow('stored entity ruled1 contradicts the change: too small');
  await define('2', [
    { rule_id: 'rising', expression: 'previous == null || data.n > previous.n', message: 'must rise' },
  ]);
  await ask(UPDATE, { t: 'SubRuled', id: 'ruled1', d: { n: 50 } });
  await define('3', [big], {
    description: 'With a rule.',
    fields: [{ ...n, searchable: false, default: 11, description: 'A number.' }],
  });
  const { rows } = await metadata.database.pool.query<{ payload: { changes_applied: string[] } }>(
    `SELECT payload FROM metadata.provenance WHERE event_type = 'MigrationApplied' ORDER BY position DESC LIMIT 1`,
  );
  expect(rows[0]?.payload.changes_applied).toEqual([
    'change schema Ruled from 2 to 3',
    'field n: searchable true → false',
    'field n: default null → 11',
    'field n: description null → "A number."',
    'description: null → "With a rule."',
    'add rule big',
    'remove rule rising',
  ]);
});

test('keys that name prototypes are data like any other', async () => {
  const extra = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as unknown;
  await ask(INGEST, { t: 'Sample', id: 'proto', d: { label: 'x', extra } });
  const { texts } = await metadata.raw(GET, { id: 'proto' });
  expect(texts?.['entity']).toContain('"__proto__": {"polluted": true}');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
