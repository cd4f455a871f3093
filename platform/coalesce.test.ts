import { setImmediate as tick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { coalesce, coalesceApart, type CoalesceOptions, shareEqual } from './coalesce.ts';

/** Creates batches that resolve when the test tells them to. */
function airport(options: CoalesceOptions<number>) {
  const flights: {
    items: readonly number[];
    land: (outcomes?: readonly (number | Error)[]) => void;
    crash: (error: Error) => void;
  }[] = [];
  const ask = coalesce<number, number>(
    (items) =>
      new Promise((resolve, reject) => {
        flights.push({
          items,
          land: (outcomes = items.map((item) => item * 10)) => {
            resolve(outcomes);
          },
          crash: reject,
        });
      }),
    options,
  );
  return { ask, flights, passengers: () => flights.map(({ items }) => items) };
}

test('items that arrive in one tick are one batch, and each gets its own outcome', async () => {
  const { ask, flights, passengers } = airport({ max: 5, inFlight: 2 });
  const answers = Promise.allSettled([ask(1), ask(2), ask(3)]);
  expect(flights).toHaveLength(0);
  await tick();
  expect(passengers()).toEqual([[1, 2, 3]]);
  flights[0]?.land([10, new Error('not you'), 30]);
  expect(await answers).toMatchObject([{ value: 10 }, { reason: { message: 'not you' } }, { value: 30 }]);
});

test('a full batch is sent at once; later items of the same tick form the next batch', async () => {
  const { ask, passengers } = airport({ max: 2, inFlight: 2 });
  void [ask(1), ask(2)];
  expect(passengers()).toEqual([[1, 2]]);
  void ask(3);
  expect(passengers()).toEqual([[1, 2]]);
  await tick();
  expect(passengers()).toEqual([[1, 2], [3]]);
});

test('a batch stays within its maximum weight; a single item that exceeds it is sent alone', async () => {
  const { ask, flights, passengers } = airport({
    max: 5,
    inFlight: 1,
    weight: { of: (item) => item, most: 10 },
  });
  void [6, 4, 1, 30, 2, 3].map(ask);
  await tick();
  for (let landed = 0; landed < 3; landed++) {
    flights[landed]?.land();
    await tick();
  }
  expect(passengers()).toEqual([[6, 4], [1], [30], [2, 3]]);
});

test('at the maximum concurrency, callers wait for the first to finish and are served in order of arrival', async () => {
  const { ask, flights, passengers } = airport({ max: 2, inFlight: 1 });
  const answers = Promise.all([1, 2, 3, 4, 5].map(ask));
  await tick();
  expect(passengers()).toEqual([[1, 2]]);
  for (let landed = 0; landed < 3; landed++) {
    flights[landed]?.land();
    await tick();
  }
  expect(passengers()).toEqual([[1, 2], [3, 4], [5]]);
  expect(await answers).toEqual([10, 20, 30, 40, 50]);
});

test('where it gathers, the next batch waits for most of those who were answered, or for the time', async () => {
  const { ask, passengers, flights } = airport({ max: 9, inFlight: 1, gatherMs: () => 300 });
  const first = [1, 2, 3].map(ask);
  await tick(); // none has been answered: nobody is waited for
  expect(passengers()).toEqual([[1, 2, 3]]);
  void ask(4);
  flights[0]?.land();
  await Promise.all(first);
  await tick();
  expect(passengers()).toHaveLength(1);
  void [5, 6].map(ask); // three of four
  await tick();
  expect(passengers()[1]).toEqual([4, 5, 6]);
  flights[1]?.land();
  void ask(7);
  await expect.poll(() => passengers()[2], { interval: 5 }).toEqual([7]); // nobody else comes
});

test('where all were answered, it starts with most of them, and not at the end of the time', async () => {
  const { ask, passengers, flights } = airport({ max: 9, inFlight: 1, gatherMs: () => 60_000 });
  const first = [1, 2, 3, 4].map(ask);
  await tick();
  flights[0]?.land();
  await Promise.all(first);
  for (const item of [5, 6, 7]) {
    expect(passengers()).toHaveLength(1);
    void ask(item);
    await tick();
  }
  expect(passengers()[1]).toEqual([5, 6, 7]);
});

test('a batch that fails rejects only its own items, and the next batch is sent', async () => {
  const { ask, flights, passengers } = airport({ max: 1, inFlight: 1 });
  const answers = Promise.allSettled([ask(1), ask(2)]);
  flights[0]?.crash(new Error('lost'));
  await tick();
  expect(passengers()).toEqual([[1], [2]]);
  flights[1]?.land();
  expect(await answers).toMatchObject([{ reason: { message: 'lost' } }, { value: 20 }]);
});

test('items with different keys are never in one batch', async () => {
  const flown: string[] = [];
  const readers = coalesceApart<number, number>({ max: 10, inFlight: 2 });
  const as = (key: string) =>
    readers(key, (items) => {
      flown.push(`${key}: ${items.join()}`);
      return Promise.resolve(items);
    });
  expect(await Promise.all([as('ada')(1), as('bo')(2), as('ada')(3)])).toEqual([1, 2, 3]);
  expect(flown).toEqual(['ada: 1,3', 'bo: 2']);
});

test('equal requests of one tick share one answer; a later request is sent again', async () => {
  const share = shareEqual();
  let asked = 0;
  const ask = (): Promise<number> => share('key', () => Promise.resolve(++asked));
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(await ask()).toBe(2);
});
