// The interface of stores, which keep produced files by the SHA-256 of their content.
import type { Readable } from 'node:stream';

/** `sha256:<hex>`: the name of a file in every store. */
export type ContentHash = string;

const HASH = /^(?:sha256:)?([0-9a-f]{64})$/;

/** The hash in a text, with or without `sha256:`; null for an invalid one. */
export function readHash(text: string): ContentHash | null {
  const hex = HASH.exec(text)?.[1];
  return hex === undefined ? null : `sha256:${hex}`;
}

/** The path of a hash's content below the root of any store: `ab/cd/abcd…`. */
export const objectKey = (hash: ContentHash): string => {
  const hex = hash.slice('sha256:'.length);
  return `${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex}`;
};

export interface Kept {
  readonly hash: ContentHash;
  readonly size: number;
}

/** Whether content exists and matches its hash. */
export type Soundness = 'sound' | 'missing' | 'damaged';

export interface ObjectStore {
  /** Copies a file in, hashing what is copied; atomic, however the process ends. */
  keep(file: string): Promise<Kept>;
  /**
   * Reads the content and compares its hash; unchanged files that were verified before are not read again.
   */
  check(hash: ContentHash): Promise<Soundness>;
  /** The content. Fails if there is none. */
  read(hash: ContentHash): Promise<Readable>;
  /** A local read-only file with the content; null for a remote store. */
  localFile(hash: ContentHash): string | null;
  /** Removes the content; does nothing if there is none. */
  remove(hash: ContentHash): Promise<void>;
  /** The `uri` of the content for entities. */
  uriOf(hash: ContentHash): string;
  /** The hash in a `uri` of this store; null for any other. */
  hashOf(uri: string): ContentHash | null;
}
