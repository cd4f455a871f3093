// The loop around a queue: how much it claims, what it gives back, and how it stops.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { QueueWorker, type QueueWorkerOptions, ShutdownError } from './queue-worker.ts';
import type { LeasedJob } from './queue-table.store.ts';

/** A worker over a list, whose work ends when it is told, or is stopped. */
async function bench(queued: string[], options: Partial<QueueWorkerOptions<LeasedJob>> = {}) {
  const working = new Map<string, () => void>();
  const stopped: unknown[] = [];
  const take = (most: number): LeasedJob[] => queued.splice(0, most).map((id) => ({ id, fence: '1' }));
  const worker = new QueueWorker<LeasedJob>({
    noun: 'jobs',
    log: pino({ level: 'silent' }),
    concurrent: 2,
    sweepMs: 10,
    graceMs: 0,
    onQueued: () => Promise.resolve(() => Promise.resolve()),
    claim: (most) => Promise.resolve(take(most)),
    giveBackUnknown: () => Promise.resolve(),
    work: ({ id }, stop) =>
      new Promise((resolve) => {
        const end = (): void => {
          working.delete(id);
          resolve();
        };
        working.set(id, end);
        stop.addEventListener('abort', () => {
          stopped.push(stop.reason);
          end();
        });
      }),
    chores: [],
    ...options,
  });
  onTestFinished(() => worker.close());
  await worker.start();
  return { worker, working, stopped, take, names: () => [...working.keys()] };
}

test('a worker processes up to its maximum of items at a time, and starts the next when one has ended', async () => {
  const { working, names } = await bench(['a', 'b', 'c']);
  await expect.poll(names).toEqual(['a', 'b']);
  working.get('a')?.();
  await expect.poll(names).toEqual(['b', 'c']);
});

test('claimSpare adds items beside the maximum', async () => {
  const besides: string[][] = [];
  const { names } = await bench(['a', 'b', 'c', 'd'], {
    claimSpare: (jobs) => {
      besides.push(jobs.map(({ id }) => id));
      return Promise.resolve([{ id: 'spare', fence: '1' }]);
    },
  });
  await expect.poll(names).toEqual(['a', 'b', 'spare']);
  await sleep(50);
  expect(besides).toEqual([['a', 'b']]);
});

test('after a claim whose answer was lost, all claimed items that are not being processed are released', async () => {
  const queued = ['a', 'b'];
  const kept: (readonly string[])[] = [];
  let claims = 0;
  const { worker, names } = await bench([], {
    concurrent: 3,
    claim: (most) => {
      claims++;
      if (claims === 2) return Promise.reject(new Error('read ECONNRESET'));
      return Promise.resolve(queued.splice(0, Math.min(most, 1)).map((id) => ({ id, fence: '1' })));
    },
    giveBackUnknown: (worked) => {
      kept.push(worked);
      return Promise.resolve();
    },
  });
  await worker.outOfLine('own', async () => {
    await expect.poll(names).toEqual(['a', 'b']);
  });
  expect(kept).toEqual([['a', 'own']]);
});

test('a slow periodic task is not started a second time meanwhile; a failed one is started again', async () => {
  let slow = 0;
  let failing = 0;
  await bench([], {
    chores: [
      { run: () => (slow++, new Promise(() => undefined)), fault: 'slow' },
      { run: () => (failing++, Promise.reject(new Error('no'))), fault: 'failing' },
    ],
  });
  await expect.poll(() => failing).toBeGreaterThan(2);
  expect(slow).toBe(1);
});

test('work may finish within the grace period and is aborted after it', async () => {
  for (const [graceMs, ends] of [
    [10_000, true],
    [20, false],
    [0, false],
  ] as const) {
    const { worker, working, stopped, names } = await bench(['a'], { graceMs });
    await expect.poll(names).toEqual(['a']);
    const closed = worker.close();
    if (ends) setTimeout(() => working.get('a')?.(), 20);
    await closed;
    expect(stopped.map((reason) => reason instanceof ShutdownError)).toEqual(ends ? [] : [true]);
    expect(names()).toEqual([]);
  }
});
