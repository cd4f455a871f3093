// Documented behaviour without another test file: orders of several keys, creating without merging, error
// suggestions, time limits.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EntityStore } from '../../subgraphs/metadata/entities/entities.store.ts';
import { compileOrder } from '../../subgraphs/metadata/reading/order.ts';
import { withinTime } from '../../subgraphs/metadata/within-time.ts';
import { admin, callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const SCHEMA = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const CREATE =
  'mutation($t: String!, $id: ID, $d: JSON!) { createEntity(entityType: $t, id: $id, data: $d) { id version } }';
const INGEST =
  'mutation($id: ID, $d: JSON!, $c: ProvenanceContext) { ingestEntity(entityType: "Sample", id: $id, data: $d, context: $c) { id version updatedAt } }';
const detailsOf = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: unknown) => (error as { details?: unknown }).details,
  );

let metadata: FreshMetadata;
const ask = async <T>(...args: Parameters<FreshMetadata['ask']>): Promise<T> =>
  (await metadata.ask(...args)) as T;
beforeAll(async () => {
  metadata = await freshMetadata();
  for (const d of [
    { name: 'Zebra', version: '1', fields: [] },
    {
      name: 'Material',
      version: '1',
      fields: [
        { name: 'label', field_type: 'text' },
        { name: 'when', field_type: 'timestamp' },
      ],
    },
    {
      name: 'Sample',
      version: '1',
      parent: 'Material',
      fields: [
        { name: 'age', field_type: 'integer' },
        { name: 'project', field_type: 'string' },
      ],
    },
  ])
    await ask(SCHEMA, { d });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('schemas are listed by name, with the aliases of inherited fields kept', async () => {
  const schemas = await ask<{ name: string; allFields: { name: string; fieldType: string }[] }[]>(
    '{ schemas { name allFields { name fieldType } } }',
  );
  expect(schemas.map((schema) => schema.name)).toEqual(['Material', 'Sample', 'Zebra']);
  expect(schemas[1]?.allFields).toEqual([
    { name: 'label', fieldType: 'text' },
    { name: 'when', fieldType: 'timestamp' },
    { name: 'age', fieldType: 'integer' },
    { name: 'project', fieldType: 'string' },
  ]);
});

test('a list comes in an order of several keys, page after page, whatever their directions', async () => {
  for (let i = 0; i < 20; i++)
    await ask(INGEST, { id: `o${String(i).padStart(2, '0')}`, d: { label: `l${i % 3}`, age: i % 5 } });
  const LIST =
    'query($o: String, $c: String) { entities(entityType: "Sample", filter: "id.startsWith(\'o\')", orderBy: $o, cursor: $c, limit: 6) { items { id data } nextCursor } }';
  interface Page {
    items: { id: string; data: { label: string; age: number } }[];
    nextCursor: string | null;
  }
  const all = async (o: string): Promise<string[]> => {
    const seen: string[] = [];
    for (let c: string | null = null, first = true; first || c !== null; first = false) {
      const page: Page = await ask<Page>(LIST, { o, c });
      seen.push(...page.items.map(({ id, data }) => `${data.label} ${data.age} ${id}`));
      c = page.nextCursor;
    }
    return seen;
  };
  const [up, mixed] = [await all('data.label,data.age,id'), await all('-data.label,data.age,-id')];
  expect(up).toHaveLength(20);
  expect(up).toEqual([...up].sort());
  expect(mixed).toEqual(
    [...up].sort((a, b) => {
      const [[la, ga, ia], [lb, gb, ib]] = [a.split(' '), b.split(' ')] as [
        [string, string, string],
        [string, string, string],
      ];
      return la !== lb ? (la < lb ? 1 : -1) : ga !== gb ? Number(ga) - Number(gb) : ia < ib ? 1 : -1;
    }),
  );
});

test('creating an entity with a taken id is refused, also if the caller may not see the existing one', async () => {
  expect(await ask(CREATE, { t: 'Sample', id: 'c1', d: { label: 'x', project: 'alpha' } })).toEqual({
    id: 'c1',
    version: 1,
  });
  expect(await ask(CREATE, { t: 'Sample', d: { label: 'x' } })).toMatchObject({ version: 1 });
  await expect(ask(CREATE, { t: 'Sample', id: 'c1', d: { label: 'y' } })).rejects.toThrow(
    'CONFLICT: entity already exists: c1',
  );
  expect(
    await detailsOf(ask(CREATE, { t: 'Sample', id: 'c1', d: {} }, callerWith('analyst', ['beta']))),
  ).toEqual({ reason: 'entity_exists', entity_id: 'c1' });
  const race = await Promise.allSettled(
    Array.from({ length: 20 }, () => ask(CREATE, { t: 'Sample', id: 'c2', d: { label: 'z' } })),
  );
  expect(race.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
});

test('a not-found error names what was requested', async () => {
  const update = 'mutation($id: ID!) { updateEntity(entityType: "Sample", id: $id, data: {}) { id } }';
  expect(await detailsOf(ask(update, { id: 'none' }))).toEqual({
    reason: 'entity_not_found',
    entity_id: 'none',
    entity_type: 'Sample',
  });
  expect(await detailsOf(ask('mutation { setAvailability(id: "none", isAvailable: true) { id } }'))).toEqual({
    reason: 'entity_not_found',
    entity_id: 'none',
  });
  expect(
    await detailsOf(
      ask('mutation { setAvailabilityBulk(entityType: "None", entityIds: [], available: true) { updated } }'),
    ),
  ).toEqual({ reason: 'entity_type_not_found', entity_type: 'None' });
  expect(await detailsOf(ask('{ provenanceDocument(entityIds: ["none"]) }'))).toEqual({
    reason: 'entity_not_found',
    entity_id: 'none',
  });
});

test('an in-process caller that sends a value that cannot be stored is refused alone, like any other caller', async () => {
  const [good, ...bad] = await Promise.allSettled(
    ['fine', 'a\u0000b', 'a\ud800'].map((label, i) => ask(INGEST, { id: `u${i}`, d: { label } })),
  );
  expect(good?.status).toBe('fulfilled');
  for (const one of bad)
    expect(one).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('VALIDATION_FAILED: a string must not contain U+0000') },
    });
  await expect(
    ask(
      'mutation { relate(sourceId: "u0", targetId: "u0", relationshipType: "self", metadata: $m) { id } }'.replace(
        'mutation',
        'mutation($m: JSON)',
      ),
      { m: { a: '\u0000' } },
    ),
  ).rejects.toThrow('VALIDATION_FAILED');
});

test('an external id leads to the entity that had it at a time, as it was then', async () => {
  await ask(INGEST, { id: 'x1', d: { label: 'first', age: 1 } });
  const register = (type: string, value: string) =>
    ask<{ createdAt: string }>(
      'mutation($t: String, $v: String!) { registerExternalId(entityId: "x1", externalId: $v, idType: $t) { createdAt } }',
      { t: type, v: value },
    );
  const find = (value: string, asOf: string | null, idType = 'default') =>
    ask(
      'query($t: String, $v: String!, $at: DateTime) { entityByExternalId(idType: $t, externalId: $v, asOf: $at) { id data } }',
      { t: idType, v: value, at: asOf },
    );
  const before = (await ask<{ updatedAt: string }>(INGEST, { id: 'x1', d: { age: 2 } })).updatedAt;
  const had = (await register('lims', 'L1')).createdAt;
  await ask(INGEST, { id: 'x1', d: { age: 3 } });
  await ask(
    'mutation { supersedeExternalId(entityId: "x1", oldExternalId: "L1", newExternalId: "L2") { id } }',
  );
  expect(await find('L1', before)).toBeNull();
  for (const type of ['default', 'lims'])
    expect(await find('L1', had, type)).toEqual({ id: 'x1', data: { label: 'first', age: 2 } });
  expect(await find('L1', null)).toBeNull();
  expect(await find('L2', had)).toBeNull();
  expect(await find('L2', null)).toMatchObject({ id: 'x1', data: { age: 3 } });
});

test('a statement that exceeds its time limit is cancelled and answered with advice, not as an internal error', async () => {
  const pool = new pg.Pool({
    connectionString: metadata.database.url,
    options: '-c statement_timeout=50',
    max: 1,
  });
  try {
    const store = new EntityStore(pool);
    const slow = store.page({
      types: null,
      conditions: [{ where: () => 'pg_sleep(0.5) IS NOT NULL', uses: new Set() }],
      availableOnly: true,
      identity: admin,
      order: compileOrder(null),
      after: null,
      limit: 10,
      offset: 0,
      at: null,
    });
    expect(await detailsOf(slow)).toEqual({ reason: 'statement_timeout', seconds: 30 });
    await expect(withinTime(pool.query('SELECT 1 / 0'))).rejects.toThrow('division by zero');
  } finally {
    await pool.end();
  }
  const { rows } = await metadata.database.pool.query<{ statement_timeout: string }>(
    'SHOW statement_timeout',
  );
  expect(rows).toEqual([{ statement_timeout: '30s' }]);
});
