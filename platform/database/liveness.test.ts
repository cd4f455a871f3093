// What is said of an embedded PostgreSQL that was started again elsewhere.
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Liveness, stuckReason, startFault } from './liveness.ts';

const refused = new Error('connect ECONNREFUSED 127.0.0.1:5432');
const over = (isMoved: boolean) => ({
  liveness: new Liveness({
    url: 'postgres://127.0.0.1/x',
    applicationName: 'cairn test',
    pids: () => [],
    isMoved: () => isMoved,
    log: pino({ level: 'silent' }),
  }),
});

test('a start that met an address without a server says that it has moved, if it has', () => {
  const moved = startFault(over(true), refused);
  expect(String(moved)).toMatch(/embedded PostgreSQL was started again at another address.*start it again$/);
  expect((moved as Error).cause).toBe(refused);
  expect(startFault(over(false), refused)).toBe(refused);
  expect(startFault(undefined, refused)).toBe(refused);
});

test('a process that ends says what it is that only another one can mend', () => {
  expect(stuckReason(over(true).liveness.stuck ?? '')).toContain('at another address');
  expect(stuckReason('writes')).toContain('writes');
});
