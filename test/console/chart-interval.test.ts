// Periods of charts, chosen by what they reach over, and named for people.
import { expect, test } from 'vitest';
import { labelOf, nextOf, periodWithin, withGaps } from '../../console/views/entities/chart-interval.ts';

test.each([
  ['2026-01-01', '2026-01-20', 'date', 'day'],
  ['2026-01-01T00:00:00Z', '2026-01-01T20:00:00Z', 'datetime', 'hour'],
  ['2026-01-01', '2026-01-01', 'date', 'day'],
  ['2026-01-01', '2026-06-01', 'date', 'week'],
  ['2024-03-01', '2026-01-01', 'date', 'month'],
  ['2020-03-01', '2026-01-01', 'date', 'quarter'],
  ['1900-03-01', '2026-01-01', 'date', 'year'],
])('from %s to %s a %s is drawn by %s', (from, to, type, period) => {
  expect(periodWithin(from, to, type, 30)).toBe(period);
});

test('an interval ends where the next begins, in the form of its key', () => {
  expect(nextOf('2026-12-01', 'month')).toBe('2027-01-01');
  expect(nextOf('2026-10-01T00:00:00Z', 'quarter')).toBe('2027-01-01T00:00:00Z');
  expect(nextOf('2026-02-23', 'week')).toBe('2026-03-02');
  expect(nextOf('2026-02-28T23:00:00Z', 'hour')).toBe('2026-03-01T00:00:00Z');
  expect(nextOf('-10', '5')).toBe('-5');
  expect(nextOf('soon', 'day')).toBeUndefined();
});

test('labels are for people, and say what a bar stands for', () => {
  expect(labelOf('2026-02-01', 'date', 'month')).toMatch(/Feb 2026/);
  expect(labelOf('2026-10-01T00:00:00Z', 'datetime', 'quarter')).toBe('Q4 2026');
  expect(labelOf('2026-01-01', 'date', 'year')).toBe('2026');
  expect(labelOf('2026-02-23', 'date', 'week')).toMatch(/^week of .*23.*2026/);
  expect(labelOf('20', 'int', '10')).toBe('20 to 30');
  expect(labelOf('20', 'int', undefined)).toBe('20');
  expect(labelOf('neither', 'date', 'month')).toBe('neither');
});

test('periods of which there is nothing are drawn, unless they are too many', () => {
  const nothing = (label: string) => ({ label, value: 0 });
  const bars = [
    { label: '2026-01-01', value: 2 },
    { label: '2026-04-01', value: 1 },
    { label: undefined, value: 3 },
  ];
  expect(withGaps(bars, 'month', 30, nothing).map(({ value }) => value)).toEqual([2, 0, 0, 1, 3]);
  expect(withGaps(bars, 'month', 2, nothing)).toEqual(bars);
});
