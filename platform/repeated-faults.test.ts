import type { Logger } from 'pino';
import { expect, test } from 'vitest';
import { RepeatedFaults } from './repeated-faults.ts';

test('a fault is told at once, and again once a minute with how often it was; another cause at once', () => {
  const told: unknown[][] = [];
  let now = 0;
  const faults = new RepeatedFaults(
    { warn: (...args: unknown[]) => told.push(args) } as never as Logger,
    () => now,
  );
  const full = Object.assign(new Error('no room'), { code: '53100' });
  for (; now < 150_000; now += 1000) faults.warn(full, 'runs could not be claimed');
  const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  faults.warn(away, 'runs could not be claimed');
  faults.warn(away, 'abandoned runs could not be searched for');
  faults.warn(away, 'runs could not be claimed');
  now += 300_000;
  faults.warn(away, 'runs could not be claimed');
  expect(told).toEqual([
    [{ err: full }, 'runs could not be claimed'],
    [{ times: 60, reason: 'no room' }, 'runs could not be claimed'],
    [{ times: 60, reason: 'no room' }, 'runs could not be claimed'],
    [{ err: away }, 'runs could not be claimed'],
    [{ err: away }, 'abandoned runs could not be searched for'],
    [{ err: away }, 'runs could not be claimed'], // long after it was untold
  ]);
});
