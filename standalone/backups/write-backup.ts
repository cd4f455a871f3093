// Writes a backup from one moment of the database, a part of a table in memory at a time.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { DomainError } from '../../platform/errors.ts';
import { ContentMissing, type ObjectStore } from '../../subgraphs/artifact/storage/object-store.ts';
import { lastEvent } from '../../subgraphs/metadata/archive/check-restored.store.ts';
import { hashedContent } from '../../platform/archive/hashed-content.ts';
import {
  type BackedUpFile,
  type BackupBeginning,
  FILE_LIST,
  fileLine,
  type BackupManifest,
  BACKUP_PART_BYTES,
  backupPartName,
  readFileLine,
  type Section,
} from './backup-format.ts';
import { copyFileList, copyTable, type CopiedRows } from './dump.store.ts';
import type { BackupTarget } from './target.ts';

const compressed = promisify(gzip);
/** Fast: the tables' text becomes about a fifth. */
const LEVEL = { level: 1 };

/** An upload is noted before its file is in the store; it is there in a moment, unless it was lost. */
const MISSING_TRIES = 20;
const MISSING_WAIT_MS = 250;

/** What was done so far. */
export interface BackupProgress {
  section: string;
  rows: number;
  files: number;
  fileBytes: number;
  /** Files that were not there already. */
  copied: number;
  copiedBytes: number;
}

export interface BackupWork {
  /** A transaction of one moment, see `beginSnapshot`. */
  readonly db: pg.ClientBase;
  readonly store: ObjectStore;
  readonly target: BackupTarget;
  readonly progress: BackupProgress;
  /** Aborted by a signal. */
  readonly signal: AbortSignal;
}

class Parts {
  readonly #work: BackupWork;
  readonly #name: string;
  readonly #parts: { bytes: number; sha256: string }[] = [];
  #waiting: Buffer[] = [];
  #bytes = 0;

  constructor(work: BackupWork, name: string) {
    this.#work = work;
    this.#name = name;
  }

  async add(chunk: Buffer): Promise<void> {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= BACKUP_PART_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#bytes === 0) return;
    const content = await compressed(Buffer.concat(this.#waiting), LEVEL);
    [this.#waiting, this.#bytes] = [[], 0];
    this.#parts.push({ bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    await this.#work.target.part(backupPartName(this.#name, this.#parts.length), content);
  }

  async end(): Promise<Section['parts']> {
    await this.#flush();
    return this.#parts;
  }
}

async function writeSection(work: BackupWork, name: string, rows: CopiedRows): Promise<Section> {
  work.progress.section = name;
  const parts = new Parts(work, name);
  for await (const chunk of rows) {
    work.signal.throwIfAborted();
    await parts.add(chunk);
  }
  work.progress.rows += rows.rowCount;
  return { name, rows: rows.rowCount, parts: await parts.end() };
}

type Lost = BackupManifest['lost'][number];

/** Opens a file of the store. Its content fails at the end where it is not what its hash says. */
export async function contentOf(store: ObjectStore, { hash }: Pick<BackedUpFile, 'hash'>): Promise<Readable> {
  const otherHash = (): DomainError =>
    new DomainError('checksum_mismatch', `the stored file ${hash} is damaged: its content has another hash`);
  for (let tries = 1; ; tries++)
    try {
      return Readable.from(hashedContent(await store.read(hash), hash, otherHash));
    } catch (fault) {
      if (!(fault instanceof ContentMissing) || tries === MISSING_TRIES) throw fault;
      await sleep(MISSING_WAIT_MS);
    }
}

/** One file of an archive cannot be taken back: it is looked at before. @returns why it is lost; null if it is not */
async function copyFile({ store, target, progress }: BackupWork, file: BackedUpFile): Promise<Lost | null> {
  try {
    if (target.atOnce === 1 && (await store.check(file.hash)) === 'damaged')
      return { ...file, is: 'damaged' };
    const isNew = await target.file(file, () => contentOf(store, file));
    if (isNew) {
      progress.copied++;
      progress.copiedBytes += file.size;
    }
  } catch (fault) {
    if (fault instanceof ContentMissing) return { ...file, is: 'missing' };
    if (target.atOnce > 1 && fault instanceof DomainError && fault.code === 'checksum_mismatch')
      return { ...file, is: 'damaged' };
    throw fault;
  }
  progress.files++;
  progress.fileBytes += file.size;
  return null;
}

/** Lists the files into a section, and returns them as they are listed. */
async function writeFileList(
  work: BackupWork,
): Promise<{ section: Section; lines: () => AsyncIterable<BackedUpFile> }> {
  const section = await writeSection(work, FILE_LIST, copyFileList(work.db));
  // the same moment tells the same again, so that the list is not kept in memory
  const lines = async function* (): AsyncGenerator<BackedUpFile, void, undefined> {
    const input = Readable.from(copyFileList(work.db));
    for await (const line of createInterface({ input, crlfDelay: Infinity })) yield readFileLine(line);
  };
  return { section, lines };
}

async function writeFiles(
  work: BackupWork,
  files: AsyncIterable<BackedUpFile>,
): Promise<Pick<BackupManifest, 'files' | 'lost'>> {
  const hash = createHash('sha256');
  const lost: Lost[] = [];
  let [count, bytes] = [0, 0];
  let batch: BackedUpFile[] = [];
  const flush = async (): Promise<void> => {
    const outcomes = await Promise.allSettled(batch.map((file) => copyFile(work, file)));
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason;
      const file = batch[i];
      if (file === undefined) continue;
      if (outcome.value !== null) lost.push(outcome.value);
      else {
        hash.update(fileLine(file));
        count++;
        bytes += file.size;
      }
    }
    batch = [];
  };
  work.progress.section = 'files of the store';
  for await (const file of files) {
    work.signal.throwIfAborted();
    batch.push(file);
    if (batch.length === work.target.atOnce) await flush();
  }
  await flush();
  return { files: { count, bytes, sha256: hash.digest('hex') }, lost };
}

/** @throws what the database, the store or the target say; then nothing counts as a backup */
export async function writeBackup(work: BackupWork, beginning: BackupBeginning): Promise<BackupManifest> {
  const { db, target } = work;
  try {
    const { position, time } = await lastEvent(db); // the first query: the moment
    await target.begin(beginning);
    const sections: Section[] = [];
    for (const table of beginning.tables)
      sections.push(await writeSection(work, table.name, copyTable(db, table)));
    const { section, lines } = await writeFileList(work);
    sections.push(section);
    const copied = await writeFiles(work, lines());
    const manifest: BackupManifest = {
      ...beginning,
      position: position === null ? null : Number(position),
      time,
      sections,
      ...copied,
    };
    await target.finish(manifest);
    return manifest;
  } catch (fault) {
    await target.abandon();
    throw fault;
  }
}
