// The scale of time on which the runs of a trigger are drawn.
import { expect, test } from 'vitest';
import { COLUMNS, columnsOf } from '../../console/views/runs/strip-scale.ts';

const NOW = Date.parse('2026-03-04T10:07:31Z');
const MINUTE = 60_000;
const ago = (minutes: number) => ({ queuedAt: new Date(NOW - minutes * MINUTE).toISOString() });

test.each([
  [0, 1],
  [20, 1],
  [30, 5],
  [60 * 20, 60],
  [60 * 24 * 20, 60 * 24],
  [60 * 24 * 365 * 3, 60 * 24 * 365],
])('runs of the last %i minutes are in columns of %i minutes, which end now', (minutes, step) => {
  const runs = [ago(0), ago(minutes / 2), ago(minutes)];
  const columns = columnsOf(runs, NOW);
  expect(columns.length).toBe(COLUMNS);
  expect(columns.map(({ from, to }) => (to - from) / MINUTE)).toEqual(Array(COLUMNS).fill(step));
  expect(columns.slice(1).map(({ from }) => from)).toEqual(columns.slice(0, -1).map(({ to }) => to));
  const last = columns.at(-1);
  expect(last?.from).toBeLessThanOrEqual(NOW);
  expect(last?.to).toBeGreaterThan(NOW);
  expect(columns.flatMap((column) => column.runs).length).toBe(runs.length); // each once
  for (const { from, to, runs: held } of columns)
    for (const { queuedAt } of held) {
      expect(Date.parse(queuedAt)).toBeGreaterThanOrEqual(from);
      expect(Date.parse(queuedAt)).toBeLessThan(to);
    }
});

test('a run that the clock of the browser has not reached is in the last column', () => {
  expect(columnsOf([ago(-3)], NOW).at(-1)?.runs.length).toBe(1);
});
