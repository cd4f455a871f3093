import { expect, test } from 'vitest';
import type { Measured } from './load.ts';
import { median, ratioOf } from './statistics.ts';

const at = (rps: number): Measured => ({ rps, p50: 1, p99: 2, failed: 0 });

test('the median of an even number of values lies between the two in the middle', () => {
  expect(median([4, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow('the median of nothing');
});

test('a ratio is the median of the rounds, not the ratio of the medians, and its spread is what the rounds span', () => {
  const rounds = [
    { cairn: at(200), other: at(100) },
    { cairn: at(20), other: at(20) },
    { cairn: at(900), other: at(300) },
  ];
  expect(ratioOf(rounds)).toEqual({ ratio: 2, spread: [1, 3] });
});
