import { expect, test } from 'vitest';
import { FairSlots, TooManyWaiting } from './fair-slots.ts';

const never = new AbortController().signal;
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

test('a frequent caller waits for their own requests, and other callers do not wait for them', async () => {
  const slots = new FairSlots({ slots: 3, perKey: 2, waiting: 10 });
  const entered: string[] = [];
  const leave: (() => void)[] = [];
  const enter = (key: string): void => {
    void slots.enter(key, never).then((out) => {
      entered.push(key);
      leave.push(out);
    });
  };
  for (const key of ['greedy', 'greedy', 'greedy', 'greedy', 'modest', 'other']) enter(key);
  await settled();
  expect(entered).toEqual(['greedy', 'greedy', 'modest']);
  leave[0]?.(); // a slot of `greedy`, which keeps one; `other` has none
  leave[0]?.(); // a second call has no effect
  await settled();
  expect(entered).toEqual(['greedy', 'greedy', 'modest', 'other']);
  leave[1]?.();
  leave[2]?.();
  await settled();
  expect(entered).toEqual(['greedy', 'greedy', 'modest', 'other', 'greedy', 'greedy']);
});

test('a caller that leaves while waiting releases its place, and the number of waiting callers is limited', async () => {
  const slots = new FairSlots({ slots: 1, perKey: 1, waiting: 1 });
  const leave = await slots.enter('a', never);
  const gone = new AbortController();
  const waiting = slots.enter('a', gone.signal);
  await expect(slots.enter('a', never)).rejects.toThrow(TooManyWaiting);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  const next = slots.enter('a', never);
  leave();
  (await next)();
  (await slots.enter('b', never))();
  await expect(slots.enter('a', gone.signal)).rejects.toThrow('gone');
});
