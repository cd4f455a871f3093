import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairSlots } from '../../../platform/fair-slots.ts';
import { SlowReaders } from './slow-readers.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => vi.useRealTimers());

const signal = new AbortController().signal;

/** Exports of an actor, which hold a slot until they end. */
function exporting(): (actor: string) => Promise<AsyncGenerator<number, void, undefined>> {
  const slots = new FairSlots({ slots: 3, perKey: 2, waiting: 8 });
  const readers = new SlowReaders();
  async function* blocks(leave: () => void): AsyncGenerator<number, void, undefined> {
    try {
      for (let i = 0; ; i++) yield await Promise.resolve(i);
    } finally {
      leave();
    }
  }
  return async (actor) => readers.follow(blocks(await readers.makingRoom(slots.enter(actor, signal))));
}

test('two readers who take nothing do not keep a third from an export', async () => {
  const open = exporting();
  const slow = [await open('a'), await open('a'), await open('b')];
  for (const one of slow) await one.next();
  const third = open('c');
  await vi.advanceTimersByTimeAsync(12_000);
  expect(await (await third).next()).toEqual({ done: false, value: 0 });
  const outcomes = await Promise.allSettled(slow.map((one) => one.next()));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

test('who reads on is not cut off, and nobody is while nobody waits', async () => {
  const open = exporting();
  const all = [await open('a'), await open('a'), await open('b')];
  for (const one of all) await one.next();
  await vi.advanceTimersByTimeAsync(60_000);
  for (const one of all) expect((await one.next()).done).toBe(false);
  const waiting = open('c');
  for (let s = 0; s < 30; s++) {
    await vi.advanceTimersByTimeAsync(1000);
    for (const one of all) expect((await one.next()).done).toBe(false);
  }
  await all[0]?.return();
  expect((await (await waiting).next()).value).toBe(0);
});
