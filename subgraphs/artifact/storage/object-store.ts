// The interface of stores, which keep produced files by the SHA-256 of their content.
import type { StoredContent } from '../../../platform/component.ts';

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

/** A part of a file's content. */
export interface ContentPart {
  /** Of the whole content, in bytes. */
  readonly size: number;
  /** The first byte, from 0. */
  readonly first: number;
  /** The last byte, which is a part of it. */
  readonly last: number;
}

/** There is no such content, or it has another size than expected. */
export class ContentMissing extends Error {
  override name = 'ContentMissing';
}

/** Whether content exists and matches its hash. */
export type Soundness = 'sound' | 'missing' | 'damaged';

/** How a client is to take a file that it fetches from the store itself. */
export interface LinkedFile {
  /** In bytes. */
  readonly size: number;
  /** The values of Content-Type and Content-Disposition. */
  readonly mediaType: string;
  readonly disposition: string;
}

export interface ObjectStore {
  /** Copies a file in, hashing what is copied; atomic, however the process ends. */
  keep(file: string): Promise<Kept>;
  /** Takes over a file whose hash is known and that nobody writes any more: it is moved, or copied and removed. */
  adopt(file: string, kept: Kept): Promise<void>;
  /**
   * Reads the content and compares its hash; unchanged files that were verified before are not read again.
   */
  check(hash: ContentHash): Promise<Soundness>;
  /** The content, or a part of it. @throws ContentMissing */
  read(hash: ContentHash, part?: ContentPart): Promise<StoredContent>;
  /**
   * An address of the content for whoever has it, for a short time; absent where the store gives out none.
   * @throws ContentMissing
   */
  readonly link?: (hash: ContentHash, file: LinkedFile) => Promise<string>;
  /** A local read-only file with the content; null for a remote store. */
  localFile(hash: ContentHash): string | null;
  /** Whether it has no content at all. */
  isEmpty(): Promise<boolean>;
  /** Removes the content; does nothing if there is none. */
  remove(hash: ContentHash): Promise<void>;
}
