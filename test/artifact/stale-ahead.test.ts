// docs/decisions/0191-few-changes-are-compared-at-once.md: what is asked before it is known how far was looked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { AskPlatform } from '../../subgraphs/artifact/platform-port.ts';
import { EntityFollower, type FollowDeps } from '../../subgraphs/artifact/staleness/follow-entities.ts';
import { StaleMarks } from '../../subgraphs/artifact/staleness/stale-marks.ts';
import { findBasis } from '../../subgraphs/artifact/staleness/stale-results.store.ts';
import { testLog } from '../testkit/database.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { addGreetings } from './staleness-testkit.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ transport: 'in-process' });
  await addGreetings(server);
  await server.database.pool.query('DELETE FROM artifact.staleness_due'); // nothing was made by the rules
});
afterAll(() => server[Symbol.asyncDispose]());

interface Question {
  readonly query: string;
  readonly limit: number;
}

/** A platform in which so many samples have changed at once, and what it was asked. */
function asked(changes: () => number, before: () => void = () => undefined) {
  const questions: Question[] = [];
  const ask: AskPlatform = (query) => (wanted) => {
    const { entityType, limit } = wanted as { readonly entityType: string; readonly limit: number };
    questions.push({ query, limit });
    before();
    const updatedAt = new Date().toISOString().replace('Z', '000Z');
    const count = entityType === 'Sample' ? Math.min(limit, changes()) : 0;
    const items = Array.from({ length: count }, (_, n) => ({ id: `s${n}`, updatedAt }));
    return Promise.resolve({ data: { entities: { items } } });
  };
  const { pool } = server.database;
  const deps: FollowDeps = { db: pool, transact: (work) => inTransaction(pool, work), ask };
  return { questions, deps };
}

test('of what has changed no data is asked for before it is known that it is few', async () => {
  let changes = 0;
  const { questions, deps } = asked(() => changes);
  const follower = new EntityFollower(deps);
  const { pool } = server.database;
  await follower.follow(await findBasis(pool), new AbortController().signal);
  expect((await follower.few(await findBasis(pool), follower.askAhead()))?.size).toBe(0);
  for (const [count, few] of [
    [1000, null],
    [50, null],
    [49, 49],
  ] as const) {
    changes = count;
    questions.length = 0;
    const found = await follower.few(await findBasis(pool), follower.askAhead());
    expect(found?.get('Sample')?.length ?? null).toBe(few);
    expect(questions.length).toBeGreaterThan(0);
    for (const { query, limit } of questions) {
      expect(limit).toBeLessThan(100);
      expect(query).not.toContain('data');
    }
  }
});

test('the time until which all was looked at is before that of what was asked first', async () => {
  let slowMs = 0;
  const { deps } = asked(
    () => 0,
    () => void (slowMs > 0 && Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slowMs)),
  );
  const marks = new StaleMarks({
    ...deps,
    log: testLog,
    images: { lookBriefly: () => Promise.resolve() },
    staleness: () => {
      throw new Error('nothing has changed');
    },
  });
  try {
    await marks.catchUp(); // from where to ask ahead
    await marks.catchUp();
    slowMs = 200;
    const { rows } = await server.database.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    const { isComplete, upTo } = await marks.catchUp();
    expect(isComplete).toBe(true);
    // asking takes 200 ms of the event loop, for each of two types
    expect(Date.parse(upTo ?? '')).toBeLessThan((rows[0]?.now.getTime() ?? 0) + 100);
  } finally {
    await marks.close();
  }
});
