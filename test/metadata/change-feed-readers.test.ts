// Many readers of the change feed, and readers after a failover.
import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ComponentResult } from '../../platform/component.ts';
import { asSuperuser } from '../testkit/database.ts';
import { admin, freshMetadata } from '../testkit/metadata.ts';
import { FEED, INGEST, metadata, ingest, open, read, log, setUp } from './change-feed-testkit.ts';

setUp();

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
});

test.each([
  ['is shorter', false],
  ['has other events in their places', true],
])('a reader whose log %s after a failover gets an error, without repeated reads', async (_, regrows) => {
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
});
