// docs/reference/artifact.md#lists-of-stale-results: of two processes that look for changes at once, the one whose note comes too
// late does not take what it alone has read for seen.
import { expect, test } from 'vitest';
import { inTransaction } from '../../platform/database/transaction.ts';
import { EntityFollower } from '../../subgraphs/artifact/staleness/follow-entities.ts';
import { findBasis, findPositions } from '../../subgraphs/artifact/staleness/stale-results.store.ts';
import { startServer } from '../testkit/server.ts';
import { addGreetings } from './staleness-testkit.ts';

test('a change that was committed between the reads of two processes is seen by the later one', async () => {
  await using server = await startServer({ transport: 'in-process' });
  await addGreetings(server);
  const { pool } = server.database;
  const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
  const samples = [{ id: 'c1', updatedAt: at(1) }];
  /** @param beforeAnswer happens once the follower has read samples, and before it is told */
  const followerWith = (beforeAnswer: () => Promise<unknown>): EntityFollower =>
    new EntityFollower({
      db: pool,
      transact: (work) => inTransaction(pool, work),
      ask: () => async (asked) => {
        const { entityType, filter = '' } = asked as { entityType: string; filter?: string };
        const after = /"(.*)"/.exec(filter)?.[1];
        if (entityType !== 'Sample' || after === undefined) return { data: { entities: { items: [] } } };
        const items = samples.filter(({ updatedAt }) => updatedAt > after);
        if (items.length > 0) await beforeAnswer();
        return { data: { entities: { items } } };
      },
    });
  const { signal } = new AbortController();
  await followerWith(() => Promise.resolve()).follow(await findBasis(pool), signal);
  expect((await findPositions(pool))['Sample']).toBe(samples[0]?.updatedAt);

  samples.push({ id: 'c2', updatedAt: at(2) });
  const basis = await findBasis(pool);
  let hasRead = (): void => undefined;
  const read = new Promise<void>((resolve) => {
    hasRead = resolve;
  });
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  // the first has read c2 alone, and notes it between the other's read and note
  const first = followerWith(() => {
    hasRead();
    return gone;
  }).follow(basis, signal);
  await read;
  const c3 = { id: 'c3', updatedAt: at(3) };
  samples.push(c3);
  let isFirstRead = true;
  const second = followerWith(async () => {
    if (!isFirstRead) return;
    isFirstRead = false;
    go();
    await first;
    expect((await findPositions(pool))['Sample']).toBe(samples[1]?.updatedAt);
  });
  await second.follow(basis, signal);
  expect((await findPositions(pool))['Sample']).toBe(c3.updatedAt);
});
