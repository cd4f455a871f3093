// Ends the archive of a data directory whose configuration has none any more.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { readArchiveState, writeArchiveState } from '../../platform/database/embedded/archive-state.ts';
import { becomeArchiver, dropSlot, hasAnySlot } from './archive.store.ts';
import { connectAsSuperuser } from './as-superuser.ts';

const AGAIN_MS = 5000;

export interface RunningArchive {
  close(): Promise<void>;
}

/**
 * Without `database.archive`, nothing keeps the log for an archive of before: what was not archived is given up, once no
 * process archives any more (docs/reference/backups.md#archive-of-the-write-ahead-log).
 */
export function endWalArchive({
  config: {
    database: { dataDir },
  },
  log,
}: {
  readonly config: Config;
  readonly log: Logger;
}): Promise<RunningArchive> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    while (!signal.aborted && !(await forgetArchive(dataDir, log)))
      await sleep(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
  })();
  return Promise.resolve({
    async close() {
      stopping.abort();
      await ended;
    },
  });
}

/** @returns whether that is done */
async function forgetArchive(dataDir: string, log: Logger): Promise<boolean> {
  let db: pg.Client | undefined;
  try {
    db = await connectAsSuperuser(dataDir);
    if (!(await becomeArchiver(db))) return false; // a process that is being replaced
    const state = await readArchiveState(dataDir);
    if (state !== undefined) await writeArchiveState(dataDir, { ...state, chain: null, failing: null });
    if (!(await hasAnySlot(db))) return true;
    await dropSlot(db);
    log.warn(
      'database.archive is no longer configured: its replication slot was dropped, and what was not archived is given up',
    );
    return true;
  } catch (err) {
    log.error({ err }, 'the replication slot of an archive of before is not dropped; trying again');
    return false;
  } finally {
    await db?.end().catch(() => undefined);
  }
}
