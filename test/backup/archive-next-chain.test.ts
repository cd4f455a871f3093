// docs/decisions/0179: the next chain begins while the one before it goes on, and the server keeps the log from its
// beginning until it is gone on with.
import { chmodSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type Config, parseConfig } from '../../platform/config/load-config.ts';
import { readArchiveState } from '../../platform/database/embedded/archive-state.ts';
import { embeddedSuperuserUrl } from '../../platform/database/embedded/supervise.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { readLsn } from '../../standalone/archiving/lsn.ts';
import { startWalArchive } from '../../standalone/wal-archive.ts';
import { log } from '../archive/archive-testkit.ts';
import { scratchFolder } from './backup-testkit.ts';

const SECONDS = 1 / 3600;

test('the next chain is gone on with, and nothing fails', { timeout: 180_000 }, async () => {
  await using folder = await scratchFolder();
  chmodSync(folder.dir, 0o711); // PostgreSQL is another user's
  const place = path.join(folder.dir, 'place');
  const yaml = `database: {archive: {to: "${place}", every_seconds: 1}}\n`;
  const options = { env: { CAIRN_DATA_DIR: path.join(folder.dir, 'data') }, cwd: folder.dir };
  const { database: settings, ...rest } = parseConfig(yaml, path.join(folder.dir, 'gateway.yaml'), options);
  const { archive: wanted, dataDir } = settings;
  if (wanted === undefined) throw new Error('nothing is archived');
  const config: Config = {
    ...rest,
    database: { ...settings, archive: { ...wanted, baseHours: 15 * SECONDS } },
  };
  const database = await openDatabase({ dataDir, applicationName: 'cairn test', poolSize: 1, log });
  const archive = await startWalArchive({ config, log });
  const chain = async () => (await readArchiveState(dataDir))?.chain ?? null;
  const db = new pg.Client({ connectionString: embeddedSuperuserUrl(dataDir) });
  await db.connect();
  try {
    await expect.poll(chain).not.toBeNull();
    const first = await chain();
    let kept = 0n;
    for (let next = first; next === first;) {
      const { rows } = await db.query<{ at: string }>(
        `SELECT restart_lsn::text AS at, pg_logical_emit_message(false, 'test', repeat('x', 100000)) FROM pg_replication_slots`,
      );
      await sleep(100);
      next = await chain();
      if (next === first) kept = readLsn(rows[0]?.at ?? '0/0');
    }
    const begun = JSON.parse(
      await readFile(path.join(place, 'archives', (await chain()) ?? '', 'chain.json'), 'utf8'),
    ) as {
      wal_from: string;
    };
    expect(kept).toBeLessThanOrEqual(readLsn(begun.wal_from));
    expect((await readArchiveState(dataDir))?.failing).toBeNull();
  } finally {
    await db.end();
    await archive.close();
    await database.close();
  }
});
