// Statements of operations that have ended are not begun.
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import type { Caller } from '../identity.ts';
import { badRequest } from '../errors.ts';
import { readingFor } from './bounded-query.ts';
import { Budget } from './budget.ts';
import { DEFAULT_OPERATION_LIMITS } from './limits.ts';

const CALLER: Caller = { actor: 'user:a', roles: ['viewer'], projects: '*', requestId: 'r' };

test('a statement that waited for a connection until its operation had ended is never sent', async () => {
  const [sent, released]: [unknown[], unknown[]] = [[], []];
  const client = {
    once: () => client,
    off: () => client,
    query: (query: unknown) => sent.push(query),
    release: (isBroken: unknown) => released.push(isBroken),
  };
  let connect: (made: typeof client) => void = () => undefined;
  const connected = new Promise<typeof client>((resolve) => {
    connect = resolve;
  });
  const pool = { connect: () => connected } as unknown as Pool;
  const budget = new Budget(DEFAULT_OPERATION_LIMITS, CALLER);
  const reading = readingFor(pool, { budget }).query('SELECT 1');
  budget.end(badRequest('the client has disconnected'));
  connect(client);
  await expect(reading).rejects.toThrow('the client has disconnected');
  expect([sent, released]).toEqual([[], [false]]);
});
