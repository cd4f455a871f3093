// Only processes that certainly have ended count as dead.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isDead, ownerName } from './owner.ts';

const isLinux = existsSync('/proc/self/ns/pid');

test('a process that is there is not dead; every worker of it has a name of its own', async () => {
  const [one, other] = [await ownerName(), await ownerName()];
  expect(one).not.toBe(other);
  expect([await isDead(one), await isDead(other)]).toEqual([false, false]);
});

test('nothing is assumed about processes of other machines, boots or containers, or about names of another form', async () => {
  const [boot = '', processes = '', pid = '', began = '', id = ''] = (await ownerName()).split('/');
  for (const owner of [
    id,
    '',
    [`other-${boot}`, processes, 1, 1, id].join('/'),
    [boot, `${processes}1`, pid, began, id].join('/'),
    [boot, processes].join('/'),
  ])
    expect(await isDead(owner), owner).toBe(false);
});

test.skipIf(!isLinux)(
  'a process that has ended is dead, and so is one whose number somebody else has now',
  async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const [boot, processes, pid, began, id] = (await ownerName()).split('/');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await isDead([boot, processes, child.pid, began, id].join('/'))).toBe(true);
    expect(await isDead([boot, processes, pid, `${began}0`, id].join('/'))).toBe(true);
  },
);
