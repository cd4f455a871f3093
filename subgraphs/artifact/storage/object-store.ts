// Where produced files are kept, by the SHA-256 of their content: what a kind of store has to be able to do.
import type { Readable } from 'node:stream';

/** `sha256:<hex>`: what a file is called in every store. */
export type ContentHash = string;

const HASH = /^(?:sha256:)?([0-9a-f]{64})$/;

/** The hash that a text names, with or without `sha256:`; null for what is none. */
export function readHash(text: string): ContentHash | null {
  const hex = HASH.exec(text)?.[1];
  return hex === undefined ? null : `sha256:${hex}`;
}

/** Where a hash's content stands below the root of any store: `ab/cd/abcd…`. */
export const objectKey = (hash: ContentHash): string => {
  const hex = hash.slice('sha256:'.length);
  return `${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex}`;
};

export interface Kept {
  readonly hash: ContentHash;
  readonly size: number;
}

/** Whether content is there and is still what its name says. */
export type Soundness = 'sound' | 'missing' | 'damaged';

export interface ObjectStore {
  /**
   * Copies a file in, hashing what is copied: it is there as a whole or not at all, however the process ends.
   */
  keep(file: string): Promise<Kept>;
  /**
   * Reads the content through and compares; what was found sound and has not been touched since is not read
   * again.
   */
  check(hash: ContentHash): Promise<Soundness>;
  /** The content. Fails where there is none. */
  read(hash: ContentHash): Promise<Readable>;
  /** A file of this machine with the content, to be read only; null where the store is elsewhere. */
  localFile(hash: ContentHash): string | null;
  /** Takes the content away; nothing happens where there is none. */
  remove(hash: ContentHash): Promise<void>;
  /** How an entity's `uri` names the content. */
  uriOf(hash: ContentHash): string;
  /** The hash that a `uri` of this store names; null for any other. */
  hashOf(uri: string): ContentHash | null;
}
