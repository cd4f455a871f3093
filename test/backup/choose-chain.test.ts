// Which chain of an archive a moment is restored from (docs/reference/backups.md#archive-of-the-write-ahead-log).
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Chain, chainText, pieceName } from '../../standalone/archiving/chain-format.ts';
import { chainFor } from '../../standalone/archiving/choose-chain.ts';
import { scratchFolder } from './backup-testkit.ts';

const chainOf = (day: number): Chain => ({
  format: 'cairn-wal-archive',
  version: 1,
  id: `2026110${day}T000000Z-00000000`,
  instance: '0'.repeat(16),
  created: `2026-11-0${day}T00:00:00.000Z`,
  cairn: '0.0.0',
  postgres: '18.0',
  platform: 'linux x64',
  system: '1',
  timeline: 1,
  parts: [],
  wal_from: `0/${day}`,
  since: { lsn: `0/${day}`, time: `2026-11-0${day}T00:00:00.000000Z`, position: day },
});

test('a chain that a process has left before its first log is not chosen, but for those that name it', async () => {
  await using folder = await scratchFolder();
  const write = async (chain: Chain, pieces: number): Promise<string> => {
    const dir = path.join(folder.dir, 'archives', chain.id);
    await mkdir(path.join(dir, path.dirname(pieceName(0))), { recursive: true });
    await writeFile(path.join(dir, 'sealed'), 'plain\n');
    await writeFile(path.join(dir, 'chain.json'), chainText(chain));
    for (let n = 0; n < pieces; n++) await writeFile(path.join(dir, pieceName(n)), '');
    return chain.id;
  };
  const whole = await write(chainOf(1), 1);
  const left = await write(chainOf(2), 0);
  const store = { type: 'file' as const, path: folder.dir };
  const place = { name: folder.dir, cwd: '/', store, secrets: {} };
  const chosen = async (id?: string) => (await chainFor(place, { kind: 'latest' }, id)).chain.id;
  expect(await chosen()).toBe(whole);
  expect(await chosen(left)).toBe(left);
  await rm(path.join(folder.dir, 'archives', whole), { recursive: true });
  await expect(chosen()).rejects.toThrow(`${left} has a base and no log after it`);
});
