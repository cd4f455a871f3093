// Where a backup is written to, and where one is read from.
import type { Readable } from 'node:stream';
import type { BackedUpFile, BackupBeginning, BackupManifest } from './backup-format.ts';

export interface BackupTarget {
  readonly address: string;
  /** How many files may be written at once. */
  readonly atOnce: number;
  begin(beginning: BackupBeginning): Promise<void>;
  part(name: string, content: Buffer): Promise<void>;
  /** Takes a file, unless it is there already. Whether it was taken; `content` is only called if it is. */
  file(file: BackedUpFile, content: () => Promise<Readable>): Promise<boolean>;
  /** The last one: without it nothing counts as a backup. */
  finish(manifest: BackupManifest): Promise<void>;
  /** Removes what was begun, as far as that is possible. */
  abandon(): Promise<void>;
}

export interface BackupEntry {
  readonly name: string;
  /** To be read to its end before the next entry is asked for. */
  readonly content: Readable;
}

export interface BackupSource {
  readonly address: string;
  /** The beginning first, then the tables' parts, the files, and the manifest. */
  entries(): AsyncGenerator<BackupEntry, void, undefined>;
}
