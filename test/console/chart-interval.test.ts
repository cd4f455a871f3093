// Periods of charts, chosen by what they reach over, and named for people.
import { expect, test } from 'vitest';
import {
  labelOf,
  nextOf,
  periodWithin,
  suiting,
  widthWithin,
  withBreaks,
  withGaps,
} from '../../console/views/entities/chart-interval.ts';

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

test.each([
  [0, 29, 'int', '1'],
  [0, 30, 'int', '2'],
  [18, 97, 'int', '5'],
  [-400, 1_000_000, 'int', '50000'],
  [7, 7, 'int', '1'],
  [0, 0.25, 'float', '0.01'],
  [0.5, 3, 'float', '0.1'],
  [-3e-7, 3e-6, 'float', '0.0000002'],
  [0, 1e17, 'float', undefined],
  [0, 1e15, 'float', '50000000000000'],
])('from %s to %s a %s is drawn by %s', (from, to, type, width) => {
  expect(widthWithin(from, to, type, 30)).toBe(width);
  expect(suiting(from, to, type, 30)).toBe(width);
});

test('a field of which nothing is known is drawn as it is', () => {
  expect(suiting(null, null, 'int', 30)).toBeUndefined();
  expect(suiting('2026-01-01', '2026-01-20', 'date', 30)).toBe('day');
});

test('an interval ends where the next begins, in the form of its key', () => {
  expect(nextOf('2026-12-01', 'month')).toBe('2027-01-01');
  expect(nextOf('2026-10-01T00:00:00Z', 'quarter')).toBe('2027-01-01T00:00:00Z');
  expect(nextOf('2026-02-23', 'week')).toBe('2026-03-02');
  expect(nextOf('2026-02-28T23:00:00Z', 'hour')).toBe('2026-03-01T00:00:00Z');
  expect(nextOf('-10', '5')).toBe('-5');
  expect(nextOf('0.1', '0.2')).toBe('0.3');
  expect(nextOf('soon', 'day')).toBeUndefined();
});

test('labels are for people, and say what a bar stands for', () => {
  expect(labelOf('2026-02-01', 'date', 'month')).toMatch(/Feb 2026/);
  expect(labelOf('2026-10-01T00:00:00Z', 'datetime', 'quarter')).toBe('Q4 2026');
  expect(labelOf('2026-01-01', 'date', 'year')).toBe('2026');
  expect(labelOf('2026-02-23', 'date', 'week')).toMatch(/^week of .*23.*2026/);
  expect(labelOf('20', 'int', '10')).toBe('20 to 29');
  expect(labelOf('20', 'int', '1')).toBe('20');
  expect(labelOf('1500', 'float', '500')).toBe('1500 to 2000');
  expect(labelOf('50000', 'float', '50000')).toBe('50,000 to 100,000');
  expect(labelOf('0.1', 'float', '0.2')).toBe('0.1 to 0.3');
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
  expect(withGaps(bars, 'month', 30, nothing)?.map(({ value }) => value)).toEqual([2, 0, 0, 1, 3]);
  expect(withGaps(bars, 'month', 2, nothing)).toBeUndefined();
  const numbers = [
    { label: '9', value: 1 },
    { label: '11', value: 1 },
    { label: undefined, value: 1 },
  ];
  expect(withGaps(numbers, '1', 30, nothing)?.map(({ label }) => label)).toEqual([
    '9',
    '10',
    '11',
    undefined,
  ]);
});

test('where not all is known, or is too much, one bar stands for what is left out', () => {
  const between = (label: string) => ({ label, value: -1 });
  const bars = ['2026-01-01', '2026-04-01', '2026-05-01', undefined].map((label) => ({ label, value: 1 }));
  expect(withBreaks(bars, 'month', between).map(({ value }) => value)).toEqual([1, -1, 1, 1, 1]);
});
