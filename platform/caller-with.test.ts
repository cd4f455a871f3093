// Whoever passes a caller on with something changed keeps everything else of it.
import { expect, test } from 'vitest';
import { Budget } from './budget/budget.ts';
import { withBudget } from './budget/budgeted.ts';
import { DEFAULT_OPERATION_LIMITS } from './budget/limits.ts';
import { callerAsOf, callerOf, callerWith } from './caller-with.ts';
import type { Caller } from './identity.ts';

/** All members that there are: the compiler names one that is missing here. */
const WHOLE: Required<Omit<Caller, 'budget' | 'signal'>> = {
  actor: 'service:workflow',
  roles: ['service'],
  projects: ['alpha'],
  credential: 'key_1',
  client: 'workflow',
  cause: 'run:r1',
  isExact: true,
  requestId: '5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a',
  asOf: '2026-01-31T09:30:00.123456Z',
  wantsBasis: true,
  traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
  isSelfNamed: true,
};
const { signal } = new AbortController();
const FORMS: readonly [string, Caller][] = [
  ['a plain one', { ...WHOLE, signal }],
  ['one of a request', callerOf(WHOLE, { requestId: WHOLE.requestId }, () => signal)],
  ['one that was changed before', callerWith({ ...WHOLE, signal }, {})],
];

test.each(FORMS)('%s keeps every member that is not changed', (_, caller) => {
  const budget = new Budget(DEFAULT_OPERATION_LIMITS, caller, false);
  expect({ ...withBudget(caller, budget), signal: undefined }).toEqual({
    ...WHOLE,
    budget,
    signal: undefined,
  });
  const traced = callerWith(caller, { traceparent: undefined, actor: 'user:ada' });
  const { traceparent: _gone, ...rest } = WHOLE;
  expect({ ...traced, signal: undefined }).toEqual({ ...rest, actor: 'user:ada', signal: undefined });
  expect(Object.keys(traced)).not.toContain('traceparent');
  const { wantsBasis: _settled, asOf: _then, ...present } = WHOLE;
  expect({ ...callerAsOf(caller, undefined), signal: undefined }).toEqual({ ...present, signal: undefined });
  for (const changed of [withBudget(caller, budget), traced, callerAsOf(caller, 'x')])
    expect(changed.signal).toBe(signal);
  budget.close();
});

test('a signal is not made before somebody looks at it', () => {
  let made = 0;
  const caller = callerOf(WHOLE, { requestId: WHOLE.requestId }, () => {
    made++;
    return signal;
  });
  const changed = callerAsOf(callerWith(caller, { actor: 'user:ada' }), undefined);
  expect(made).toBe(0);
  expect(changed.signal).toBe(signal);
  expect(made).toBe(1);
});
