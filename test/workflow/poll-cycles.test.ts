// docs/reference/workflow.md#poll-cycle, docs/reference/workflow.md#poll-cursor: the state after a cycle
// ends, is interrupted, or overlaps with another.
import { expect, test } from 'vitest';
import { pino } from 'pino';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { DomainError } from '../../platform/errors.ts';
import { DatabaseClock } from '../../subgraphs/workflow/jobs/database-clock.ts';
import { pollJobs } from '../../subgraphs/workflow/polls/poll-jobs.ts';
import type { PollTrigger } from '../../subgraphs/workflow/polls/poll-trigger.ts';
import { pollOnce, type PollDeps } from '../../subgraphs/workflow/polls/poll.service.ts';
import type { Execute } from '../../subgraphs/workflow/deps.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { freshDatabase } from '../testkit/database.ts';

const POLL = trigger({ env: {}, directory: '/' }).parse({
  name: 'p',
  type: 'metadata_poll',
  poll: { entity_type: 'Sample', filter: 'n > 1', lookback_seconds: 60 },
  action: { type: 'ingest', adapter: 'a' },
}) as PollTrigger;
const entity = (id: string, at: string, n = 5) => ({
  id,
  entity_type: 'Sample',
  data: { n },
  version: 1,
  is_available: true,
  project: null,
  created_at: at,
  updated_at: at,
});
const T = (n: number): string => `2026-01-31T09:30:00.00000${n}Z`;

async function bench() {
  const database = await freshDatabase();
  const it = {
    cursor: null as null | Record<string, unknown>,
    filters: [] as string[],
    pages: [[]] as ReturnType<typeof entity>[][],
    keeps: true,
    answers: true,
  };
  const execute: Execute = async (document, variables) => {
    if (document.includes('query PollCursor('))
      return { entity: it.cursor === null ? null : { data: it.cursor } };
    if (document.includes('KeepPollCursor')) {
      if (!it.keeps) throw new DomainError('component_unavailable', 'gone');
      it.cursor = variables['data'] as Record<string, unknown>;
      return {};
    }
    const at = Number(variables['cursor'] ?? 0);
    if (at === 0) it.filters.push(String(variables['filter']));
    if (!it.answers && at > 0) throw new DomainError('upstream_timeout', 'too slow');
    return {
      entities: { items: it.pages[at] ?? [], nextCursor: at + 1 < it.pages.length ? String(at + 1) : null },
    };
  };
  const deps: PollDeps = {
    executeAs: () => execute,
    log: pino({ level: 'silent' }),
    transact: (work) => inTransaction(database.pool, work),
    now: async () => Date.parse('2026-01-31T10:00:00Z'),
  };
  return Object.assign(it, {
    poll: () => pollOnce(POLL, new AbortController().signal, deps),
    fired: async () =>
      (
        await database.pool.query<{ id: string }>(
          `SELECT cause->'entity'->>'id' AS id FROM workflow.run ORDER BY queued_at`,
        )
      ).rows.map((row) => row.id),
    [Symbol.asyncDispose]: () => database.close(),
  });
}

test('the first cycle looks back, the next begins where the last one ended, matching or not', async () => {
  await using it = await bench();
  await it.poll();
  expect(it.filters).toEqual(['updated_at > timestamp("2026-01-31T09:59:00.000Z")']);
  expect(it.cursor).toMatchObject({ last_updated_at: '2026-01-31T09:59:00.000Z' });
  it.pages = [[entity('a', T(1)), entity('b', T(2), 0)]];
  await it.poll();
  expect(it.cursor).toEqual({ trigger_name: 'p', last_updated_at: T(2), last_entity_id: 'b' });
  it.pages = [[]];
  await it.poll();
  expect(it.filters.at(-1)).toBe(`updated_at > timestamp("${T(2)}")`);
  expect(await it.fired()).toEqual(['a']);
});

test('a query that times out ends the cycle: the cursor stays, and fired changes do not fire again', async () => {
  await using it = await bench();
  Object.assign(it, {
    cursor: { last_updated_at: T(0) },
    answers: false,
    pages: [[entity('a', T(1))], [entity('b', T(2))]],
  });
  await expect(it.poll()).rejects.toThrow('too slow');
  expect(it.cursor).toEqual({ last_updated_at: T(0) });
  it.answers = true;
  await it.poll();
  expect(await it.fired()).toEqual(['a', 'b']);
});

test('a cycle of many pages that breaks off is repeated from what it had come to', async () => {
  await using it = await bench();
  const names = Array.from({ length: 501 }, (_, i) => `e${String(i).padStart(3, '0')}`);
  const all = names.map((name, i) => entity(name, `2026-01-31T10:00:00.${String(i).padStart(6, '0')}Z`, 0));
  Object.assign(it, { answers: false, pages: [all, []] });
  await expect(it.poll()).rejects.toThrow('too slow');
  expect(it.cursor).toMatchObject({ last_entity_id: 'e499' });
});

test('a process that dies before it has kept the cursor, and two that poll at once: every change fires once', async () => {
  await using it = await bench();
  Object.assign(it, {
    cursor: { last_updated_at: T(0) },
    keeps: false,
    pages: [[entity('a', T(1)), entity('b', T(2))]],
  });
  await expect(it.poll()).rejects.toThrow('gone');
  it.keeps = true;
  it.pages = [[entity('a', T(1)), entity('b', T(2)), entity('c', T(3)), entity('d', T(4))]];
  await Promise.all([it.poll(), it.poll(), it.poll(), it.poll()]);
  expect((await it.fired()).sort()).toEqual(['a', 'b', 'c', 'd']);
});

test('polls that are due at once do not exhaust the connection pool', async () => {
  await using database = await freshDatabase({ poolSize: 2 });
  const names = Array.from({ length: 8 }, (_, i) => `p${i}`);
  const kept: string[] = [];
  const execute: Execute = async (document, variables) => {
    await database.pool.query('SELECT pg_sleep(0.02)'); // like the metadata component of the same process
    if (document.includes('PollCursorSchema')) return { schema: { name: 'PollCursor' } };
    if (document.includes('query PollCursor(')) return { entity: null };
    if (document.includes('KeepPollCursor')) {
      kept.push(String(variables['id']));
      return {};
    }
    return { entities: { items: [entity('a', T(1))], nextCursor: null } };
  };
  const polls = pollJobs({
    pool: database.pool,
    transact: (work) => inTransaction(database.pool, work),
    executeAs: () => execute,
    executeAsAdmin: execute,
    triggers: names.map((name) => ({ ...POLL, name })),
    stop: new AbortController().signal,
    log: pino({ level: 'silent' }),
  });
  const clock = new DatabaseClock(database.pool);
  await Promise.all(names.map((name) => polls.perform(name, clock)));
  expect(kept.sort()).toEqual(names.map((name) => `poll-cursor:${name}`));
});

test('an entity that changes again while the pages are read fires once in the cycle', async () => {
  await using it = await bench();
  Object.assign(it, { cursor: { last_updated_at: T(0) }, pages: [[entity('a', T(1))], [entity('a', T(2))]] });
  await it.poll();
  expect(await it.fired()).toEqual(['a']);
  expect(it.cursor).toMatchObject({ last_updated_at: T(2) });
});
