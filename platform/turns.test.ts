import { expect, test } from 'vitest';
import { inTurns, Turn } from './turns.ts';

const work = async (turn: Turn, slices: number, done: () => void): Promise<void> => {
  for (let i = 0; i < slices; i++) {
    await turn.next();
    done();
  }
};

test('each turn of the event loop runs one slice of one task, in the order of the requests', async () => {
  const seen: string[] = [];
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      await new Promise(setImmediate);
      seen.push('|');
    }
  })();
  await Promise.all(['a', 'b', 'c'].map((name) => work(new Turn(), 3, () => seen.push(name))));
  isOver = true;
  await loop;
  const text = seen.join('');
  expect(text.replaceAll('|', '')).toBe('abcabcabc');
  expect(text).not.toMatch(/[abc]{2}/);
});

test('a slice is over after a few milliseconds, and there is none before the first', async () => {
  const turn = new Turn();
  expect(turn.isOver).toBe(true);
  await turn.next();
  expect(turn.isOver).toBe(false);
  const began = performance.now();
  while (!turn.isOver) if (performance.now() - began > 1000) break;
  expect(performance.now() - began).toBeLessThan(1000);
});

test('parts of one computation that wait at once go on in one slice', async () => {
  const turn = new Turn();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const parts = Array.from({ length: 100 }, async () => {
    while (turn.isOver) await turn.nextOfAll();
    return turns;
  });
  const began = new Set(await Promise.all(parts));
  isOver = true;
  expect(began.size).toBe(1);
  const [one, other] = [new Turn(), new Turn()];
  const order: number[] = [];
  await Promise.all(
    [one.nextOfAll(), other.nextOfAll()].map(async (next, n) => next.then(() => order.push(n))),
  );
  expect(order).toEqual([0, 1]);
});

test('the event loop runs other callbacks between the tasks of a long queue', async () => {
  let turns = 0;
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      await new Promise(setImmediate);
      turns++;
    }
  })();
  const busy = (n: number): number => {
    for (const until = performance.now() + 10; performance.now() < until;);
    return n * 2;
  };
  expect(await inTurns([1, 2, 3, 4, 5], busy)).toEqual([2, 4, 6, 8, 10]);
  isOver = true;
  await loop;
  expect(turns).toBeGreaterThanOrEqual(5);
});
