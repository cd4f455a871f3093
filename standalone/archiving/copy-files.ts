// Copies files of the artifact store to where the archive is, before the log that names them.
import type { Queryable } from '../../platform/queryable.ts';
import type { ObjectStore } from '../../subgraphs/artifact/storage/object-store.ts';
import { ContentMissing } from '../../subgraphs/artifact/storage/object-store.ts';
import { DomainError } from '../../platform/errors.ts';
import type { BackedUpFile } from '../backups/backup-format.ts';
import type { Blobs } from '../backups/blobs.ts';
import { putFile } from '../backups/repository.ts';
import type { Sealer } from '../backups/sealing.ts';
import { contentOf } from '../backups/write-backup.ts';
import { listFiles, listNewFiles, noteArchived } from './archive.store.ts';

export interface FilePlace {
  readonly blobs: Blobs;
  readonly sealer: Sealer | undefined;
  readonly store: ObjectStore;
  /** Files that the store did not have, and when each is looked for again. */
  readonly missing: Map<string, number>;
}

const PAGE = 100;
/** Copied at once. */
const LANES = 4;
const AGAIN_MS = 600_000;

/** @returns whether the place has it; a file that the store has lost, or damaged, is not copied */
async function copyOne({ blobs, sealer, store, missing }: FilePlace, file: BackedUpFile): Promise<boolean> {
  if ((missing.get(file.hash) ?? 0) > Date.now()) return false;
  try {
    await putFile(blobs, sealer, file, () => contentOf(store, file));
    missing.delete(file.hash);
    return true;
  } catch (fault) {
    if (
      !(fault instanceof ContentMissing) &&
      !(fault instanceof DomainError && fault.code === 'checksum_mismatch')
    )
      throw fault;
    missing.set(file.hash, Date.now() + AGAIN_MS);
    return false;
  }
}

async function copyPages(
  db: Queryable,
  place: FilePlace,
  signal: AbortSignal,
  list: typeof listFiles,
): Promise<number> {
  let lost = 0;
  for (let after = ''; ;) {
    const page = await list(db, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return lost;
    for (let at = 0; at < page.length; at += LANES) {
      signal.throwIfAborted();
      const lane = page.slice(at, at + LANES);
      const copied = await Promise.all(lane.map((file) => copyOne(place, file)));
      const there = lane.filter((_, i) => copied[i] === true);
      lost += lane.length - there.length;
      await noteArchived(
        db,
        there.map(({ hash }) => hash),
      );
    }
    after = last.hash;
  }
}

/** @returns how many the store lacks, or has damaged */
export const copyNewFiles = (db: Queryable, place: FilePlace, signal: AbortSignal): Promise<number> =>
  copyPages(db, place, signal, listNewFiles);

/** Also those that were copied before, to another place perhaps. */
export const copyAllFiles = (db: Queryable, place: FilePlace, signal: AbortSignal): Promise<number> =>
  copyPages(db, place, signal, listFiles);
