// The words of a search as a condition, over many entities and while others write (docs/reference/metadata.md#search).
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walkExport } from '../../subgraphs/metadata/exports/exports.store.ts';
import { ExportService } from '../../subgraphs/metadata/exports/exports.service.ts';
import { startFoundation } from '../../subgraphs/metadata/foundation.ts';
import { callerWith, freshMetadata } from '../testkit/metadata.ts';
import { asSuperuser, testLog } from '../testkit/database.ts';

let metadata: Awaited<ReturnType<typeof freshMetadata>>;
let before: string;
const KEPT = 60;
const ids = Array.from({ length: KEPT }, (_, i) => `k${String(i).padStart(2, '0')}`);

async function ingest(entities: readonly { readonly id: string; readonly data: object }[]): Promise<void> {
  const e = entities.map((one) => ({ entityType: 'Note', ...one }));
  await metadata.ask('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }', { e });
}
const change = (id: string): Promise<unknown> =>
  metadata.ask('mutation($i: ID!, $d: JSON!) { updateEntity(entityType: "Note", id: $i, data: $d) { id } }', {
    i: id,
    d: { text: 'thawed' },
  });

beforeAll(async () => {
  metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'Note',
      version: '1',
      fields: [
        { name: 'text', field_type: 'string' },
        { name: 'n', field_type: 'int' },
      ],
    },
  });
  for (let from = 0; from < 12_000; from += 3000)
    await ingest(
      Array.from({ length: 3000 }, (_, i) => ({
        id: `n${from + i}`,
        data: { text: `ordinary entry ${from + i}`, n: i % 10 },
      })),
    );
  await ingest(ids.map((id, i) => ({ id, data: { text: 'frozen slice', n: i % 10 } })));
  await asSuperuser('VACUUM ANALYZE metadata.entity', new URL(metadata.database.url).pathname.slice(1));
  before = new Date().toISOString();
});
afterAll(() => metadata[Symbol.asyncDispose]());

interface Explanation {
  readonly indexes: readonly string[];
  readonly readsTable: boolean;
}

test('a rare word is found by the index over words, whatever the order, in lists and in aggregates', async () => {
  const explained = async (q: string | null): Promise<readonly Explanation[]> => [
    (await metadata.ask(
      'query($q: String) { explainFilter(entityType: "Note", filter: "true", q: $q) { indexes readsTable } }',
      { q },
    )) as Explanation,
    (await metadata.ask(
      'query($q: String) { explainAggregate(entityType: "Note", groupBy: ["n"], q: $q) { indexes readsTable } }',
      { q },
    )) as Explanation,
  ];
  for (const { indexes, readsTable } of await explained('frozen')) {
    expect(indexes).toContain('entity_search_idx');
    expect(indexes).toContain('entity_first_event_key');
    expect(readsTable).toBe(false);
  }
  for (const { indexes } of await explained(null)) expect(indexes).not.toContain('entity_search_idx');
});

test('a word of more entities than are looked up first is a condition like others', async () => {
  const LIST =
    'query($at: DateTime) { entities(entityType: "Note", q: "ordin", filter: "data.n == 3", limit: 2, asOf: $at) { total items { id } } }';
  for (const at of [null, before])
    expect(await metadata.ask(LIST, { at })).toMatchObject({
      total: 1200,
      items: [{ id: 'n3' }, { id: 'n13' }],
    });
  expect(
    await metadata.ask('{ entities(entityType: "Note", q: "ordinary", count: ESTIMATED) { total } }'),
  ).toMatchObject({ total: expect.any(Number) as number });
});

test('only the total reads no page', async () => {
  const { pool } = metadata.database;
  const sent: string[] = [];
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    query: (...args: Parameters<typeof query>) => {
      const [one] = args as unknown as [string | { text: string }];
      sent.push(typeof one === 'string' ? one : one.text);
      return query(...args);
    },
  });
  try {
    expect(await metadata.ask('{ entities(entityType: "Note", filter: "data.n == 3") { total } }')).toEqual({
      total: 1206,
    });
    expect(sent.filter((text) => text.includes('ORDER BY e.first_event'))).toEqual([]);
    expect(sent.some((text) => text.includes('count(*)'))).toBe(true);
  } finally {
    Object.assign(pool, { query });
  }
});

test('what changes while the past is read is found in it, and while an export waits', async () => {
  const PAST = `query($at: DateTime) {
    entities(entityType: "Note", q: "frozen", limit: 1000, asOf: $at) { total items { id data } } }`;
  const HITS =
    'query($at: DateTime) { search(entityType: "Note", q: "frozen", limit: 1000, asOf: $at) { id } }';
  const GROUPS =
    'query($at: DateTime) { aggregate(entityType: "Note", q: "frozen", asOf: $at) { groups { count } } }';
  let isOver = false;
  const writing = (async () => {
    for (const id of ids.slice(0, -2)) await change(id);
    isOver = true;
  })();
  let reads = 0;
  while (!isOver) {
    const [listed, hits, groups] = (await Promise.all([
      metadata.ask(PAST, { at: before }),
      metadata.ask(HITS, { at: before }),
      metadata.ask(GROUPS, { at: before }),
    ])) as [
      { total: number; items: readonly { id: string }[] },
      readonly { id: string }[],
      { groups: readonly { count: number }[] },
    ];
    expect(listed.items.map(({ id }) => id)).toEqual(ids);
    expect(listed.total).toBe(KEPT);
    expect(hits.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(groups.groups).toEqual([{ count: KEPT }]);
    reads++;
  }
  await writing;
  expect(reads).toBeGreaterThan(3);
});

test('an export that has waited contains what has changed meanwhile', async () => {
  const foundation = await startFoundation({ database: metadata.database, log: testLog });
  try {
    const { entities, reads, catalogue } = foundation;
    const { pool } = metadata.database;
    const service = new ExportService({
      entities,
      catalogue,
      walk: (page, signal) => walkExport({ pool, reads }, page, signal),
    });
    const at = await metadata.database.pool
      .query<{ p: string }>(
        'SELECT max(position)::text AS p FROM metadata.provenance WHERE timestamp <= $1',
        [before],
      )
      .then(({ rows }) => rows[0]?.p ?? '0');
    const request = {
      ...{ entityType: 'Note', filter: null, q: 'frozen', fields: [], limit: null, offset: 0, cursor: null },
      ...{ orderBy: null, includeUnavailable: false, at, expand: null },
    };
    const caller = callerWith('viewer');
    const held = [];
    for (let i = 0; i < 2; i++) {
      const one = await service.open({ ...request, q: 'ordinary' }, caller, {});
      await one.next();
      held.push(one);
    }
    const waiting = service.open(request, caller, {}); // an actor has two at a time
    for (const id of ids.slice(-2)) await change(id);
    for (const one of held) await one.return?.();
    let count = 0;
    for await (const block of await waiting) count += block.count;
    expect(count).toBe(KEPT);
  } finally {
    foundation.indexes.close();
    await foundation.registry.close();
  }
});

test('what held the words before and does not now is removed from what holds them, and the reverse added', async () => {
  const texts = (lost: string, won: string, n: number) => [
    { id: 'lost', data: { text: lost } },
    { id: 'won', data: { text: won } },
    { id: 'kept', data: { text: 'Frozen slice, too', n } },
  ];
  await ingest(texts('Frozen slice, too', 'thawed', 1));
  await sleep(2); // an instant of JavaScript is cut to milliseconds
  const from = new Date().toISOString();
  await ingest(texts('thawed', 'too: a slice, FROZEN', 2));
  const differing = async (q: string): Promise<unknown> => {
    const DIFF =
      'query($q: String, $from: DateTime!) { entitiesDiff(entityType: "Note", q: $q, from: $from) { items { entityId kind } } }';
    const { items } = (await metadata.ask(DIFF, { q, from })) as {
      items: readonly { entityId: string; kind: string }[];
    };
    return items.map(({ entityId, kind }) => `${entityId} ${kind}`);
  };
  expect(await differing('SLICE too froz')).toEqual(['lost REMOVED', 'won ADDED', 'kept CHANGED']);
  expect(await differing('thaw')).toEqual(['lost ADDED', 'won REMOVED']);
  expect(await differing('')).toEqual(['lost CHANGED', 'won CHANGED', 'kept CHANGED']);
});
