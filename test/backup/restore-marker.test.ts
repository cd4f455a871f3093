// docs/reference/backups.md#any-moment: of two restores into a data directory one goes on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { claimMarker } from '../../standalone/archiving/restore-marker.ts';
import { scratchFolder } from './backup-testkit.ts';

test('the mark of a process that has ended is taken over, also an empty one; that of another is not', async () => {
  await using folder = await scratchFolder();
  const marker = path.join(folder.dir, 'restoring');
  const other = spawn('sleep', ['60']);
  writeFileSync(marker, String(other.pid));
  expect(() => {
    claimMarker(marker);
  }).toThrow('is under way');
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  });
  expect(() => {
    claimMarker(marker);
  }).toThrow('is under way'); // another account's
  kill.mockRestore();
  const ended = once(other, 'exit');
  other.kill('SIGKILL');
  await ended;
  claimMarker(marker);
  expect(readFileSync(marker, 'utf8')).toBe(String(process.pid));
  writeFileSync(marker, '');
  claimMarker(marker);
  expect(readFileSync(marker, 'utf8')).toBe(String(process.pid));
  expect(readdirSync(folder.dir)).toEqual(['restoring']);
});
