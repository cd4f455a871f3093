// Cached entities and pages are never answered in a state that was outdated when the request arrived.
import type { Pool, QueryConfig } from 'pg';
import { expect, test, vi } from 'vitest';
import { connectDatabase } from '../../platform/database/connect.ts';
import type { EntityRow } from '../../subgraphs/metadata/reading/entity-record.ts';
import { EntityStore } from '../../subgraphs/metadata/entities/entities.store.ts';
import type { EntityJson } from '../../subgraphs/metadata/entities/entity-json.ts';
import { compileOrder } from '../../subgraphs/metadata/reading/order.ts';
import type { PageRequest } from '../../subgraphs/metadata/reading/page-request.ts';
import { EntityCache, type ChangeSet } from '../../subgraphs/metadata/entities/entity-cache.ts';
import { asSuperuser, scratchDatabase, testLog } from '../testkit/database.ts';
import { admin, anotherProcess, callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';
import { PLAIN_ROW } from '../testkit/plain-entity.ts';

const SCHEMA = {
  name: 'Thing',
  version: '1',
  fields: [
    { name: 'n', field_type: 'int' },
    { name: 'project', field_type: 'string' },
    { name: 'text', field_type: 'string' },
  ],
};
const INGEST =
  'mutation($i: ID!, $d: JSON!) { ingestEntity(entityType: "Thing", id: $i, data: $d) { id version } }';
const READ = 'query($i: ID!) { entity(id: $i) { version data isAvailable updatedAt } }';
const LIST =
  'query($n: Int!) { entities(entityType: "Thing", limit: $n, includeUnavailable: true) { items { id version data isAvailable updatedAt } total } }';
/** Pages of 50 are cached, of 57 are not. */
const [CACHED, NOT_CACHED] = [50, 57];
interface List {
  readonly items: readonly Read[];
  readonly total: number;
}
interface Read {
  readonly id?: string;
  readonly version: number;
  readonly data: { readonly n: number; readonly project?: string };
  readonly isAvailable: boolean;
  readonly updatedAt: string;
}

/** Everything that there is, as versions. */
const FIRST_PAGE: PageRequest = {
  types: null,
  conditions: [],
  availableOnly: false,
  identity: admin,
  order: compileOrder(null, null),
  limit: 51,
  offset: 0,
  after: null,
  at: null,
};
const VERSIONS: EntityJson = { dataCopies: 0, sql: () => 'e.version::text' };

const row = (id: string, version = '1'): EntityRow => ({
  ...PLAIN_ROW,
  id,
  entity_type: 'Thing',
  version,
});
const news = (...changes: readonly (readonly [position: number, id: string])[]): ChangeSet => ({
  changes:
    changes.length === 0
      ? null
      : changes.map(([position, id]) => position + JSON.stringify(id)).join('\u001e'),
  server: 's',
});

async function withThings(): Promise<FreshMetadata> {
  const metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', { d: SCHEMA });
  return metadata;
}

test('changed entities leave the cache, results of older statements are not cached, and too many changes clear it', () => {
  const kept = new EntityCache();
  kept.take(0, news([10, 'x']), [row('a'), row('b')]);
  expect(kept.position).toBe(10);
  kept.take(10, news(), [row('c')]);
  kept.take(10, news([12, 'b'], [11, 'x']), []);
  expect(['a', 'b', 'c'].map((id) => kept.get(id) !== undefined)).toEqual([true, false, true]);
  kept.take(10, news([11, 'x']), [row('b')]); // it was sent before that change, and arrived after it
  expect(kept.get('b') !== undefined).toBe(false);
  expect(kept.position).toBe(12);
  kept.take(12, news(...Array.from({ length: 200 }, (_, i) => [400 - i, `y${i}`] as const)), [row('d', '7')]);
  expect(['a', 'c', 'd'].map((id) => kept.get(id)?.version)).toEqual([undefined, undefined, '7']);
  kept.take(400, news([401, 'with "quotes" \u001e']), [row('with "quotes" \u001e')]);
  kept.take(401, news([402, 'with "quotes" \u001e']), []);
  expect(kept.get('with "quotes" \u001e') !== undefined).toBe(false);
  expect(kept.take(402, { ...news(), server: 'another' }, [row('e')])).toBe(false);
  expect([kept.get('e') !== undefined, kept.get('d') !== undefined]).toEqual([false, true]);
});

test('a read returns every write before it, of this and of other processes', async () => {
  await using metadata = await withThings();
  await using other = await anotherProcess(metadata);
  const writes: readonly (readonly [string, Record<string, unknown>])[] = [
    [INGEST, { i: 'a', d: { n: 1 } }],
    ['mutation($i: ID!) { updateEntity(entityType: "Thing", id: $i, data: {n: 2}) { id } }', { i: 'a' }],
    ['mutation($i: ID!) { setAvailability(id: $i, isAvailable: false) { id } }', { i: 'a' }],
    [
      'mutation { setAvailabilityBulk(entityType: "Thing", entityIds: ["a"], available: true) { updated } }',
      {},
    ],
    ['mutation($i: ID!) { registerExternalId(entityId: $i, externalId: "x1") { id } }', { i: 'a' }],
    [
      'mutation($i: ID!) { supersedeExternalId(entityId: $i, oldExternalId: "x1", newExternalId: "x2") { id } }',
      { i: 'a' },
    ],
    [INGEST, { i: 'b', d: { n: 1 } }],
    ['mutation($i: ID!) { relate(sourceId: $i, targetId: "b", relationshipType: "t") { id } }', { i: 'a' }],
    ['mutation($i: ID!) { unrelate(sourceId: $i, targetId: "b", relationshipType: "t") { id } }', { i: 'a' }],
    ['mutation { supersedeEntity(id: "b", replacementId: "a") { superseded { id } } }', {}],
    [
      'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { updated } }',
      {
        e: [
          { entityType: 'Thing', id: 'a', data: { n: 3 } },
          ...Array.from({ length: 300 }, (_, n) => ({ entityType: 'Thing', data: { n } })),
        ],
      },
    ],
    [INGEST, { i: 'a', d: { project: 'p' } }],
  ];
  const store = new EntityStore(metadata.database.pool);
  const callers = [admin, callerWith('viewer', ['p']), callerWith('viewer', ['q'])];
  const lists = (n: number) =>
    Promise.all(
      callers.flatMap((caller) =>
        [metadata, other].map((process) => process.ask(LIST, { n }, caller) as Promise<List>),
      ),
    );
  for (const [i, [document, variables]] of writes.entries()) {
    await Promise.all([
      ...['a', 'b'].flatMap((id) => [metadata.ask(READ, { i: id }), other.ask(READ, { i: id })]),
      lists(CACHED),
    ]); // now each caches them
    await (i % 2 === 0 ? metadata : other).ask(document, variables);
    const [cached, now] = await Promise.all([lists(CACHED), lists(NOT_CACHED)]);
    expect([document, cached]).toEqual([
      document,
      now.map(({ items, total }) => ({ items: items.slice(0, CACHED), total })),
    ]);
    for (const id of ['a', 'b']) {
      const [now] = await store.findMany([id], admin, null);
      for (const process of [metadata, other]) {
        const read = (await process.ask(READ, { i: id })) as Read | null;
        expect([
          document,
          read && [String(read.version), read.isAvailable, read.updatedAt.slice(11, 26)],
        ]).toEqual([
          document,
          now ? [now.version, now.is_available === 't', now.updated_at.slice(11).padEnd(15, '0')] : null,
        ]);
      }
    }
  }
});

test('with many readers and writers in two processes, no read is older than the writes acknowledged before it', async () => {
  await using metadata = await withThings();
  await using other = await anotherProcess(metadata);
  const processes = [metadata, other];
  const ids = Array.from({ length: 24 }, (_, i) => `e${i}`);
  const acknowledged = new Map<string, number>();
  for (const id of ids)
    acknowledged.set(id, ((await metadata.ask(INGEST, { i: id, d: { n: 0 } })) as Read).version);
  let writing = 6;
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; i < 120; i++) {
      const id = ids[(i * 7 + writer * 4) % ids.length] ?? '';
      const { version } = (await processes[i % 2]?.ask(INGEST, { i: id, d: { n: i * 10 + writer } })) as Read;
      acknowledged.set(id, Math.max(acknowledged.get(id) ?? 0, version));
    }
    writing--;
  };
  let read = 0;
  const reader = async (n: number): Promise<void> => {
    for (let i = n; writing > 0; i++) {
      const id = ids[(i * 5) % ids.length] ?? '';
      const least = acknowledged.get(id) ?? 0;
      const process = processes[n % 2];
      const { version } =
        n % 4 < 2
          ? ((await process?.ask(READ, { i: id })) as Read)
          : (((await process?.ask(LIST, { n: CACHED })) as List).items.find((one) => one.id === id) as Read);
      expect(version).toBeGreaterThanOrEqual(least);
      read++;
    }
  };
  await Promise.all([
    ...Array.from({ length: 6 }, (_, i) => write(i)),
    ...Array.from({ length: 32 }, (_, i) => reader(i)),
  ]);
  expect(read).toBeGreaterThan(100);
  for (const process of processes)
    expect(
      await Promise.all(ids.map(async (id) => ((await process.ask(READ, { i: id })) as Read).version)),
    ).toEqual(ids.map((id) => acknowledged.get(id)));
});

test('a cached entity is not visible to a caller who may not see it', async () => {
  await using metadata = await withThings();
  await metadata.ask(INGEST, { i: 'secret', d: { n: 1, project: 'alpha' } });
  for (let i = 0; i < 2; i++) {
    expect(await metadata.ask(READ, { i: 'secret' })).toMatchObject({ version: 1 });
    expect(await metadata.ask(READ, { i: 'secret' }, callerWith('viewer', ['alpha']))).toMatchObject({
      version: 1,
    });
    expect(await metadata.ask(READ, { i: 'secret' }, callerWith('viewer', ['beta']))).toBeNull();
  }
});

test('after a failover nothing is answered from the cache that only the earlier server had', async () => {
  await using lost = await withThings();
  await using present = await withThings();
  for (let n = 1; n <= 30; n++) await lost.ask(INGEST, { i: 'a', d: { n } });
  await present.ask(INGEST, { i: 'a', d: { n: 1 } });
  let current = lost;
  /** Two databases of one server that appear as two servers. */
  const query = async (asked: QueryConfig): Promise<unknown> => {
    const answering = current;
    const result = await answering.database.pool.query<{ server?: string | null }>(asked);
    for (const row of result.rows)
      if (typeof row.server === 'string') row.server = answering === lost ? 'lost' : 'present';
    return result;
  };
  const store = new EntityStore({ query } as unknown as Pool); // It uses nothing else of its pool.
  const version = async (): Promise<string | undefined> => (await store.find('a', admin, null))?.version;
  expect([await version(), await version()]).toEqual(['30', '30']);
  const underWay = version();
  await new Promise(setImmediate);
  current = present;
  expect([await underWay, await version(), await version()]).toEqual(['30', '1', '1']);
  await present.ask('mutation { updateEntity(entityType: "Thing", id: "a", data: {n: 2}) { id } }');
  expect(await version()).toBe('2');
});

test('after a restore nothing is answered from the cache that only the earlier database had', async () => {
  const [lost, backup] = [await scratchDatabase(), await scratchDatabase()];
  for (const [{ name }, version] of [
    [lost, 7],
    [backup, 1],
  ] as const) {
    await asSuperuser(
      `WITH p AS (INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload) VALUES ('EntityCreated', 'a', 'Thing', 'user:ada', '0', '{}') RETURNING position)
      INSERT INTO metadata.entity (id, entity_type, data, version, first_event, state_event, last_event) SELECT 'a', 'Thing', '{}', ${version}, position, position, position FROM p`,
      name,
    );
  }
  const database = connectDatabase({
    url: lost.url,
    applicationName: 'cairn test',
    log: testLog,
    release: async () => {
      await lost[Symbol.asyncDispose]();
      await backup[Symbol.asyncDispose]();
    },
  });
  try {
    const store = new EntityStore(database.pool);
    const version = async (): Promise<string | undefined> => (await store.find('a', admin, null))?.version;
    const listed = async (): Promise<string | null> => (await store.textPage(FIRST_PAGE, VERSIONS)).items;
    expect([await version(), await version(), await listed(), await listed()]).toEqual(['7', '7', '7', '7']);
    await asSuperuser(`DROP DATABASE ${lost.name} WITH (FORCE)`);
    await asSuperuser(`ALTER DATABASE ${backup.name} RENAME TO ${lost.name}`);
    await vi.waitUntil(() => database.pool.totalCount === 0, { timeout: 120_000 });
    expect([await version(), await listed()]).toEqual(['1', '1']);
  } finally {
    await database.close();
  }
});
