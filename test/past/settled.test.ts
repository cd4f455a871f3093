// What an instant of workflow and artifact means, and what its past costs (docs/decisions/0167).
import { expect, test } from 'vitest';
import { forget } from '../../subgraphs/workflow/runs/retention.store.ts';
import {
  claimRuns,
  finishRun,
  insertRun,
  renewRun,
} from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { type Answer, artifactBench } from '../artifact/artifact-bench.ts';
import { Past } from '../../platform/past/past.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { freshDatabase } from '../testkit/database.ts';
import { workflowBench } from '../workflow/workflow-bench.ts';
import { rightsOf } from './past-writers.ts';
import type { Pool } from 'pg';

const COUNTS = { fetched: 3, created: 1, updated: 0, skipped: 2, failed: 0 };
const queued = (pool: Pool, id: string): Promise<void> =>
  insertRun(pool, {
    id,
    triggerName: 'nightly',
    triggerType: 'schedule',
    adapter: null,
    action: {},
    cause: {},
    causedBy: 'tick:1',
    requestId: null,
    actor: 'service:workflow',
    acting: rightsOf(null),
    configuration: null,
  });
const kept = async (pool: Pool): Promise<number> =>
  (await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM workflow.past_state')).rows[0]?.n ?? -1;

test('a renewal of a lease keeps nothing; new counts are kept alone', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await queued(pool, 'r1');
  const [run] = await claimRuns(pool, { owner: 'o', configuration: null }, { most: 1, leaseMs: 1000 });
  if (run === undefined) throw new Error('there is no run');
  await renewRun(pool, run, 1000, COUNTS);
  const before = await kept(pool);
  for (let n = 0; n < 5; n++) await renewRun(pool, run, 1000, COUNTS);
  expect(await kept(pool)).toBe(before);
  await renewRun(pool, run, 1000, { ...COUNTS, fetched: 4 });
  const { rows } = await pool.query('SELECT state FROM workflow.past_state ORDER BY id DESC LIMIT 1');
  expect(rows[0]).toEqual({ state: { records_fetched: 3 } });
});

test('runs that have expired take their past along', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await queued(pool, 'r1');
  await queued(pool, 'r2');
  const [run] = await claimRuns(pool, { owner: 'o', configuration: null }, { most: 1, leaseMs: 1000 });
  if (run === undefined) throw new Error('there is no run');
  await finishRun(pool, run, { status: 'failed', errors: [], unresolved: [], counts: COUNTS }, null);
  expect(await kept(pool)).toBe(4);
  expect(await forget(pool, 'runs', 0)).toBe(1);
  expect(await kept(pool)).toBe(1);
});

test('a read as of now waits for the change that is being committed, and a read of the present does not', async () => {
  await using bench = await workflowBench();
  await using other = await artifactBench();
  for (const { statement, document, bench: one } of [
    {
      bench: bench as Pick<typeof bench, 'ask' | 'connect'>,
      statement: `INSERT INTO workflow.run (id, action, cause, status, actor) VALUES ('slow', '{}', '{}', 'queued', 'user:slow')`,
      document: 'query($asOf: DateTime) { found: run(runId: "slow", asOf: $asOf) { status } }',
    },
    {
      bench: other,
      statement: `INSERT INTO artifact.production (id, entity_type, criteria, status, request_key, plan, requested_by) VALUES ('slow', 'T', '{}', 'queued', 'k', '{}', 'user:slow')`,
      document: 'query($asOf: DateTime) { found: production(id: "slow", asOf: $asOf) { status } }',
    },
  ]) {
    const client = await one.connect();
    try {
      await client.query(`BEGIN; ${statement}; SET CONSTRAINTS ALL IMMEDIATE`);
      const { rows } = await client.query<{ at: string }>(
        `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
      );
      const asOf = rows[0]?.at ?? '';
      let isAnswered = false;
      const asked = one.ask(document, { asOf }).finally(() => {
        isAnswered = true;
      });
      expect(await one.ask(document)).toEqual({ found: null });
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
      expect(isAnswered).toBe(false);
      await client.query('COMMIT');
      expect(await asked).toEqual({ found: { status: 'queued' } });
      expect(await one.ask(document, { asOf })).toEqual({ found: { status: 'queued' } });
      expect(await one.ask(document, { asOf: '2020-01-01T00:00:00Z' })).toEqual({ found: null });
    } finally {
      client.release();
    }
  }
});

test('times before past states were kept are refused, and so is what is no time', async () => {
  await using bench = await workflowBench();
  await bench.asOwner(`UPDATE workflow.past_begins SET at = '2026-01-01T00:00:00Z'`);
  const ask = (asOf: string): Promise<unknown> =>
    bench.ask('query($asOf: DateTime) { runs(asOf: $asOf) { total } }', { asOf });
  await expect(ask('2025-12-31T23:59:59Z')).rejects.toThrow(
    'VALIDATION_FAILED: what workflow was is known from 2026-01-01T00:00:00.000000Z on',
  );
  expect(await ask('2026-01-01T00:00:00Z')).toEqual({ runs: { total: 0 } });
  expect(await ask('2999-01-01T00:00:00Z')).toEqual({ runs: { total: 0 } });
  await expect(ask('yesterday')).rejects.toThrow('VALIDATION_FAILED: as_of must be a point in time');
});

test('cursors of the past keep their time, and are of no other', async () => {
  await using bench = await workflowBench();
  await bench.seed({ id: 'a' }, { id: 'b' }, { id: 'c' });
  const PAGE = `query($cursor: String, $asOf: DateTime) { runs(limit: 1, cursor: $cursor, asOf: $asOf) { total nextCursor runs { runId status } } }`;
  const later = (): Promise<unknown> => new Promise((resolve) => void setTimeout(resolve, 5));
  await later(); // instants here have milliseconds
  const asOf = new Date().toISOString();
  await later();
  await bench.seed({ id: 'd' });
  await bench.sql(`UPDATE workflow.run SET status = 'failed'`);
  const first = (await bench.ask(PAGE, { asOf })).runs;
  expect(first).toMatchObject({ total: 3, runs: [{ runId: 'c', status: 'success' }] });
  const second = (await bench.ask(PAGE, { cursor: first.nextCursor })).runs;
  expect(second).toMatchObject({ total: 3, runs: [{ runId: 'b', status: 'success' }] });
  expect((await bench.ask(PAGE, { cursor: first.nextCursor, asOf })).runs).toEqual(second);
  const present = (await bench.ask(PAGE)).runs;
  expect(present).toMatchObject({ total: 4, runs: [{ runId: 'd', status: 'failed' }] });
  await expect(bench.ask(PAGE, { cursor: present.nextCursor, asOf })).rejects.toThrow('INVALID_REQUEST');
  await expect(bench.ask(PAGE, { cursor: first.nextCursor, asOf: '2026-01-01T00:00:00Z' })).rejects.toThrow(
    'INVALID_REQUEST: cursor comes from this list as of another time',
  );
});

/** What a list answers as of an instant that has not passed yet: its first page, and after that instant the next one. */
async function pagesAcross(
  list: (asOf: string | null, cursor: string | null) => Promise<Answer>,
  change: () => Promise<unknown>,
): Promise<readonly [first: Answer, second: Answer]> {
  const asOf = new Date(Date.now() + 1000).toISOString();
  const first = await list(asOf, null);
  const before = await list(asOf, first['nextCursor']);
  await change();
  expect(await list(null, first['nextCursor'])).toEqual(before);
  expect(await list(asOf, first['nextCursor'])).toEqual(before);
  while (new Date().toISOString() <= asOf)
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  const second = await list(asOf, first['nextCursor']);
  expect(second).toEqual(before);
  await expect(list('2999-01-01T00:00:00Z', first['nextCursor'])).rejects.toThrow('as of another time');
  return [first, second];
}

test('lists as of an instant that has not passed are as of now, and all their pages of the now of the first', async () => {
  await using bench = await workflowBench();
  await using other = await artifactBench();
  await bench.seed({ id: 'a' }, { id: 'b' }, { id: 'c' });
  const runs = 'total nextCursor items: runs { id: runId status }';
  const productions = 'total nextCursor items: productions { id status }';
  const rules = 'total nextCursor items: rules { id: name status }';
  const query = (field: string, selection: string) =>
    `query($cursor: String, $asOf: DateTime) { page: ${field}(limit: 1, cursor: $cursor, asOf: $asOf) { ${selection} } }`;
  await other.seedProductions(...['a', 'b', 'c'].map((id) => ({ id, status: 'queued' })));
  await other.seedRules(...['a', 'b', 'c'].map((name) => ({ name })));
  const told = await Promise.all([
    pagesAcross(
      async (asOf, cursor) => (await bench.ask(query('runs', runs), { asOf, cursor }))['page'],
      () => bench.sql(`UPDATE workflow.run SET status = 'failed'`),
    ),
    pagesAcross(
      async (asOf, cursor) => (await other.ask(query('productions', productions), { asOf, cursor }))['page'],
      () => other.sql(`UPDATE artifact.production SET status = 'failed'`),
    ),
    pagesAcross(
      async (asOf, cursor) => (await other.ask(query('rules', rules), { asOf, cursor }))['page'],
      async () => {
        await other.sql(`UPDATE artifact.rule SET status = 'deprecated'`);
        await other.seedRules({ name: 'aa' });
      },
    ),
  ]);
  for (const [first, second] of told) {
    expect([first['total'], second['total']]).toEqual([3, 3]);
    expect([...first['items'], ...second['items']].map(({ id }) => id).toSorted()).not.toContain('aa');
    for (const { status } of [...first['items'], ...second['items']])
      expect(status).not.toMatch(/failed|deprecated/i);
  }
});

test('a list as of an instant that passes while it is looked at is as of that instant, and waits for its changes', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  const writer = await pool.connect();
  try {
    const asOf = new Date(Date.now() + 1000).toISOString().replace('Z', '000Z');
    let statements = 0;
    const query = async (text: string, values?: unknown[]): Promise<unknown> => {
      if (++statements === 2) {
        await writer.query(
          `BEGIN; INSERT INTO artifact.production (id, entity_type, criteria, status, request_key, plan, requested_by) VALUES ('slow', 'T', '{}', 'queued', 'k', '{}', 'user:slow'); SET CONSTRAINTS ALL IMMEDIATE`,
        );
        await new Promise((resolve) => {
          setTimeout(resolve, Math.max(0, Date.parse(asOf) - Date.now()) + 50);
        });
      }
      return pool.query(text, values);
    };
    const past = new Past({ query } as Queryable, 'artifact', {});
    let isAnswered = false;
    const place = past.place(null, [], asOf).finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => statements).toBe(4);
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    expect(isAnswered).toBe(false);
    await writer.query('COMMIT');
    expect((await place).asOf).toBe(asOf);
    expect((await past.place(null, [], asOf)).asOf).toBe(asOf);
  } finally {
    writer.release();
  }
});
