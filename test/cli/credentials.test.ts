// A command of an account that may not enter the home folder that its environment names, as of a service under sudo.
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findLogin } from '../../cli/credentials.ts';
import type { Session } from '../../cli/session.ts';
import { scratchDirectory } from '../testkit/scratch-space.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

/** As an account that may not read everything. All of `work` is done when it returns. */
function withoutRights<Result>(work: () => Result): Result {
  if (!isRoot) return work();
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

test('where the home folder may not be entered, nobody has signed in; credentials that may not be read are a fault', () => {
  const home = scratchDirectory('credentials');
  const held = path.join(home, '.config', 'cairn');
  mkdirSync(path.join(held, 'credentials.json'), { recursive: true });
  const find = (): unknown => findLogin({ env: { HOME: home } } as unknown as Session, 'http://localhost');
  chmodSync(home, 0o000);
  expect(withoutRights(find)).toBeUndefined();
  chmodSync(home, 0o755);
  chmodSync(path.join(home, '.config'), 0o755);
  chmodSync(held, 0o000);
  expect(() => withoutRights(find)).toThrow(/credentials\.json cannot be read: EACCES/);
  chmodSync(held, 0o700);
});
