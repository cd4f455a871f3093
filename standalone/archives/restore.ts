// Restores an archive in a transaction: to import it, or to see whether it could be (docs/reference/archives.md#import).
import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Manifest, refused } from '../../platform/archive/archive-format.ts';
import { readArchive } from '../../platform/archive/read-archive.ts';
import type { Archived } from '../../platform/archive/write-archive.ts';
import { type ContentPlace, FileRestoration } from '../../subgraphs/artifact/archive/restore-files.ts';
import { MetadataRestoration } from '../../subgraphs/metadata/archive/restore-metadata.ts';
import { analyse } from '../../subgraphs/metadata/archive/restore.store.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';

export interface ArchiveSummary {
  /** SHA-256 of the manifest, which names the archive. */
  readonly id: string;
  readonly manifest: Manifest;
}

export interface Importer {
  /** All of it, or nothing. */
  read(input: Readable): Promise<ArchiveSummary>;
  close(): Promise<void>;
}

/** Classes of SQLSTATE for values that the database does not take: 22, 23. */
const isRefusedValue = (fault: unknown): fault is Error => /^2[23]/.test(systemErrorCode(fault) ?? '');

interface Restored {
  /** Null where all is done, and nothing kept. */
  readonly place: ContentPlace | null;
  readonly clockAheadSeconds: number;
  readonly log: Logger;
}

/** Restores in a transaction of the owner. @throws DomainError for what an archive must not be */
export async function restore(
  client: pg.Client,
  { place, clockAheadSeconds, log }: Restored,
  input: Readable,
): Promise<Archived> {
  const metadata = new MetadataRestoration(client);
  const files = new FileRestoration(client, place);
  try {
    await client.query('BEGIN; SET LOCAL statement_timeout = 0');
    await metadata.begin();
    await files.begin();
    const archived = await readArchive(input, {
      async rows(section, lines) {
        if (!(await metadata.rows(section, lines)) && !(await files.rows(section, lines)))
          throw new Error(`nobody takes the table ${section}`);
      },
      file: (file, content) => files.file(file, content),
    });
    await files.finish();
    await metadata.finish(archived.manifest.position, clockAheadSeconds);
    await client.query(place === null ? 'ROLLBACK' : 'COMMIT');
    if (place !== null) await analyse(client);
    return archived;
  } catch (fault) {
    await client.query('ROLLBACK').catch((err: unknown) => {
      log.warn({ err }, 'the import was not rolled back by us: it is when the connection ends');
    });
    await files.undo();
    if (isRefusedValue(fault))
      throw refused(`holds what cannot be stored: ${fault.message}`, { cause: fault });
    throw fault;
  } finally {
    await files.close();
  }
}
