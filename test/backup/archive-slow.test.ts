// docs/reference/backups.md#archive-of-the-write-ahead-log: an archive that is slow, and does not fail, takes no room that
// writes need; what follows is archived again.
import { chmodSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type Config, parseConfig } from '../../platform/config/load-config.ts';
import { readArchiveState } from '../../platform/database/embedded/archive-state.ts';
import { embeddedSuperuserUrl } from '../../platform/database/embedded/supervise.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { keptBySlot } from '../../standalone/archiving/archive.store.ts';
import { startWalArchive } from '../../standalone/wal-archive.ts';
import { log } from '../archive/archive-testkit.ts';
import { scratchFolder } from './backup-testkit.ts';

test(
  'the log that a slow archive keeps is given up before the disk is full',
  { timeout: 180_000 },
  async () => {
    await using folder = await scratchFolder();
    chmodSync(folder.dir, 0o711); // PostgreSQL is another user's
    const yaml = `database: {archive: {to: "${path.join(folder.dir, 'place')}", every_seconds: 1}}\n`;
    const file = path.join(folder.dir, 'gateway.yaml');
    const options = { env: { CAIRN_DATA_DIR: path.join(folder.dir, 'data') }, cwd: folder.dir };
    const parsed = parseConfig(yaml, file, options);
    const config: Config = { ...parsed, database: { ...parsed.database, diskReserve: 1e18 } }; // no disk has as much
    const { dataDir } = config.database;
    const database = await openDatabase({ dataDir, applicationName: 'cairn test', poolSize: 1, log });
    const archive = await startWalArchive({ config, log });
    const chain = async () => (await readArchiveState(dataDir))?.chain ?? null;
    const db = new pg.Client({ connectionString: embeddedSuperuserUrl(dataDir) });
    await db.connect();
    try {
      await expect.poll(chain).not.toBeNull();
      const first = await chain();
      await db.query('BEGIN; LOCK TABLE artifact.stored_object'); // it waits, and nothing fails
      for (let i = 0; i < 10; i++)
        await db.query(`SELECT pg_logical_emit_message(false, 'test', repeat(md5(random()::text), 320000))`);
      expect(await keptBySlot(db)).toBeGreaterThan(64 * 1024 * 1024);
      await expect.poll(() => keptBySlot(db)).toBe(0);
      await db.query('ROLLBACK');
      await expect.poll(chain).not.toBe(first);
      await expect.poll(chain).not.toBeNull();
    } finally {
      await db.end();
      await archive.close();
      await database.close();
    }
  },
);
