// What artifact decides by is asked exactly, whoever it is for (docs/operations.md#reads-by-replicas).
import { expect, test } from 'vitest';
import { identityHeaders, type Caller } from '../../platform/identity.ts';
import { readCaller } from '../../platform/read-caller.ts';
import { claimsOf, identityOfClaims } from '../../platform/signed-identity/claims.ts';
import { question } from './platform-port.ts';

const CALLER: Caller = {
  actor: 'user:ada',
  roles: ['analyst'],
  projects: ['alpha'],
  requestId: '5f0c3a52-8c0e-4c33-9d0e-1f6f5a0f3b1a',
};

test('a question for a user is exact, also to a component of its own', async () => {
  const asked: Caller[] = [];
  const ask = () => (_: unknown, caller: Caller) => {
    asked.push(caller);
    return Promise.resolve({ data: { entity: null } });
  };
  await question(ask, '', 'entity', {}, CALLER);
  const [caller = CALLER] = asked;
  expect({ ...caller, signal: undefined }).toEqual({ ...CALLER, isExact: true, signal: undefined });
  expect(identityOfClaims(claimsOf(caller)).isExact).toBe(true);
  const { signal } = new AbortController();
  const read = (one: Caller) =>
    readCaller(
      { headers: identityHeaders(one, undefined) } as never, // all that is looked at
      { believes: () => true },
      signal,
    );
  expect(await read(caller)).toMatchObject({ actor: 'user:ada', isExact: true });
  expect(await read(CALLER)).not.toHaveProperty('isExact');
  expect(identityOfClaims(claimsOf(CALLER))).not.toHaveProperty('isExact');
});
