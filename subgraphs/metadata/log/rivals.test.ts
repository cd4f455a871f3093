import { expect, test } from 'vitest';
import { Rivals } from './rivals.ts';

test('a process alone has two batches under way, and waits for nobody', () => {
  const rivals = new Rivals();
  for (let base = 0n; base < 100n; base += 10n) rivals.wrote(base, 10, 5);
  expect(rivals).toMatchObject({ inFlight: 2, gatherMs: 0 });
});

test('where others write between its batches, it gathers one at a time, for half of the wait; and stops after them', () => {
  const rivals = new Rivals();
  for (let base = 0n; base < 200n; base += 20n) rivals.wrote(base, 10, 8);
  expect(rivals.inFlight).toBe(1);
  expect(rivals.gatherMs).toBeGreaterThan(2);
  expect(rivals.gatherMs).toBeLessThanOrEqual(4);
  for (let base = 190n; base < 300n; base += 10n) rivals.wrote(base, 10, 8);
  expect(rivals).toMatchObject({ inFlight: 2, gatherMs: 0 });
});

test('a wait of seconds is no reason to gather for long', () => {
  const rivals = new Rivals();
  for (let base = 0n; base < 400n; base += 20n) rivals.wrote(base, 10, 3000);
  expect(rivals.gatherMs).toBe(10);
});
