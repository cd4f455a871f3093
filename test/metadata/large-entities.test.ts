// Large entities: an update stores the difference, every answer shows both states, and writing them does not
// delay others.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LargeTurns } from '../../subgraphs/metadata/log/large-turns.ts';
import { asSuperuser } from '../testkit/database.ts';
import { admin, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const INGEST =
  'mutation($t: String!, $id: ID, $d: JSON!) { ingestEntity(entityType: $t, id: $id, data: $d) { id version } }';
const UPDATE =
  'mutation($id: ID!, $d: JSON!) { updateEntity(entityType: "Big", id: $id, data: $d) { version data } }';
const PASSED_THROUGH = '($id: ID!) { entityHistory(entityId: $id) { eventType payload } }';
const BY_VALUE = '($id: ID!) { entity(id: $id) { history { eventType payload } } }';
interface Event {
  eventType: string;
  payload: Record<string, unknown>;
}

let metadata: FreshMetadata;
const text = (n: number): string =>
  Array.from({ length: n / 10 }, () => Math.random().toString(36).slice(2, 12).padEnd(10, 'x')).join('');
const history = async (id: string): Promise<Event[]> =>
  (await metadata.ask(`query ${PASSED_THROUGH}`, { id })) as Event[];
const kept = async (id: string): Promise<string[]> =>
  (
    await metadata.database.pool.query<{ payload: string }>(
      'SELECT payload::text FROM metadata.provenance WHERE entity_id = $1 ORDER BY position',
      [id],
    )
  ).rows.map((row) => row.payload);

beforeAll(async () => {
  metadata = await freshMetadata();
  const fields = [
    { name: 'n', field_type: 'int' },
    { name: 's', field_type: 'string', searchable: false },
    { name: 'o', field_type: 'json' },
    { name: 'f', field_type: 'float' },
    { name: '__proto__', field_type: 'json' },
  ];
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Big', version: '1', fields },
  });
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: { name: 'Small', version: '1', fields: [{ name: 'n', field_type: 'int' }] },
  });
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('an update of a large entity stores what has changed and is shown with both states, in every answer', async () => {
  const s = text(200_000);
  const states: Record<string, unknown>[] = [{ n: 0, s, f: 1.5, o: { b: 1, a: [null, 'ü'] } }];
  await metadata.ask(INGEST, { t: 'Big', id: 'big', d: states[0] });
  const token = await metadata.ask('{ provenanceToken }');
  const changes: Record<string, unknown>[] = [
    { n: 1 },
    { n: 2, o: { z: 1 } },
    { f: null, n: 2 },
    { s: `${s}!` },
    JSON.parse('{"__proto__": {"x": 1}}') as Record<string, unknown>,
  ];
  for (const d of changes) {
    states.push(
      Object.defineProperties(
        {},
        { ...Object.getOwnPropertyDescriptors(states.at(-1)), ...Object.getOwnPropertyDescriptors(d) },
      ),
    );
    expect(await metadata.ask(UPDATE, { id: 'big', d })).toEqual({
      version: states.length,
      data: states.at(-1),
    });
  }
  const payloads = await kept('big');
  expect(payloads.slice(1).map((payload) => payload.length < 300)).toEqual([true, true, true, false, true]);
  expect(payloads[4]?.length).toBeLessThan(201_000); // once, not four times

  const expected = changes.map((d, i) => ({
    eventType: 'EntityUpdated',
    payload: {
      previous_state: states[i],
      new_state: states[i + 1],
      changed_fields: Object.keys(d).filter((key) => !(i === 2 && key === 'n')),
    },
  }));
  expect((await history('big')).slice(1)).toEqual(expected);
  expect(
    ((await metadata.ask(`query ${BY_VALUE}`, { id: 'big' })) as { history: Event[] }).history.slice(1),
  ).toEqual(expected);

  const gone = new AbortController();
  const feed = await metadata.component.subscribe(
    'subscription($after: String) { provenanceEvents(after: $after, filter: "payload.new_state.n == 2.0") { event { payload } } }',
    { after: token },
    { ...admin, signal: gone.signal },
  );
  const told: unknown[] = [];
  for await (const result of feed) if (told.push(result.data?.['provenanceEvents']) === 4) break;
  gone.abort();
  expect(told).toEqual(expected.slice(1).map(({ payload }) => ({ event: { payload } })));

  const { entity } = (await metadata.ask('{ provenanceDocument(entityIds: ["big"]) }')) as {
    entity: Record<string, Record<string, unknown>>;
  };
  expect(JSON.parse(String(entity['version:big/4']?.['prov:value']))).toEqual(states[3]);
  const times = (await metadata.ask('{ entityHistory(entityId: "big") { timestamp } }')) as {
    timestamp: string;
  }[];
  expect(
    await metadata.ask('query($at: DateTime!) { entityAt(id: "big", at: $at) { data version } }', {
      at: times[3]?.timestamp,
    }),
  ).toEqual({ version: 4, data: states[3] });
});

test('small entities are kept as they were, and events of both kinds stand in one history', async () => {
  await metadata.ask(INGEST, { t: 'Big', id: 'grows', d: { n: 0 } });
  const s = text(100_000);
  for (const d of [{ n: 1 }, { s }, { n: 2 }, { s: 'short' }, { n: 3 }])
    await metadata.ask(UPDATE, { id: 'grows', d });
  expect((await kept('grows')).map((payload) => payload.startsWith('{"changes":'))).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
  ]);
  const events = (await history('grows')).slice(1).map(({ payload }) => payload);
  expect(events.map((p) => p['new_state'])).toEqual([
    { n: 1 },
    { n: 1, s },
    { n: 2, s },
    { n: 2, s: 'short' },
    { n: 3, s: 'short' },
  ]);
  expect(events.map((p) => p['previous_state'])).toEqual([
    { n: 0 },
    ...events.slice(0, -1).map((p) => p['new_state']),
  ]);
});

test('a note of a supersession, and what comes after it, show the state of their time', async () => {
  const s = text(100_000);
  for (const id of ['old', 'new']) await metadata.ask(INGEST, { t: 'Big', id, d: { n: 0, s } });
  await metadata.ask('mutation { supersedeEntity(id: "old", replacementId: "new") { replacement { id } } }');
  const noted = async () => (await history('new')).find(({ payload }) => payload['supersedes'] === 'old');
  const expected = {
    eventType: 'EntityUpdated',
    payload: {
      previous_state: { n: 0, s },
      new_state: { n: 0, s },
      changed_fields: [],
      note: 'supersedes entity old',
      supersedes: 'old',
    },
  };
  expect(await noted()).toEqual(expected);
  await metadata.ask(UPDATE, { id: 'new', d: { n: 7 } });
  expect(await noted()).toEqual(expected);
});

test('updates of one large entity at once are all made, each on the one before; relations to it do not read its data', async () => {
  await metadata.ask(INGEST, { t: 'Big', id: 'hub', d: { n: 0, s: text(200_000) } });
  await metadata.ask('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }', {
    e: Array.from({ length: 30 }, (_, i) => ({ entityType: 'Small', id: `s${i}`, data: { n: i } })),
  });
  const writes = Array.from({ length: 30 }, (_, i) => [
    metadata.ask(
      'mutation($s: ID!) { relate(sourceId: $s, targetId: "hub", relationshipType: "part_of") { relationshipType } }',
      { s: `s${i}` },
    ),
    ...(i < 10 ? [metadata.ask(UPDATE, { id: 'hub', d: { n: i + 1 } })] : []),
  ]).flat();
  await Promise.all(writes);
  const updates = (await history('hub'))
    .filter(({ eventType }) => eventType === 'EntityUpdated')
    .map(({ payload }) =>
      [payload['previous_state'], payload['new_state']].map((state) => (state as { n: number }).n),
    );
  expect(updates).toHaveLength(10);
  expect(updates.slice(1).map(([before]) => before)).toEqual(updates.slice(0, -1).map(([, after]) => after));
  expect(
    await metadata.ask('{ entity(id: "hub") { relationships(limit: 100) { relationshipType } } }'),
  ).toMatchObject({ relationships: { length: 30 } });
});

test('in bulk, small ones and large ones, new and known, each have their outcome in the order of the list', async () => {
  await metadata.ask(INGEST, { t: 'Big', id: 'bulk-b0', d: { n: 0, s: text(200_000) } });
  const e = [
    ['s0', { n: 1 }],
    ['b0', { n: 1 }],
    ['b1', { n: 1, s: text(200_000) }],
    ['b0', { n: 2 }],
    ['b1', { n: 2 }],
    ['b2', { n: 'no' }],
    ['last', { n: 1 }],
  ].map(([id, data]) => ({ entityType: 'Big', id: `bulk-${id as string}`, data })); // the first of each pair
  const outcome = await metadata.ask(
    'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created updated results { id version } errors { index code } } }',
    { e },
  );
  expect(outcome).toEqual({
    created: 3,
    updated: 3,
    errors: [{ index: 5, code: 422 }],
    results: [['s0', 1], ['b0', 2], ['b1', 1], ['b0', 3], ['b1', 2], null, ['last', 1]].map(
      (r) => r && { id: `bulk-${String(r[0])}`, version: r[1] },
    ),
  });
});

test('ended states cannot be changed, because events are shown from them', async () => {
  const { pool, url } = metadata.database;
  for (const sql of [
    `UPDATE metadata.entity_history SET data = '{}'`,
    'DELETE FROM metadata.entity_history',
    'TRUNCATE metadata.entity_history',
  ]) {
    await expect(pool.query(sql)).rejects.toThrow('permission denied');
    await expect(asSuperuser(sql, new URL(url).pathname.slice(1))).rejects.toThrow('are kept as they were');
  }
});

test('small writes continue while a large one reads', async () => {
  await metadata.ask(INGEST, { t: 'Big', id: 'slow', d: { n: 0, s: text(200_000) } });
  await metadata.ask(UPDATE, { id: 'slow', d: { n: 1 } });
  const { pool } = metadata.database;
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let held = 0;
  Object.assign(pool, {
    query: async (...args: unknown[]) => {
      if ((args[0] as { name?: string }).name === 'log-large-states') {
        held++;
        await released;
      }
      return query(...args);
    },
  });
  try {
    const large = metadata.ask(UPDATE, { id: 'slow', d: { n: 2 } });
    while (held === 0) await sleep(5);
    for (let i = 0; i < 5; i++) await metadata.ask(INGEST, { t: 'Small', d: { n: i } });
    release?.();
    expect(await large).toMatchObject({ version: 3 });
  } finally {
    Object.assign(pool, { query });
  }
});

test('large writes run one at a time, and leave most of the time to small ones', async () => {
  let [isBusy, asked] = [true, 0];
  const turns = new LargeTurns(() => {
    asked++;
    return isBusy;
  });
  let under = 0;
  const spans: [number, number][] = [];
  const work = async (): Promise<void> => {
    expect(++under).toBe(1);
    const began = performance.now();
    await sleep(60);
    spans.push([began, performance.now()]);
    under--;
  };
  await Promise.all([
    turns.run(work),
    turns.run(work),
    turns.run(() => Promise.reject(new Error('no'))).catch(() => undefined),
  ]);
  const [[first, firstEnd], [second]] = spans as [[number, number], [number, number]];
  expect(second - firstEnd).toBeGreaterThan(3 * (firstEnd - first));
  [isBusy, asked] = [false, 0];
  await turns.run(work);
  await turns.run(work);
  expect(asked).toBeLessThanOrEqual(2); // once for each, and then it began
});
