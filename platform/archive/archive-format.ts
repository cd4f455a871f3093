// The format of an instance's archive (docs/reference/archives.md#format): a tar of tables as lines of JSON, the
// content of files, and a manifest.
import { createHash, type Hash } from 'node:crypto';
import { DomainError } from '../errors.ts';

export const FORMAT = 'cairn-archive';
export const FORMAT_VERSION = 1;

export const BEGINNING = 'cairn-archive.json';
export const MANIFEST = 'manifest.json';

/** The tables, in the order of the archive. */
export const SECTIONS = [
  'schemas',
  'log',
  'states',
  'entities',
  'relationships',
  'external-ids',
  'stored-files',
  'entity-files',
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** A table's lines are in parts: the size of an entry stands before its content, so a part is put together in memory. */
export const PART_BYTES = 4 * 1024 * 1024;
/** No row is larger: a request has 10 MiB, and an event of it holds at most two states of 64 KiB, or its changes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Of the first and the last entry. */
export const MAX_DOCUMENT_BYTES = 64 * 1024;

export const partName = (section: SectionName, part: number): string =>
  `${section}/${String(part).padStart(8, '0')}.ndjson`;

const FILE_NAME = /^files\/([0-9a-f]{64})$/;
export const fileName = (hash: string): string => `files/${hash.replace('sha256:', '')}`;
/** `sha256:…` of the content that an entry of this name has; undefined for another entry. */
export function hashNamed(name: string): string | undefined {
  const hex = FILE_NAME.exec(name)?.[1];
  return hex === undefined ? undefined : `sha256:${hex}`;
}

/** The log up to which the archive goes; null for an instance without events. */
export interface Beginning {
  readonly format: typeof FORMAT;
  readonly version: typeof FORMAT_VERSION;
  readonly position: number | null;
  readonly time: string | null;
}

export interface SectionTally {
  readonly rows: number;
  readonly bytes: number;
  /** Of all its parts, one after the other. */
  readonly sha256: string;
}

export interface Manifest extends Beginning {
  readonly sections: Readonly<Record<SectionName, SectionTally>>;
  readonly files: { readonly count: number; readonly bytes: number };
}

/** Counts and hashes what a section is made of. */
export class RunningTally {
  #rows = 0;
  #bytes = 0;
  readonly #hash: Hash = createHash('sha256');

  addRows(rows: number): void {
    this.#rows += rows;
  }

  addBytes(bytes: Buffer): void {
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
  }

  /** Call it once. */
  end(): SectionTally {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

export const documentText = (document: Beginning | Manifest): string =>
  `${JSON.stringify(document, null, 1)}\n`;

/** Of the manifest's text: names the archive. */
export const archiveId = (manifest: string): string =>
  `sha256:${createHash('sha256').update(manifest).digest('hex')}`;

/** What is told of an archive that is damaged, forged or of another version. Begins with a verb. */
export const refused = (why: string, options?: ErrorOptions): DomainError =>
  new DomainError('validation_failed', `the archive ${why}`, {}, options);
