// Reads of the past give the answers that were given at that time (docs/reference/metadata.md#the-past,
// docs/decisions/0010).
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../platform/identity.ts';
import { admin, callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const CREATE = 'mutation($d: JSON!) { createSchema(definition: $d) { name } }';
const INGEST =
  'mutation($t: String!, $id: ID, $d: JSON!) { ingestEntity(entityType: $t, id: $id, data: $d) { id createdAt updatedAt } }';
const AVAILABILITY =
  'mutation($id: ID!, $a: Boolean!) { setAvailability(id: $id, isAvailable: $a, reason: "r") { isAvailable } }';
const RELATE =
  'mutation($s: ID!, $t: ID!, $y: String!) { relate(sourceId: $s, targetId: $t, relationshipType: $y, metadata: {a: 1}) { id } }';
const UNRELATE =
  'mutation($s: ID!, $t: ID!, $y: String!) { unrelate(sourceId: $s, targetId: $t, relationshipType: $y) { id } }';
const REPLACE =
  'mutation($s: ID!, $t: ID!) { supersedeEntity(id: $s, replacementId: $t) { superseded { id } } }';
const REGISTER =
  'mutation($id: ID!, $x: String!) { registerExternalId(entityId: $id, externalId: $x) { id } }';
const SUPERSEDE =
  'mutation($id: ID!, $x: String!, $y: String!) { supersedeExternalId(entityId: $id, oldExternalId: $x, newExternalId: $y) { id } }';

const ENTITY = 'id entityType data version createdAt updatedAt isAvailable project';
const BELOW = `${ENTITY} history(limit: 1000) { id } externalIds(includeSuperseded: true) { externalId supersededAt supersededBy } relationships { id createdAt source { ${ENTITY} } target { ${ENTITY} } }`;
const GET = `query($id: ID!, $at: DateTime) { entity(id: $id, asOf: $at) { ${ENTITY} } }`;
const DEEP = `query($id: ID!, $at: DateTime) { entity(id: $id, asOf: $at) { ${BELOW} } }`;
const EXPAND =
  'query($id: ID!, $at: DateTime) { entity(id: $id, asOf: $at) { id expanded(paths: "next.next.likes[],likes[].next,has[]") } }';
const STATE = `query($id: ID!, $at: DateTime!) { entityAt(id: $id, at: $at) { ${ENTITY} } }`;
const LIST = `query($t: String, $f: String, $p: [FieldFilter!], $o: String, $u: Boolean, $n: Int, $c: String, $k: Int, $at: DateTime) {
  entities(entityType: $t, filter: $f, fields: $p, orderBy: $o, includeUnavailable: $u, limit: $n, cursor: $c, offset: $k, asOf: $at) { items { ${ENTITY} } total nextCursor } }`;
const SEARCH = `query($t: String!, $q: String!, $u: Boolean, $at: DateTime) { search(entityType: $t, q: $q, includeUnavailable: $u, asOf: $at) { ${ENTITY} score } }`;
const RELATIONSHIPS =
  'query($id: ID!, $at: DateTime) { relationships(entityId: $id, asOf: $at) { id metadata createdAt createdBy } }';
const FIND = 'query($at: DateTime) { findRelationships(limit: 1000, asOf: $at) { items { id createdAt } } }';
const TRAVERSE =
  'query($id: ID!, $at: DateTime) { traverse(sourceId: $id, direction: BOTH, asOf: $at) { nodes { entityId depth path } } }';
const EXTERNAL =
  'query($id: ID!, $at: DateTime) { externalIds(entityId: $id, includeSuperseded: true, asOf: $at) { externalId createdAt supersededAt supersededBy } }';
const AGGREGATE = `query($t: String!, $g: [String!]!, $m: [String!]!, $f: String, $p: [FieldFilter!], $u: Boolean, $at: DateTime) {
  aggregate(entityType: $t, groupBy: $g, of: $m, filter: $f, fields: $p, includeUnavailable: $u, asOf: $at) { groups { key count measures } total } }`;
const EXPORT = `subscription($t: String!, $f: String, $o: String, $u: Boolean, $n: Int, $k: Int, $at: DateTime) {
  exportEntities(entityType: $t, filter: $f, orderBy: $o, includeUnavailable: $u, limit: $n, offset: $k, asOf: $at) { lines } }`;
const SUPERSEDED =
  'query($id: ID!, $at: DateTime) { supersededExternalIds(entityId: $id, asOf: $at) { externalId createdAt supersededAt supersededBy } }';

interface Page {
  items: {
    id: string;
    data: Record<string, unknown>;
    updatedAt: string;
    createdAt: string;
    version: number;
  }[];
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
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'n', field_type: 'int' },
        { name: 'word', field_type: 'string' },
        { name: 'project', field_type: 'string' },
        { name: 'next', field_type: 'ref', references: 'Thing' },
      ],
    },
  });
  await ask(CREATE, { d: { name: 'SubThing', version: '1', parent: 'Thing', fields: [] } });
});
afterAll(() => metadata[Symbol.asyncDispose]());

/** Every kind of read, by the entities' ids. */
const READS: readonly { readonly document: string; readonly variables: Record<string, unknown> }[] = [
  { document: LIST, variables: {} },
  { document: LIST, variables: { t: 'Thing' } },
  { document: LIST, variables: { t: 'SubThing', u: true } },
  { document: LIST, variables: { t: 'Thing', n: 2, k: 1 } },
  { document: LIST, variables: { t: 'Thing', f: 'data.n == 1' } },
  { document: LIST, variables: { t: 'SubThing', f: 'data.n > 0 && data.word != "x"', u: true } },
  { document: LIST, variables: { f: 'data.n * 2.0 > 1.0' } },
  { document: LIST, variables: { f: '!is_available' } },
  { document: LIST, variables: { f: 'updated_at > created_at && version > 1' } },
  { document: LIST, variables: { t: 'Thing', p: [{ name: 'word', values: ['red', 'blue'] }] } },
  { document: LIST, variables: { t: 'Thing', p: [{ name: 'project', values: ['alpha'] }], o: '-data.n' } },
  ...['-created_at', 'updated_at', '-updated_at', 'id', '-id', 'data.n', '-data.word'].map((o) => ({
    document: LIST,
    variables: { t: 'Thing', o, u: true, n: 3 },
  })),
  { document: LIST, variables: { t: 'Thing', o: '-updated_at', f: 'data.word == "red"' } },
  ...['red', 'blu', 'green re', 'red blue'].map((q) => ({ document: SEARCH, variables: { t: 'Thing', q } })),
  { document: SEARCH, variables: { t: 'SubThing', q: 'red', u: true } },
  {
    document: LIST.replace('items { ', 'items { expanded(paths: "next.has[]") '),
    variables: { t: 'Thing', o: '-id' },
  },
  { document: FIND, variables: {} },
  ...[
    { g: [], m: ['n', 'word', 'created_at', 'updated_at', 'version'] },
    { g: ['word', 'project'], m: ['n'] },
    { g: ['is_available', 'entity_type'], m: ['id'] },
    { g: ['updated_at'], m: ['next'], u: true },
    { g: ['version'], m: ['n'], f: 'data.n > 0 && updated_at > created_at' },
    { g: ['n'], m: [], p: [{ name: 'word', values: ['red', 'blue'] }] },
  ].flatMap((one) =>
    ['Thing', 'SubThing'].map((t) => ({
      document: AGGREGATE,
      variables: { t, ...one },
    })),
  ),
  { document: EXPORT, variables: { t: 'Thing', o: '-updated_at' } },
  { document: EXPORT, variables: { t: 'SubThing', u: true } },
  { document: EXPORT, variables: { t: 'Thing', f: 'data.n * 2.0 > 1.0', n: 3, k: 1 } },
];
const BY_ID = [GET, EXPAND, DEEP, RELATIONSHIPS, TRAVERSE, EXTERNAL, SUPERSEDED];

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const name = fc.constantFrom(...NAMES);
const data = fc.record(
  {
    n: fc.integer({ min: 0, max: 3 }),
    word: fc.constantFrom('red', 'blue', 'green red', 'green red blue'),
    project: fc.constantFrom('alpha', 'beta', null),
    next: name,
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('write' as const), name, data, fc.boolean()) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('availability' as const), name, fc.boolean()) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant('relate' as const), name, name, fc.constantFrom('likes', 'has')),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant('unrelate' as const), name, name, fc.constantFrom('likes', 'has')),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('supersede' as const), name, name) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('identify' as const), name, fc.integer({ min: 0, max: 3 })) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Executes a step; an impossible step is skipped. */
async function take(one: Step, run: string): Promise<void> {
  const id = (short: string): string => `${run}${short}`;
  const write = (): Promise<unknown> => {
    switch (one[0]) {
      case 'write':
        return ask(INGEST, {
          t: one[3] ? 'SubThing' : 'Thing',
          id: id(one[1]),
          d: { ...one[2], ...(one[2].next === undefined ? {} : { next: id(one[2].next) }) },
        });
      case 'availability':
        return ask(AVAILABILITY, { id: id(one[1]), a: one[2] });
      case 'relate':
        return ask(RELATE, { s: id(one[1]), t: id(one[2]), y: one[3] });
      case 'unrelate':
        return ask(UNRELATE, { s: id(one[1]), t: id(one[2]), y: one[3] });
      case 'supersede':
        return ask(REPLACE, { s: id(one[1]), t: id(one[2]) });
      case 'identify':
        return ask(REGISTER, { id: id(one[1]), x: `${run}${one[2]}` }).catch(() =>
          ask(SUPERSEDE, { id: id(one[1]), x: `${run}${one[2]}`, y: `${run}${one[2]}'` }),
        );
      default:
        return one satisfies never;
    }
  };
  await write().catch((refused: unknown) => {
    expect(String(refused)).toMatch(/NOT_FOUND|VALIDATION_FAILED/);
  });
}

/** What they could see then is what they see of then. */
const CALLERS = [admin, callerWith('viewer', ['alpha'])];

/** The values of the document's root fields; of a subscription, all of them. */
async function read(document: string, variables: Record<string, unknown>, caller: Caller): Promise<unknown> {
  if (document.startsWith('subscription')) {
    const values: unknown[] = [];
    for await (const result of await metadata.component.subscribe(document, variables, caller)) {
      expect(result.errors).toBeUndefined();
      values.push(result.data);
    }
    return values;
  }
  const { data: values, texts, errors } = await metadata.raw(document, variables, caller);
  const codes = errors?.map(({ extensions }) => extensions?.['code']);
  return codes ?? (texts ? JSON.parse(Object.values(texts)[0] ?? 'null') : values);
}

async function answers(run: string, at: string | null): Promise<unknown[]> {
  const everything = [
    ...READS,
    ...BY_ID.flatMap((document) => NAMES.map((short) => ({ document, variables: { id: run + short } }))),
  ];
  const all: unknown[] = [];
  for (const caller of CALLERS)
    for (const { document, variables } of everything) {
      const value = await read(document, { ...variables, at }, caller);
      // a cursor of the past contains its moment, one of the present does not: only its presence is compared
      all.push([
        caller.actor,
        document.slice(0, 60),
        variables,
        JSON.parse(JSON.stringify(value, (key, v: unknown) => (key === 'nextCursor' ? v !== null : v))),
      ]);
    }
  return all;
}

const lastInstant = async (): Promise<string> => {
  const { rows } = await metadata.database.pool.query<{ at: string }>(
    `SELECT to_char(max(timestamp) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM metadata.provenance`,
  );
  return rows[0]?.at ?? '';
};

let runs = 0;
test('every read answered at a time equals the read as of that time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const run = `r${++runs}-`;
      const seen: { at: string; answered: unknown[] }[] = [];
      for (const one of steps) {
        await take(one, run);
        seen.push({ at: await lastInstant(), answered: await answers(run, null) });
      }
      for (const { at, answered } of seen) expect(await answers(run, at)).toEqual(answered);
    }),
    { numRuns: Number(process.env['CAIRN_TEST_RUNS'] ?? 2) },
  );
}, 600_000);

test('every timestamp the platform returns, sent back in any form, means the same instant', async () => {
  const first = await ask<{ createdAt: string }>(INGEST, { t: 'Thing', id: 'ts', d: { n: 1 } });
  const second = await ask<{ createdAt: string; updatedAt: string }>(INGEST, {
    t: 'Thing',
    id: 'ts',
    d: { n: 2 },
  });
  expect(second.createdAt).toBe(first.createdAt);
  const n = async (at: string): Promise<unknown> =>
    (await ask<{ data: { n: number } } | null>(STATE, { id: 'ts', at }))?.data.n ?? null;
  const shifted = (at: string, ms: number, zone: string): string =>
    new Date(Date.parse(at) + ms).toISOString().replace(/\.\d+Z/, at.slice(19, 26)) + zone;
  const before = (at: string): string => {
    const micros = BigInt(Date.parse(`${at.slice(0, 19)}Z`)) * 1000n + BigInt(at.slice(20, 26)) - 1n;
    return `${new Date(Number(micros / 1000n)).toISOString().slice(0, 19)}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
  };
  expect([
    await n(before(first.createdAt)),
    await n(first.createdAt),
    await n(before(second.updatedAt)),
    await n(second.updatedAt),
  ]).toEqual([null, 1, 1, 2]);
  expect(await n(shifted(first.createdAt, 2 * 3_600_000, '+02:00'))).toBe(1);
  expect(await n(shifted(first.createdAt, -5.5 * 3_600_000, '-05:30'))).toBe(1);
  expect(await n('1999-12-31T23:59:59Z')).toBeNull();
  expect(await n('2999-12-31T23:59:59Z')).toBe(2);
  for (const at of ['yesterday', '2026-01-01', '2026-02-30T00:00:00Z'])
    await expect(n(at)).rejects.toThrow('VALIDATION_FAILED');
});

test('a past state equals the replay of the events up to it', async () => {
  await ask(INGEST, { t: 'Thing', id: 'rp', d: { n: 0, word: 'red' } });
  for (let i = 1; i < 6; i++) {
    await ask(INGEST, { t: 'Thing', id: 'rp', d: { n: i } });
    await ask(AVAILABILITY, { id: 'rp', a: i % 2 === 0 });
  }
  const events = await ask<{ eventType: string; timestamp: string; payload: Record<string, unknown> }[]>(
    'query($id: ID!) { entityHistory(entityId: $id) { eventType timestamp payload } }',
    { id: 'rp' },
  );
  expect(events).toHaveLength(11);
  let state: { data: unknown; version: number; isAvailable: boolean } = {
    data: null,
    version: 0,
    isAvailable: true,
  };
  for (const { eventType, timestamp, payload } of events) {
    if (eventType === 'EntityCreated') state = { ...state, data: payload['initial_state'], version: 1 };
    if (eventType === 'EntityUpdated')
      state = { ...state, data: payload['new_state'], version: state.version + 1 };
    if (eventType === 'AvailabilityChanged') state = { ...state, isAvailable: payload['current'] === true };
    expect(await ask(STATE, { id: 'rp', at: timestamp })).toMatchObject({ ...state, updatedAt: timestamp });
  }
});

test('a past instant always gives the same answer: a read waits for writes that are under way', async () => {
  const client = await metadata.database.pool.connect();
  try {
    await client.query('BEGIN; SELECT metadata.open_log()');
    await client.query(`WITH event AS (INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload) VALUES ('EntityCreated', 'slow', 'Thing', 'user:slow', '1', '{"initial_state":{}}') RETURNING position)
      INSERT INTO metadata.entity (id, entity_type, data, first_event, state_event, last_event) SELECT 'slow', 'Thing', '{}', position, position, position FROM event`);
    await client.query(
      `UPDATE metadata.entity_count SET n = n + 1 WHERE entity_type = 'Thing' AND project = '' AND is_available`,
    );
    const { rows } = await client.query<{ at: string }>(
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
    );
    const at = rows[0]?.at ?? '';
    let isAnswered = false;
    const asked = ask<{ id: string } | null>(STATE, { id: 'slow', at }).finally(() => {
      isAnswered = true;
    });
    expect(await ask(GET, { id: 'slow' })).toBeNull(); // a read of the present does not wait
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    expect(isAnswered).toBe(false);
    await client.query('COMMIT');
    expect(await asked).toMatchObject({ id: 'slow' });
    expect(await ask(STATE, { id: 'slow', at })).toMatchObject({ id: 'slow' });
  } finally {
    client.release();
  }
});

test('pages of the past follow each other by cursor, whatever is written meanwhile', async () => {
  for (let i = 0; i < 9; i++)
    await ask(INGEST, { t: 'Thing', id: `pg${i}`, d: { n: 100 + (i % 3), word: 'paged' } });
  const at = await lastInstant();
  for (const order of ['created_at', '-updated_at', 'data.n', '-id']) {
    const filter = { t: 'Thing', f: 'data.n >= 100 && data.n < 200', o: order, n: 2 };
    const whole = (await ask<Page>(LIST, { ...filter, n: 1000, at })).items;
    expect(whole).toHaveLength(9);
    const walked: unknown[] = [];
    for (let cursor: string | null = null, i = 0; i === 0 || cursor !== null; i++) {
      const page: Page = await ask<Page>(LIST, {
        ...filter,
        c: cursor,
        ...(cursor === null ? { at } : i % 2 ? {} : { at }),
      }); // a cursor carries its moment with it
      walked.push(...page.items);
      cursor = page.nextCursor;
      await ask(INGEST, { t: 'Thing', id: `pg${i}`, d: { n: 500 + i } });
      await ask(AVAILABILITY, { id: `pg${8 - i}`, a: false });
    }
    expect(walked).toEqual(whole);
    for (let i = 0; i < 9; i++) {
      await ask(INGEST, { t: 'Thing', id: `pg${i}`, d: { n: 100 + (i % 3) } });
      await ask(AVAILABILITY, { id: `pg${i}`, a: true });
    }
  }
  const present = await ask<Page>(LIST, { t: 'Thing', n: 1 });
  await expect(ask(LIST, { t: 'Thing', n: 1, c: present.nextCursor, at })).rejects.toThrow(
    'VALIDATION_FAILED',
  );
});

test('past states of an entity that moved to another project are visible only to those who could see them at the time', async () => {
  const scoped = callerWith('viewer', ['alpha']);
  await ask(INGEST, { t: 'Thing', id: 'mv1', d: { n: 1, project: 'alpha', word: 'moved' } });
  await ask(INGEST, { t: 'Thing', id: 'mv2', d: { n: 1, project: 'beta', word: 'moved' } });
  await ask(INGEST, { t: 'Thing', id: 'mv3', d: { n: 1, project: 'alpha', word: 'moved' } });
  await ask(RELATE, { s: 'mv3', t: 'mv1', y: 'has' });
  const then = await lastInstant();
  const ids = async (at: string | null, caller = scoped): Promise<string[]> => {
    const page = await ask<Page>(LIST, { t: 'Thing', f: 'data.word == "moved"', at }, caller);
    const unfiltered = await ask<Page>(LIST, { t: 'Thing', n: 1000, u: true, at }, caller);
    expect(unfiltered.total).toBe(unfiltered.items.length);
    expect(page.total).toBe(page.items.length);
    return page.items.map((item) => item.id);
  };
  expect(await ids(then)).toEqual(['mv1', 'mv3']);
  await ask(INGEST, { t: 'Thing', id: 'mv1', d: { project: 'beta' } });
  await ask(INGEST, { t: 'Thing', id: 'mv2', d: { project: 'alpha' } });
  expect(await ids(null)).toEqual(['mv2', 'mv3']);
  expect(await ids(then)).toEqual(['mv1', 'mv3']);
  expect(await ids(then, callerWith('viewer'))).toEqual(['mv1', 'mv2', 'mv3']);
  expect(await ask(GET, { id: 'mv2', at: then }, scoped)).toBeNull();
  for (const id of ['mv1', 'mv3']) expect(await ask(GET, { id, at: then }, scoped)).not.toBeNull();
  expect(await ask(RELATIONSHIPS, { id: 'mv3' }, scoped)).toEqual([]);
  expect(await ask(RELATIONSHIPS, { id: 'mv3', at: then }, scoped)).toHaveLength(1);
  expect(await ask(RELATIONSHIPS, { id: 'mv3', at: then })).toHaveLength(1);
  expect(
    (await ask<{ id: string }[]>(SEARCH, { t: 'Thing', q: 'moved', at: then }, scoped)).map((hit) => hit.id),
  ).toEqual(['mv1', 'mv3']);
});

test('totals of the past hold at every single event, however many lie between', async () => {
  await ask(CREATE, {
    d: { name: 'Counted', version: '1', fields: [{ name: 'project', field_type: 'string' }] },
  });
  const scoped = callerWith('viewer', ['alpha']);
  const instants: string[] = [];
  for (let wave = 0; wave < 4; wave++) {
    const made = await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        ask<{ createdAt: string }>(INGEST, {
          t: 'Counted',
          id: `ct${wave}-${i}`,
          d: { project: ['alpha', 'beta', null][i % 3] },
        }),
      ),
    );
    instants.push(...made.map((m) => m.createdAt));
    await ask(AVAILABILITY, { id: `ct${wave}-0`, a: false });
    await ask(INGEST, { t: 'Counted', id: `ct${wave}-3`, d: { project: 'beta' } });
  }
  instants.sort();
  const kept = await metadata.database.pool.query<{ n: string }>(
    'SELECT count(DISTINCT position) AS n FROM metadata.entity_count_at',
  );
  expect(Number(kept.rows[0]?.n)).toBeGreaterThan(1);
  for (const [i, at] of instants.entries()) {
    if (i % 37 !== 0) continue;
    const whole = await ask<Page>(LIST, { t: 'Counted', n: 1000, at });
    expect([i, whole.total]).toEqual([i, whole.items.length]);
    expect((await ask<Page>(LIST, { t: 'Counted', n: 1, u: true, at })).total).toBe(i + 1);
    const some = await ask<Page>(LIST, { t: 'Counted', n: 1000, at }, scoped);
    expect([i, some.total]).toEqual([i, some.items.length]);
  }
});

test('events that change no stored value make no history copy, and past reads show their times', async () => {
  await ask(INGEST, { t: 'Thing', id: 'quiet', d: { n: 1 } });
  const history = async (): Promise<string> =>
    (
      await metadata.database.pool.query<{ n: string }>(
        `SELECT count(*) AS n FROM metadata.entity_history WHERE id = 'quiet'`,
      )
    ).rows[0]?.n ?? '';
  for (const type of ['a', 'b', 'c'])
    await ask(
      'mutation($t: String!) { relate(sourceId: "quiet", targetId: "quiet", relationshipType: $t) { id } }',
      { t: type },
    );
  await ask('mutation { registerExternalId(entityId: "quiet", externalId: "quiet:1") { id } }');
  expect(await history()).toBe('0');
  await ask(INGEST, { t: 'Thing', id: 'quiet', d: { n: 2 } });
  await ask('mutation { unrelate(sourceId: "quiet", targetId: "quiet", relationshipType: "a") { id } }');
  expect(await history()).toBe('1');
  const events = await ask<{ timestamp: string }[]>('{ entityHistory(entityId: "quiet") { timestamp } }');
  expect(events).toHaveLength(7);
  for (const [i, { timestamp }] of events.entries()) {
    expect(await ask(STATE, { id: 'quiet', at: timestamp })).toMatchObject({
      data: { n: i < 5 ? 1 : 2 },
      version: i < 5 ? 1 : 2,
      updatedAt: timestamp,
    });
    for (const orderBy of ['updatedAt', '-updatedAt', 'createdAt']) {
      const page = await ask<{ items: { id: string; updatedAt: string }[] }>(
        'query($o: String, $at: DateTime) { entities(orderBy: $o, asOf: $at, limit: 1000) { items { id updatedAt } } }',
        { o: orderBy, at: timestamp },
      );
      expect(page.items.find(({ id }) => id === 'quiet')?.updatedAt).toBe(timestamp);
      if (orderBy === 'createdAt') continue;
      const times = page.items.map(({ updatedAt }) => updatedAt);
      expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1) * (orderBy === 'updatedAt' ? 1 : -1)));
      expect(page.items.at(orderBy === 'updatedAt' ? -1 : 0)?.id).toBe('quiet');
    }
    const found = await ask<{ items: { id: string }[] }>(
      'query($f: String, $at: DateTime) { entities(filter: $f, asOf: $at) { items { id } } }',
      { f: `updated_at == timestamp("${timestamp}")`, at: timestamp },
    );
    expect(found.items).toEqual([{ id: 'quiet' }]);
  }
});
