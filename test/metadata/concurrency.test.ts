// Concurrent writes through two components over two pools, like two processes: none is lost, none is done
// twice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ComponentResult } from '../../platform/component.ts';
import { admin, anotherProcess, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

let metadata: FreshMetadata;
let other: Awaited<ReturnType<typeof anotherProcess>>;

beforeAll(async () => {
  metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'label', field_type: 'string' },
        { name: 'counts', field_type: 'json' },
        ...Array.from({ length: 200 }, (_, i) => ({ name: `f${i}`, field_type: 'int' })),
      ],
    },
  });
  other = await anotherProcess(metadata);
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await metadata[Symbol.asyncDispose]();
});

const make = async (...ids: string[]) => {
  for (const id of ids)
    await metadata.ask('mutation($id: ID!) { ingestEntity(entityType: "Thing", id: $id, data: {}) { id } }', {
      id,
    });
};

/** Runs the document once for each set of variables, all at once, by turns on either component. */
function together(document: string, all: readonly Record<string, unknown>[]): Promise<ComponentResult[]> {
  const runs = [metadata.component.prepare(document), other.component.prepare(document)];
  // there are two
  return Promise.all(all.map((variables, i) => (runs[i % 2] ?? (runs[0] as never))(variables, admin)));
}
const codes = (results: readonly ComponentResult[]): unknown[] =>
  results.flatMap((r) => r.errors?.map((e) => e.extensions?.['code']) ?? []);
const history = (id: string, type: string) =>
  metadata.ask(
    'query($id: ID!, $t: [String!]) { entityHistory(entityId: $id, eventTypes: $t, limit: 1000) { payload timestamp } }',
    { id, t: [type] },
  ) as Promise<{ payload: Record<string, unknown>; timestamp: string }[]>;
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

test('none of 200 concurrent updates of one entity is lost, and each event continues the one before', async () => {
  await make('u');
  const results = await together(
    'mutation($d: JSON!) { updateEntity(entityType: "Thing", id: "u", data: $d) { version } }',
    times(200, (i) => ({ d: { [`f${i}`]: i } })),
  );
  expect(codes(results)).toEqual([]);
  expect(
    results.map((r) => (r.data?.['updateEntity'] as { version: number }).version).toSorted((a, b) => a - b),
  ).toEqual(times(200, (i) => i + 2));
  const entity = (await metadata.ask('{ entity(id: "u") { version data } }')) as {
    version: number;
    data: Record<string, number>;
  };
  expect(entity).toEqual({ version: 201, data: Object.fromEntries(times(200, (i) => [`f${i}`, i])) });
  const events = await history('u', 'EntityUpdated');
  expect(events).toHaveLength(200);
  for (const [i, { payload }] of events.entries())
    expect(payload['previous_state']).toEqual(events[i - 1]?.payload['new_state'] ?? {});
  expect(new Set(events.map((e) => e.timestamp)).size).toBe(200);
});

test('one of 200 concurrent updates with the same expected version succeeds', async () => {
  await make('v');
  const results = await together(
    'mutation($l: JSON!) { updateEntity(entityType: "Thing", id: "v", data: $l, ifVersion: 1) { version } }',
    times(200, (i) => ({ l: { label: `${i}` } })),
  );
  expect(codes(results)).toEqual(times(199, () => 'PRECONDITION_FAILED'));
  expect(await history('v', 'EntityUpdated')).toHaveLength(1);
});

test('50 concurrent creations of the same relationship leave one', async () => {
  await make('r1', 'r2');
  const results = await together(
    'mutation { relate(sourceId: "r1", targetId: "r2", relationshipType: "t") { id } }',
    times(50, () => ({})),
  );
  expect(codes(results)).toEqual(times(49, () => 'VALIDATION_FAILED'));
  expect(await metadata.ask('{ relationships(entityId: "r1") { id } }')).toEqual([{ id: 'r1->r2:t' }]);
  expect(await history('r1', 'RelationshipCreated')).toHaveLength(1);
});

test('concurrent relating and unrelating leaves alternating events, and the state of the last one', async () => {
  await make('w1', 'w2');
  const args = 'sourceId: "w1", targetId: "w2", relationshipType: "t"';
  const [made, ended] = await Promise.all([
    together(
      `mutation { relate(${args}) { id } }`,
      times(60, () => ({})),
    ),
    together(
      `mutation { unrelate(${args}) { id } }`,
      times(60, () => ({})),
    ),
  ]);
  expect(new Set([...codes(made), ...codes(ended)])).toEqual(new Set(['VALIDATION_FAILED', 'NOT_FOUND']));
  const created = (await history('w1', 'RelationshipCreated')).map((e) => ({
    at: e.timestamp,
    is: 'created',
  }));
  const removed = (await history('w1', 'RelationshipRemoved')).map((e) => ({
    at: e.timestamp,
    is: 'removed',
  }));
  expect(created.length).toBe(60 - codes(made).length);
  expect(removed.length).toBe(60 - codes(ended).length);
  const order = [...created, ...removed].toSorted((a, b) => (a.at < b.at ? -1 : 1)).map((e) => e.is);
  expect(order).toEqual(times(order.length, (i) => (i % 2 === 0 ? 'created' : 'removed')));
  expect(await metadata.ask('{ relationships(entityId: "w1") { id } }')).toHaveLength(
    created.length - removed.length,
  );
});

test('50 times the same external id for 50 entities at once has one owner', async () => {
  const ids = times(50, (i) => `x${i}`);
  await make(...ids);
  const results = await together(
    'mutation($id: ID!) { registerExternalId(entityId: $id, externalId: "shared") { entityId } }',
    ids.map((id) => ({ id })),
  );
  expect(codes(results)).toEqual(times(49, () => 'VALIDATION_FAILED'));
  const owner = results.find((r) => !r.errors)?.data?.['registerExternalId'] as { entityId: string };
  expect(await metadata.ask('{ entityByExternalId(externalId: "shared") { id } }')).toEqual({
    id: owner.entityId,
  });
});

test('superseding one external id 50 times at once leaves one successor', async () => {
  await make('s');
  await metadata.ask('mutation { registerExternalId(entityId: "s", externalId: "old") { id } }');
  const results = await together(
    'mutation($n: String!) { supersedeExternalId(entityId: "s", oldExternalId: "old", newExternalId: $n) { externalId } }',
    times(50, (i) => ({ n: `new${i % 5}` })),
  );
  expect(codes(results)).toEqual(times(49, () => 'NOT_FOUND'));
  const winner = results.find((r) => !r.errors)?.data?.['supersedeExternalId'] as { externalId: string };
  expect(await metadata.ask('{ externalIds(entityId: "s") { externalId } }')).toEqual([winner]);
  expect(await metadata.ask('{ supersededExternalIds(entityId: "s") { externalId } }')).toEqual([
    { externalId: 'old' },
  ]);
  expect(await history('s', 'ExternalIdSuperseded')).toHaveLength(1);
});

test('a chain of supersessions, back and forth at once, leaves one active value', async () => {
  await make('z');
  await metadata.ask('mutation { registerExternalId(entityId: "z", externalId: "A") { id } }');
  const supersede =
    'mutation($o: String!, $n: String!) { supersedeExternalId(entityId: "z", oldExternalId: $o, newExternalId: $n) { externalId } }';
  const results = await together(
    supersede,
    times(80, (i) => (i % 4 < 2 ? { o: 'A', n: 'B' } : { o: 'B', n: 'A' })),
  );
  expect(new Set(codes(results)).size).toBeLessThanOrEqual(1); // what fails, fails as not found
  const active = (await metadata.ask('{ externalIds(entityId: "z") { externalId } }')) as {
    externalId: string;
  }[];
  const events = await history('z', 'ExternalIdSuperseded');
  expect(events.length).toBe(80 - codes(results).length);
  expect(active).toEqual([{ externalId: events.at(-1)?.payload['new_value'] }]);
  for (const [i, { payload }] of events.entries())
    expect(payload['old_value']).toBe(i === 0 ? 'A' : events[i - 1]?.payload['new_value']);
});

test('availability changed 100 times at once: events alternate, the counts agree', async () => {
  await make('a');
  const results = await together(
    'mutation($v: Boolean!) { setAvailability(id: "a", isAvailable: $v, reason: "r") { isAvailable } }',
    times(100, (i) => ({ v: i % 4 < 2 })),
  );
  expect(codes(results)).toEqual([]);
  const events = await history('a', 'AvailabilityChanged');
  for (const [i, { payload }] of events.entries())
    expect(payload).toMatchObject({ previous: i % 2 === 0, current: i % 2 === 1 });
  expect(await metadata.ask('{ entity(id: "a") { isAvailable version } }')).toEqual({
    isAvailable: events.length % 2 === 0,
    version: 1,
  });
});

test('deleting one entity 50 times at once is one event and 50 successes', async () => {
  await make('d');
  expect(
    codes(
      await together(
        'mutation { deleteEntity(id: "d") { id } }',
        times(50, () => ({})),
      ),
    ),
  ).toEqual([]);
  expect(await history('d', 'AvailabilityChanged')).toHaveLength(1);
});

test('superseding one entity by 20 others at once relates it to one of them and makes it unavailable once', async () => {
  await make('old', ...times(20, (i) => `by${i}`));
  const results = await together(
    'mutation($by: ID!) { supersedeEntity(id: "old", replacementId: $by) { superseded { id } } }',
    times(40, (i) => ({ by: `by${i % 20}` })),
  );
  // who comes later is told that it is superseded
  expect(codes(results)).toEqual(times(39, () => 'CONFLICT'));
  expect(await metadata.ask('{ relationships(entityId: "old") { id } }')).toHaveLength(1);
  expect(await history('old', 'AvailabilityChanged')).toHaveLength(1);
  expect(await history('old', 'EntitySuperseded')).toHaveLength(1);
});

test('after all these writes the counts agree with the entities', async () => {
  const { rows } = await metadata.database.pool.query<{
    is_available: boolean;
    counted: string;
    there: string;
  }>(
    `SELECT c.is_available, c.n AS counted, (SELECT count(*) FROM metadata.entity e WHERE e.is_available = c.is_available) AS there FROM metadata.entity_count c`,
  );
  for (const { counted, there } of rows) expect(counted).toBe(there);
  expect(rows).toHaveLength(2);
});
