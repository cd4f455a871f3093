// When a process rests, as far as V8 is told.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const flags = vi.hoisted(() => [] as string[]);
vi.mock('node:v8', () => ({ setFlagsFromString: (flag: string) => flags.push(flag) }));

const { limitHeapGrowth } = await import('./heap-growth.ts');

/** Microseconds of a processor so far. */
let used = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  vi.spyOn(process, 'cpuUsage').mockImplementation((since) => ({
    user: used - (since?.user ?? 0),
    system: 0,
  }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Time passes with this share of a processor; returns what V8 was told about size meanwhile. */
function pass(ms: number, share: number): string[] {
  used += ms * 1000 * share;
  flags.length = 0;
  vi.advanceTimersByTime(ms);
  return flags.filter((flag) => flag.includes('size'));
}

test('a process rests until it is clearly busy, and again soon after that; V8 is told when it changes', () => {
  limitHeapGrowth();
  expect(pass(5000, 0.3)).toEqual(['--no-optimize-for-size']); // another thread may have said something else
  expect(pass(5000, 0.05)).toEqual(['--optimize-for-size']);
  expect(pass(250, 0.3)).toEqual([]); // a probe
  expect(pass(250, 0.02)).toEqual([]);
  expect(pass(250, 0.3)).toEqual([]);
  expect(pass(250, 0.3)).toEqual(['--no-optimize-for-size']); // steady work
  expect(pass(1000, 0.02)).toEqual(['--optimize-for-size']);
  expect(pass(250, 0.6)).toEqual(['--no-optimize-for-size']);
  expect(pass(1000, 0.6)).toEqual([]);
  expect(pass(4999, 0.01)).toEqual([]);
  expect(pass(1, 0)).toEqual(['--optimize-for-size']);
});
