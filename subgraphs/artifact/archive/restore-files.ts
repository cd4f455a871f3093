// Restores from an archive the files that entities have (docs/reference/archives.md#import).
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refused, type SectionName } from '../../../platform/archive/archive-format.ts';
import { readArchivedRow } from '../../../platform/archive/archived-row.ts';
import { storeRows } from '../../../platform/archive/store-rows.store.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { type ContentHash, type Kept, type ObjectStore, readHash } from '../storage/object-store.ts';
import { ARTIFACT_TABLES, STORED_FILES } from './archived-tables.ts';
import { countNamed, hasNoFiles, sizeNamed, strayFile } from './restore.store.ts';

const TABLES = new Map(ARTIFACT_TABLES.map((table) => [table.name, table]));

/** Where content goes. */
export interface ContentPlace {
  readonly store: ObjectStore;
  /** For content on its way into the store. */
  readonly directory: string;
}

export class FileRestoration {
  readonly #db: Queryable;
  readonly #place: ContentPlace | null;
  /** Content that was not in the store before. */
  readonly #added: ContentHash[] = [];
  #contents = 0;

  /**
   * @param db a transaction of the owner
   * @param place null where content is only compared with its hash
   */
  constructor(db: Queryable, place: ContentPlace | null) {
    this.#db = db;
    this.#place = place;
  }

  /** @throws DomainError `conflict` where there are files */
  async begin(): Promise<void> {
    if (!(await hasNoFiles(this.#db)))
      throw new DomainError(
        'conflict',
        'the instance is not empty: its artifact store has files, which an archive could contradict',
      );
  }

  /** Whether the table is one of artifact's: then its rows are stored. */
  async rows(section: SectionName, lines: readonly string[]): Promise<boolean> {
    const table = TABLES.get(section);
    if (table === undefined) return false;
    for (const row of lines.map((line) => readArchivedRow(table, line)))
      if (
        table === STORED_FILES &&
        (typeof row['hash'] !== 'string' || readHash(row['hash']) !== row['hash'])
      )
        throw refused(`has a stored file whose hash is none: ${JSON.stringify(row['hash'])}`);
    await storeRows(this.#db, table, lines);
    return true;
  }

  /** @param content fails at its end where it is not what its hash says */
  async file({ hash, size }: Kept, content: AsyncIterable<Buffer>): Promise<void> {
    if ((await sizeNamed(this.#db, hash)) !== size)
      throw refused(`has a file that its tables do not name, or of another size: ${hash}`);
    if (this.#place === null) for await (const chunk of content) void chunk;
    else await this.#keep(this.#place, hash, content);
    this.#contents++;
  }

  async #keep(
    { store, directory }: ContentPlace,
    hash: ContentHash,
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const spooled = path.join(directory, randomUUID());
    try {
      await pipeline(Readable.from(content), createWriteStream(spooled, { flags: 'wx', mode: 0o600 }));
      if ((await store.check(hash)) !== 'sound') {
        this.#added.push(hash);
        await store.keep(spooled);
      }
    } finally {
      await rm(spooled, { force: true });
    }
  }

  /** Call it when everything has been taken. @throws DomainError `validation_failed` */
  async finish(): Promise<void> {
    if ((await countNamed(this.#db)) !== this.#contents) throw refused('lacks files that its tables name');
    const stray = await strayFile(this.#db);
    if (stray !== null) throw refused(`has a file of no entity, or without content: ${stray}`);
  }

  /** Removes what was added, where the import has failed. */
  async undo(): Promise<void> {
    for (const hash of this.#added) await this.#place?.store.remove(hash);
  }

  async close(): Promise<void> {
    if (this.#place !== null) await rm(this.#place.directory, { recursive: true, force: true });
  }
}
