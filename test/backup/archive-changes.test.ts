// docs/reference/backups.md#archive-of-the-write-ahead-log: what is sealed otherwise begins another chain, a lost state
// too, what is not sealed is not restored for whom has a secret, and an archive that is taken out keeps no log.
import { chmodSync, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { embeddedSuperuserUrl } from '../../platform/database/embedded/supervise.ts';
import { chainFolder, pieceName } from '../../standalone/archiving/chain-format.ts';
import { restoreMoment } from '../../standalone/backups.ts';
import { log } from '../archive/archive-testkit.ts';
import { startProcess } from '../testkit/server-process.ts';
import { scratchFolder } from './backup-testkit.ts';

const PASSPHRASE = 'the passphrase of a test';

interface State {
  readonly chain: string | null;
  readonly sealed: string;
}

const stateOf = async (dataDir: string): Promise<State | null> => {
  const text = await readFile(path.join(dataDir, 'postgres/archive.json'), 'utf8').catch(() => '');
  return text === '' ? null : (JSON.parse(text) as State);
};

/** The next chain that can be restored: its base is whole, and the first log after it has come. */
async function chainAfter(dataDir: string, place: string, before: string | null): Promise<State> {
  const isNext = (state: State | null) => (state?.chain ?? null) !== null && state?.chain !== before;
  await expect.poll(() => stateOf(dataDir)).toSatisfy(isNext);
  const state = (await stateOf(dataDir)) ?? { chain: null, sealed: '' };
  const piece = path.join(place, chainFolder(state.chain ?? ''), pieceName(0));
  await expect.poll(() => existsSync(piece)).toBe(true);
  return state;
}

async function slots(dataDir: string): Promise<string[]> {
  const db = new pg.Client({ connectionString: embeddedSuperuserUrl(dataDir) });
  await db.connect();
  try {
    const { rows } = await db.query<{ name: string }>('SELECT slot_name AS name FROM pg_replication_slots');
    return rows.map(({ name }) => name);
  } finally {
    await db.end();
  }
}

test('an archive goes on as its configuration changes', async () => {
  await using folder = await scratchFolder();
  chmodSync(folder.dir, 0o711); // PostgreSQL is another user's
  const [dataDir, place] = [path.join(folder.dir, 'data'), path.join(folder.dir, 'place')];
  const start = async (archive: string | undefined) => {
    const file = path.join(folder.dir, 'gateway.yaml');
    await writeFile(
      file,
      archive === undefined ? '{}\n' : `database: {archive: {to: "${place}", ${archive}}}\n`,
    );
    return startProcess({ dataDir, env: { CAIRN_BACKUP_PASSPHRASE: PASSPHRASE, CAIRN_CONFIG: file } });
  };
  const restore = (allowUnencrypted: boolean) =>
    restoreMoment({
      config: parseConfig('{}\n', path.join(folder.dir, 'other.yaml'), {
        env: { CAIRN_DATA_DIR: path.join(folder.dir, 'restored') },
        cwd: folder.dir,
      }),
      log,
      place,
      until: 'latest',
      cwd: folder.dir,
      secrets: { passphrase: PASSPHRASE, allowUnencrypted },
      revokeSessions: false,
      pauseTriggers: false,
      actor: 'os:test',
    });

  let server = await start('passphrase_env: CAIRN_BACKUP_PASSPHRASE, every_seconds: 1');
  const sealed = await chainAfter(dataDir, place, null);
  await server.end('SIGTERM');
  server = await start('every_seconds: 1');
  const plain = await chainAfter(dataDir, place, sealed.chain);
  expect(plain.sealed).toBe('plain');
  await server.end('SIGTERM');
  await expect(restore(false)).rejects.toThrow('is not encrypted, although a passphrase');
  expect((await restore(true)).chain).toBe(plain.chain);
  const settings = path.join(folder.dir, 'restored/postgres/cluster/postgresql.conf');
  expect(await readFile(settings, 'utf8')).toContain('Written by "cairn restore"');

  await writeFile(path.join(dataDir, 'postgres/archive.json'), ''); // as after a loss of power
  server = await start('every_seconds: 1');
  await chainAfter(dataDir, place, plain.chain);
  expect(await slots(dataDir)).toEqual(['cairn_archive']);
  await server.end('SIGTERM');

  server = await start(undefined);
  await expect.poll(() => slots(dataDir)).toEqual([]);
  expect((await stateOf(dataDir))?.chain).toBeNull();
  await server.end('SIGTERM');
});
