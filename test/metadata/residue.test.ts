// The residue of a filter has limits of its own: in cost, in time, on the event loop and in the database
// (docs/reference/metadata.md#residual-filters).
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Caller } from '../../platform/identity.ts';
import type { PageRequest } from '../../subgraphs/metadata/reading/page-request.ts';
import { walkPage } from '../../subgraphs/metadata/entities/walk.store.ts';
import { callerWith, freshMetadata, type FreshMetadata } from '../testkit/metadata.ts';

const ROWS = 6000;
const INGEST = 'mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created } }';
const TOTAL =
  'query($f: String!) { entities(entityType: "Thing", filter: $f, limit: 10) { items { id } total } }';
const viewer = callerWith('viewer', '*', 'user:reader');

let metadata: FreshMetadata;
beforeAll(async () => {
  metadata = await freshMetadata();
  await metadata.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', {
    d: {
      name: 'Thing',
      version: '1',
      fields: [
        { name: 'n', field_type: 'int' },
        { name: 'list', field_type: 'int', many: true },
      ],
    },
  });
  const list = Array.from({ length: 45 }, (_, i) => i);
  for (let at = 0; at < ROWS; at += 1000) {
    await metadata.ask(INGEST, {
      e: Array.from({ length: 1000 }, (_, i) => ({
        entityType: 'Thing',
        id: `t${at + i}`,
        data: { n: at + i, list },
      })),
    });
  }
});
afterAll(() => metadata[Symbol.asyncDispose]());
afterEach(() => {
  vi.restoreAllMocks();
});

const withoutDeadline = (): void => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
};

/** Steps decide then, and no longer time: a busy machine takes longer for as many steps. */
function stopClock(): void {
  withoutDeadline();
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
}

interface Refusal {
  message: string;
  details: { limit: string; asked?: number; allowed: number; fields: string[]; checked_row_by_row: string[] };
}
const refusal = (asked: Promise<unknown>): Promise<Refusal> =>
  asked.then(
    () => {
      throw new Error('it was answered');
    },
    (error: unknown) => error as Refusal,
  );

test('page and total are equal for every strategy of reading', async () => {
  const f = 'data.n * 2.0 >= 4000.0';
  const one = (await metadata.ask(TOTAL, { f }, viewer)) as { items: { id: string }[]; total: number };
  expect([one.total, one.items.map(({ id }) => id)]).toEqual([
    ROWS - 2000,
    Array.from({ length: 10 }, (_, i) => `t${2000 + i}`),
  ]);
  // as values, with the total in a fragment: a query of its own
  const document =
    'query($f: String!, $o: String, $c: String, $n: Int) { entities(entityType: "Thing", filter: $f, orderBy: $o, cursor: $c, limit: 3, offset: $n) { ...P items { relationships { id } id } nextCursor } } fragment P on EntityPage { total }';
  interface Page {
    items: { id: string }[];
    total: number;
    nextCursor: string;
  }
  const first = (await metadata.ask(document, { f, o: '-data.n', n: 2 }, viewer)) as Page;
  const second = (await metadata.ask(document, { f, o: '-data.n', c: first.nextCursor }, viewer)) as Page;
  expect([first, second].map(({ items, total }) => [items.map(({ id }) => id), total])).toEqual([
    [['t5997', 't5996', 't5995'], ROWS - 2000],
    [['t5994', 't5993', 't5992'], ROWS - 2000],
  ]);
});

const COSTLY = 'data.list.all(x, data.list.all(y, x + y >= 0.0))'; // some 12,000 steps per row

test('a filter that would cost too much is refused after a sample, naming the term, its field and the remedy', async () => {
  stopClock();
  const { message, details } = await refusal(
    metadata.ask(TOTAL, { f: `entity_type == "Thing" && ${COSTLY}` }, viewer),
  );
  expect(message).toMatch(
    /^VALIDATION_FAILED: filter: about 6000 entities would have to be checked one by one, which would take about \d+ steps, too many steps for data\.list\.all\(.*narrow it with terms/s,
  );
  expect(details).toMatchObject({
    limit: 'steps',
    allowed: 30_000_000,
    fields: ['data.list'],
    reasons: expect.any(Array) as unknown,
  });
  expect(details.asked).toBeGreaterThan(45_000_000);
});

test('all filters of one operation share what it may spend', async () => {
  stopClock();
  const narrowed = `data.n < 1500 && ${COSTLY}`;
  const aliases = (n: number): string =>
    `query($f: String!) { ${Array.from({ length: n }, (_, i) => `a${i}: entities(entityType: "Thing", filter: $f) { total }`).join(' ')} }`;
  expect(await metadata.ask(aliases(1), { f: narrowed }, viewer)).toEqual({ total: 1500 });
  expect((await refusal(metadata.ask(aliases(4), { f: narrowed }, viewer))).details).toMatchObject({
    limit: 'steps',
    allowed: 30_000_000,
  });
});

test('one entity alone is checked within one slice, or refused', async () => {
  await metadata.ask(INGEST, {
    e: [
      {
        entityType: 'Thing',
        id: 'long',
        data: { n: 1_000_000, list: Array.from({ length: 400 }, (_, i) => i) },
      },
    ],
  });
  expect(
    (await refusal(metadata.ask(TOTAL, { f: `data.n == 1000000 && ${COSTLY}` }, viewer))).message,
  ).toContain('a single entity (long) takes too many steps');
});

test('the event loop is never held for long, however many are checked at once', async () => {
  withoutDeadline();
  const f = `data.n < 400 && ${COSTLY} && data.n * 1.0 >= 0.0`;
  let isOver = false;
  let longest = 0;
  const loop = (async () => {
    for (let last = process.cpuUsage(); !isOver;) {
      // in processor time, which does not depend on other processes
      await turn();
      const used = process.cpuUsage(last);
      longest = Math.max(longest, used.user / 1000);
      last = process.cpuUsage();
    }
  })();
  const callers = ['a', 'b', 'c', 'd'].map((name) => callerWith('viewer', '*', `user:${name}`));
  expect(
    await Promise.all(
      callers.map(async (caller) => ((await metadata.ask(TOTAL, { f }, caller)) as { total: number }).total),
    ),
  ).toEqual([400, 400, 400, 400]);
  isOver = true;
  await loop;
  expect(longest).toBeLessThan(150); // without slices a batch would block it several times as long
});

const untilNobody = async (): Promise<void> => {
  for (;;) {
    const {
      rows: [left],
    } = await metadata.database.pool.query<{ n: string }>(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid() AND state = 'active'",
    );
    if (left?.n === '0') return;
  }
};

test('a request that is abandoned ends its work, in the database too', async () => {
  const gone = new AbortController();
  const request: PageRequest = {
    types: null,
    availableOnly: false,
    identity: viewer,
    order: [{ sql: 'e.id', type: 'text', descending: false }],
    limit: 100,
    offset: 0,
    after: null,
    at: null,
    conditions: [{ where: () => 'pg_sleep(60) IS NOT NULL', uses: new Set() }],
  };
  const walking = walkPage(metadata.database.pool, request, gone.signal).next();
  walking.catch(() => undefined);
  await turn();
  setTimeout(() => {
    gone.abort(new Error('gone'));
  }, 300);
  await expect(walking).rejects.toThrow('gone');
  await untilNobody();

  const leaving = new AbortController();
  const asked: Promise<unknown> = metadata.ask(TOTAL, { f: `data.n < 2000 && ${COSTLY}` }, {
    ...viewer,
    signal: leaving.signal,
  } satisfies Caller);
  setTimeout(() => {
    leaving.abort(new Error('gone'));
  }, 20);
  await expect(asked).rejects.toThrow();
}, 25_000); // before the database's own time limit
