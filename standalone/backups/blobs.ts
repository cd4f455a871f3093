// A place that keeps backups under names: a directory, or a bucket.
import type { Readable } from 'node:stream';

export interface Blobs {
  /** What people know it by. */
  readonly address: string;
  /** Bytes of what is there under this name; null where nothing is. */
  size(name: string): Promise<number | null>;
  /** It is there whole when this has resolved, or not at all. */
  write(name: string, content: Readable): Promise<void>;
  /** @throws BlobMissing */
  read(name: string): Promise<Readable>;
  /** Names of the folders directly below a folder. */
  folders(below: string): Promise<readonly string[]>;
  /** Removes what is under this name, and the folders that are empty then. */
  remove(name: string): Promise<void>;
  /** Removes a folder with all that is in it; nothing is there that may be. */
  removeFolder(name: string): Promise<void>;
}

export class BlobMissing extends Error {
  override name = 'BlobMissing';
}
