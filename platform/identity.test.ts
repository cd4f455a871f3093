import { expect, test } from 'vitest';
import { ClientGone, DomainError } from './errors.ts';
import { endOfCredential } from './identity.ts';

test('a client that has gone has not lost its credential', () => {
  const caller = { actor: 'user:a', roles: [], projects: [], requestId: 'r' } as const;
  const revoked = new DomainError('revoked_token', 'the API key was revoked');
  expect(
    [new ClientGone(), undefined, revoked].map((reason) =>
      endOfCredential({ ...caller, signal: AbortSignal.abort(reason) }),
    ),
  ).toEqual([undefined, undefined, revoked]);
  expect(endOfCredential(caller)).toBeUndefined();
});
