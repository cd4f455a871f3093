// Whether an import would take an archive (docs/reference/archives.md#import).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { openDatabase } from '../platform/database/open.ts';
import { type Importer, restore } from './archives/restore.ts';

export interface CheckOptions {
  readonly log: Logger;
  /** `database.binaries`. */
  readonly binaries?: string | undefined;
}

/** Of an instance whose configuration does not say it. */
const CLOCK_AHEAD_SECONDS = 60;

/**
 * Restores an archive into a database of its own, which goes afterwards: what an import would refuse is refused, without
 * a configuration and an instance.
 */
export async function openChecker({ log, binaries }: CheckOptions): Promise<Importer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'cairn-check-'));
  const removed = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    const database = await openDatabase({
      dataDir,
      binaries,
      applicationName: 'cairn check',
      poolSize: 1,
      log,
      settings: { fsync: 'off', full_page_writes: 'off' }, // nothing of it is kept
    });
    return {
      async read(input) {
        if (database.asOwner === undefined) throw new Error('a database of its own has no owner');
        const check = { place: null, clockAheadSeconds: CLOCK_AHEAD_SECONDS, log };
        return database.asOwner((client) => restore(client, check, input));
      },
      async close() {
        await database.close();
        await removed();
      },
    };
  } catch (fault) {
    await removed();
    throw fault;
  }
}
