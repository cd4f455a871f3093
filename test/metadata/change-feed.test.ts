// The change feed: every event once, in log order, to callers that may see it, however often a reader
// reconnects.
import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { ComponentResult } from '../../platform/component.ts';
import type { Caller } from '../../platform/identity.ts';
import { asSuperuser } from '../testkit/database.ts';
import { admin, callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const FEED = `subscription($types: [String!], $entityTypes: [String!], $filter: String, $after: String) {
  provenanceEvents(types: $types, entityTypes: $entityTypes, filter: $filter, after: $after) { token event { id eventType entityId entityType actor timestamp schemaVersion context payload } } }`;
const INGEST =
  'mutation($t: String!, $id: ID!, $d: JSON!, $c: ProvenanceContext) { ingestEntity(entityType: $t, id: $id, data: $d, context: $c) { id } }';
interface Item {
  token: string;
  event: {
    id: string;
    eventType: string;
    entityId: string | null;
    entityType: string | null;
    actor: string;
    timestamp: string;
    context: unknown;
    payload: Record<string, unknown>;
  };
}

let metadata: FreshMetadata;
const ingest = (
  id: string,
  data: Record<string, unknown>,
  t = 'Thing',
  caller: Caller = admin,
  c?: unknown,
): Promise<unknown> => metadata.ask(INGEST, { t, id, d: data, c }, caller);
const itemOf = ({ data, errors }: ComponentResult): Item => {
  if (errors?.[0]) throw new Error(`${String(errors[0].extensions?.['code'])}: ${errors[0].message}`);
  return data?.['provenanceEvents'] as Item;
};

/** A reader that can be stopped at any time. */
async function open(variables: Record<string, unknown> = {}, caller: Caller = admin) {
  const gone = new AbortController();
  const iterator = (await metadata.component.subscribe(FEED, variables, { ...caller, signal: gone.signal }))[
    Symbol.asyncIterator
  ]();
  return {
    /** The next items; each must arrive within 10 s. */
    async take(count: number): Promise<Item[]> {
      const items: Item[] = [];
      const late = setTimeout(() => {
        gone.abort();
      }, 10_000);
      while (items.length < count) {
        const { value, done } = await iterator.next();
        if (done === true)
          throw new Error(
            `the feed ended after ${items.length} of ${count}: ${JSON.stringify(items.map((i) => i.event.entityId))}`,
          );
        items.push(itemOf(value));
      }
      clearTimeout(late);
      return items;
    },
    async close(): Promise<void> {
      gone.abort();
      await iterator.return?.();
    },
  };
}
/** Reads this many and stops. */
async function read(
  count: number,
  variables: Record<string, unknown> = {},
  caller?: Caller,
): Promise<Item[]> {
  const feed = await open(variables, caller);
  const items = await feed.take(count);
  await feed.close();
  return items;
}
const log = async (): Promise<string[]> =>
  (
    await metadata.database.pool.query<{ id: string }>('SELECT id FROM metadata.provenance ORDER BY position')
  ).rows.map((r) => r.id);

beforeAll(async () => {
  metadata = await freshMetadata();
  for (const d of [
    {
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'n', field_type: 'int' },
        { name: 'project', field_type: 'string' },
      ],
    },
    { name: 'Small', version: '1', parent: 'Thing', fields: [] },
  ]) {
    await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', { d });
  }
});
afterAll(() => metadata[Symbol.asyncDispose]());

test('an event is pushed as soon as it is committed, as the history shows it, with a token to come back by', async () => {
  const feed = await open();
  const waiting = feed.take(1);
  const started = performance.now();
  await ingest('first', { n: 1 }, 'Thing', admin, { workflow_run_id: 'r' });
  const [item] = await waiting;
  expect(performance.now() - started).toBeLessThan(10_000);
  const [history] = (await metadata.ask(
    '{ entityHistory(entityId: "first") { id eventType entityId entityType actor timestamp schemaVersion context payload } }',
  )) as unknown[];
  expect(item).toEqual({ token: expect.any(String) as unknown, event: history });
  await feed.close();
});

test('a new feed begins now, one from `start` at the beginning, one with a token right after it', async () => {
  const ids = await log();
  const all = await read(ids.length, { after: 'start' });
  expect(all.map((i) => i.event.id)).toEqual(ids);
  expect((await read(ids.length - 1, { after: all[0]?.token })).map((i) => i.event.id)).toEqual(ids.slice(1));
  const feed = await open();
  await ingest('later', { n: 1 });
  expect((await feed.take(1)).map((i) => i.event.entityId)).toEqual(['later']);
  await feed.close();
  const end = await metadata.ask('{ provenanceToken }');
  await ingest('after-token', { n: 1 });
  expect((await read(1, { after: end })).map((i) => i.event.entityId)).toEqual(['after-token']);
  await expect(open({ after: 'nonsense' })).rejects.toThrow('`after` is not a token');
  await expect(open({ after: Buffer.from('e1.01').toString('base64') })).rejects.toThrow(
    '`after` is not a token',
  );
});

const tokenText = (text: string): string => Buffer.from(text).toString('base64url');
const positionIn = (token: unknown): string =>
  Buffer.from(String(token), 'base64url').toString().split('.')[1] ?? '';

test.each(['e1.999999999', 'e1.999999999999999999', 'e2.999999999.00000000'])(
  'a token beyond the end of the log (%s) is refused, without repeated reads',
  async (text) => {
    await expect(open({ after: tokenText(text) })).rejects.toThrow('beyond the end of the log');
    await expect(metadata.component.subscribe(FEED, { after: tokenText(text) }, admin)).rejects.toMatchObject(
      { code: 'invalid_request' },
    );
  },
);

test('a token of another log is refused, though this one is as long', async () => {
  const position = positionIn(await metadata.ask('{ provenanceToken }'));
  await expect(open({ after: tokenText(`e2.${position}.00000000`) })).rejects.toThrow(
    'belongs to another log',
  );
});

test('earlier tokens without a tag are accepted if the log has their event', async () => {
  const position = positionIn(await metadata.ask('{ provenanceToken }'));
  await ingest('after-old-token', { n: 1 });
  expect((await read(1, { after: tokenText(`e1.${position}`) })).map((i) => i.event.entityId)).toEqual([
    'after-old-token',
  ]);
});

test('events are chosen by type, by entity type with its subtypes, and by a CEL expression over their fields', async () => {
  const feed = (variables: Record<string, unknown>) => open({ after: 'start', ...variables });
  const after = (await read((await log()).length, { after: 'start' })).at(-1)?.token;
  await ingest('c1', { n: 1 });
  await ingest('c2', { n: 5 }, 'Small');
  await ingest('c1', { n: 9 }, 'Thing', callerWith('service', '*', 'service:sync'));
  const ids = async (count: number, variables: Record<string, unknown>) =>
    (await read(count, { after, ...variables })).map((i) => [i.event.entityId, i.event.eventType]);
  expect(await ids(1, { types: ['EntityUpdated'] })).toEqual([['c1', 'EntityUpdated']]);
  expect(await ids(1, { entityTypes: ['Small'] })).toEqual([['c2', 'EntityCreated']]);
  expect(await ids(3, { entityTypes: ['Thing'] })).toHaveLength(3);
  expect(await ids(1, { filter: 'event_type == "EntityCreated" && payload.initial_state.n > 3' })).toEqual([
    ['c2', 'EntityCreated'],
  ]);
  expect(
    await ids(1, {
      filter:
        'actor.startsWith("service:") && timestamp > timestamp("2020-01-01T00:00:00Z") && entity_id == "c1"',
    }),
  ).toEqual([['c1', 'EntityUpdated']]);
  expect(await ids(2, { filter: 'entity_type == null', after: 'start' })).toEqual([
    [null, 'MigrationApplied'],
    [null, 'MigrationApplied'],
  ]);
  await expect(feed({ filter: 'payload.' })).rejects.toThrow(/CEL: .*line 1/);
  await expect(feed({ filter: 'nothing == 1' })).rejects.toThrow('CEL');
  await expect(feed({ types: ['Nothing'] })).rejects.toThrow('unknown event type: Nothing');
  await expect(feed({ entityTypes: ['Nothing'] })).rejects.toThrow('unknown entity type: Nothing');
});

test('a scoped reader gets shared entities, its own projects, and the instance; roles hold as for history', async () => {
  const end = async () => (await read((await log()).length, { after: 'start' })).at(-1)?.token;
  const after = await end();
  await ingest('pa', { project: 'alpha' });
  await ingest('pb', { project: 'beta' });
  await ingest('ps', {});
  await metadata.ask(
    'mutation { createSchema(definition: {name: "Other", version: "1", fields: []}) { name } }',
  );
  const seen = (caller: Caller, count: number) =>
    read(count, { after }, caller).then((items) => items.map((i) => i.event.entityId));
  expect(await seen(callerWith('viewer', ['alpha']), 3)).toEqual(['pa', 'ps', null]);
  expect(await seen(callerWith('viewer', []), 2)).toEqual(['ps', null]);
  expect(await seen(admin, 4)).toEqual(['pa', 'pb', 'ps', null]);
  await expect(open({}, { ...admin, roles: [] })).rejects.toThrow(
    'role viewer is required to read provenance',
  );
});

interface Statement {
  readonly name?: string;
  callback?: ((...result: readonly unknown[]) => void) | undefined;
}

const client = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };

/** Reports each statement before it is sent, over whichever connection; returns a function that ends this. */
function watchStatements(onStatement: (statement: Statement) => void): () => void {
  const { query } = client;
  const spy = vi.spyOn(client, 'query').mockImplementation(function (this: unknown, ...args: unknown[]) {
    onStatement(args[0] as Statement);
    return Reflect.apply(query, this, args);
  });
  return () => {
    spy.mockRestore();
  };
}

test('a reader that starts after an event does not get a page that was read before it', async () => {
  const { listen } = metadata.database;
  const after = await metadata.ask('{ provenanceToken }');
  const signs = new EventEmitter();
  const [wasRead, heard, released] = ['read', 'heard', 'released'].map((name) => once(signs, name));
  let isFirst = true;
  const unwatch = watchStatements((statement) => {
    const { callback } = statement;
    if (!isFirst || statement.name !== 'feed-page' || callback === undefined) return;
    isFirst = false;
    statement.callback = (...result) => {
      signs.emit('read');
      void released?.then(() => {
        callback(...result);
      });
    };
  });
  const stop = await listen('metadata_log', () => {
    signs.emit('heard');
  });
  try {
    const early = await open({ after });
    const one = early.take(1);
    await wasRead;
    await ingest('between', { n: 1 });
    await heard;
    const late = await open({ after });
    expect((await late.take(1)).map((i) => i.event.entityId)).toEqual(['between']);
    signs.emit('released');
    expect((await one).map((i) => i.event.entityId)).toEqual(['between']);
    await Promise.all([early.close(), late.close()]);
  } finally {
    signs.emit('released');
    unwatch();
    await stop();
  }
});

test('at most one page is read ahead of a reader, and nothing for a reader that has left', async () => {
  const statements: string[] = [];
  await metadata.ask('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }', {
    e: Array.from({ length: 1200 }, (_, i) => ({ entityType: 'Thing', id: `many-${i}`, data: { n: i } })),
  });
  const unwatch = watchStatements(({ name = '' }) => {
    statements.push(name);
  });
  try {
    const feed = await open({ after: 'start' });
    expect(statements.filter((s) => s.startsWith('feed-page'))).toEqual([]);
    await feed.take(1);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    expect(statements.filter((s) => s.startsWith('feed-page'))).toHaveLength(1);
    await feed.take(600);
    // pages of 50, 100, 200 and 400 events
    expect(statements.filter((s) => s.startsWith('feed-page'))).toHaveLength(4);
    const waiting = open();
    const idle = await waiting;
    const next = idle.take(1).catch((error: unknown) => error);
    await idle.close();
    expect(String(await next)).toContain('the feed ended after 0 of 1');
    await feed.close();
  } finally {
    unwatch();
  }
});

test('while eight writers write, three readers that come and go at random get every event exactly once, in order', async () => {
  const after = (await read((await log()).length, { after: 'start' })).at(-1)?.token;
  const before = (await log()).length;
  const [WRITERS, ROUNDS] = [8, 60];
  const writers = Array.from({ length: WRITERS }, async (_, w) => {
    for (let i = 0; i < ROUNDS; i++) {
      if (i % 10 === 9)
        await metadata.ask('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }', {
          e: Array.from({ length: 20 }, (__, k) => ({
            entityType: 'Thing',
            id: `b${w}-${i}-${k}`,
            data: { n: k },
          })),
        });
      else await ingest(`w${w}-${i % 7}`, { n: i * 8 + w });
    }
  });
  const expected = WRITERS * ROUNDS * (0.9 + 0.1 * 20);
  const reader = async (): Promise<string[]> => {
    const seen: string[] = [];
    for (let token = after; seen.length < expected;) {
      const many = 1 + Math.floor(Math.random() * 60);
      for (const item of await read(Math.min(many, expected - seen.length), { after: token })) {
        seen.push(item.event.id);
        ({ token } = item);
      }
    }
    return seen;
  };
  const readers = await Promise.all([reader(), reader(), reader()]);
  await Promise.all(writers);
  const ids = (await log()).slice(before);
  expect(ids).toHaveLength(expected);
  for (const seen of readers) expect(seen).toEqual(ids);
}, 60_000);

test.each([
  ['is shorter', false],
  ['has other events in their places', true],
])(
  'a reader whose log %s after a failover gets an error, without repeated reads',
  async (_, regrows) => {
    await using other = await freshMetadata();
    await other.ask(
      'mutation { createSchema(definition: {name: "Thing", version: "1", fields: [{name: "n", field_type: "int"}]}) { name } }',
    );
    for (const id of ['kept', 'lost']) await other.ask(INGEST, { t: 'Thing', id, d: { n: 1 } });
    const gone = new AbortController();
    const feed = (
      await other.component.subscribe(
        FEED,
        { after: await other.ask('{ provenanceToken }') },
        { ...admin, signal: gone.signal },
      )
    )[Symbol.asyncIterator]();
    const told = feed.next();
    const statements: string[] = [];
    const unwatch = watchStatements(({ name = '' }) => {
      statements.push(name);
    });
    onTestFinished(unwatch);
    await asSuperuser(
      `BEGIN; ALTER TABLE metadata.provenance DISABLE TRIGGER ALL; DELETE FROM metadata.provenance WHERE entity_id = 'lost'; DELETE FROM metadata.entity WHERE id = 'lost';
    SELECT setval(pg_get_serial_sequence('metadata.provenance', 'position'), (SELECT max(position) FROM metadata.provenance)); NOTIFY metadata_log, '1'; COMMIT`,
      new URL(other.database.url).pathname.slice(1),
    );
    if (regrows) for (const id of ['new', 'newer']) await other.ask(INGEST, { t: 'Thing', id, d: { n: 1 } });
    const { value } = (await told) as { value: ComponentResult };
    expect(value.errors?.[0]).toMatchObject({
      message: expect.stringContaining('failover') as unknown,
      extensions: { code: 'INVALID_REQUEST', details: { reason: 'unknown_place' } },
    });
    expect(await feed.next()).toMatchObject({ done: true });
    expect(statements.filter((s) => s.startsWith('feed-page')).length).toBeLessThan(10);
    gone.abort();
  },
  30_000,
);
