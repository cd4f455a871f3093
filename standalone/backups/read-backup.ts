// Reads a backup, and holds it against its manifest: to restore it, or to see whether it could be.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { hashedContent } from '../../platform/archive/hashed-content.ts';
import type { DomainError } from '../../platform/errors.ts';
import {
  BACKUP_BEGINNING,
  type BackupBeginning,
  backupDocumentText,
  FILE_LIST,
  fileLine,
  type BackupManifest,
  BACKUP_MANIFEST,
  MAX_BACKUP_DOCUMENT_BYTES,
  MAX_PART_BYTES,
  backupPartName,
  readBeginning,
  readManifest,
  refusedBackup,
  type Section,
} from './backup-format.ts';
import type { BackupEntry, BackupSource } from './target.ts';

const unpacked = promisify(gunzip);

/** Takes what a backup holds. */
export interface BackupSink {
  begin(beginning: BackupBeginning): Promise<void>;
  /** Some of a table's rows, in the text format of COPY. */
  rows(table: string, content: Buffer, columns: readonly string[]): Promise<void>;
  /** Ends a table; returns how many rows it had, or null where nobody counts. */
  endTable(table: string): Promise<number | null>;
  /** @param content fails at its end where it is not what its hash says */
  file(hash: string, content: AsyncIterable<Buffer>): Promise<void>;
}

const PART = /^tables\/([a-z_]+(?:\.[a-z0-9_]+)?)\/(\d{8})\.gz$/;
const FILE = /^files\/([0-9a-f]{64})$/;

async function bytesOf(content: Readable, most: number, what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // a stream of bytes
  for await (const chunk of content as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw refusedBackup(`has an entry that is too large: ${what}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Counts the rows of the list, and of tables that nobody stores: each ends with a line break. */
const linesIn = (content: Buffer): number => {
  let lines = 0;
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) lines++;
  return lines;
};

class BackupReader {
  readonly #sink: BackupSink;
  readonly #sections: Section[] = [];
  readonly #listHash = createHash('sha256');
  #beginning: BackupBeginning | undefined;
  #open: { name: string; parts: Section['parts']; lines: number } | undefined;
  #next = 0;
  #files = 0;
  #fileBytes = 0;
  #manifest: BackupManifest | undefined;

  constructor(sink: BackupSink) {
    this.#sink = sink;
  }

  get manifest(): BackupManifest {
    if (this.#manifest === undefined) throw refusedBackup('is cut off: it has no manifest');
    return this.#manifest;
  }

  async entry({ name, content }: BackupEntry): Promise<void> {
    if (this.#manifest !== undefined) throw refusedBackup('goes on after its manifest');
    if (this.#beginning === undefined) return this.#begin(name, content);
    const [, hex] = FILE.exec(name) ?? [];
    if (hex !== undefined) return this.#file(this.#beginning, `sha256:${hex}`, content);
    if (name === BACKUP_MANIFEST) return this.#end(this.#beginning, content);
    return this.#part(this.#beginning, name, content);
  }

  async #begin(name: string, content: Readable): Promise<void> {
    if (name !== BACKUP_BEGINNING)
      throw refusedBackup(`is not one of Cairn: it begins with ${JSON.stringify(name.slice(0, 200))}`);
    this.#beginning = readBeginning((await bytesOf(content, MAX_BACKUP_DOCUMENT_BYTES, name)).toString());
    await this.#sink.begin(this.#beginning);
  }

  async #part(beginning: BackupBeginning, name: string, content: Readable): Promise<void> {
    const [, section = ''] = PART.exec(name) ?? [];
    if (this.#open?.name !== section) await this.#openSection(beginning, section, name);
    const open = this.#open;
    if (open === undefined || this.#files > 0 || name !== backupPartName(section, open.parts.length + 1))
      throw refusedBackup(`has an entry that does not belong there: ${JSON.stringify(name.slice(0, 200))}`);
    const bytes = await bytesOf(content, MAX_PART_BYTES, name);
    open.parts.push({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
    const rows = await unpacked(bytes, { maxOutputLength: MAX_PART_BYTES }).catch((cause: unknown) => {
      throw refusedBackup(`is damaged: ${name} cannot be unpacked`, { cause });
    });
    open.lines += linesIn(rows);
    const table = beginning.tables.find(({ name: known }) => known === section);
    if (table !== undefined) await this.#sink.rows(section, rows, table.columns);
  }

  /** Goes on to a section; those before it that had no part are empty. */
  async #openSection(beginning: BackupBeginning, section: string, name: string): Promise<void> {
    const order = [...beginning.tables.map((table) => table.name), FILE_LIST];
    const at = order.indexOf(section);
    if (at < this.#next || at === -1)
      throw refusedBackup(`has an entry that does not belong there: ${JSON.stringify(name.slice(0, 200))}`);
    await this.#closeSections(order, at);
    this.#open = { name: section, parts: [], lines: 0 };
    this.#next = at + 1;
  }

  async #closeSections(order: readonly string[], upTo: number): Promise<void> {
    if (this.#open !== undefined) {
      const { name, parts, lines } = this.#open;
      const stored = name === FILE_LIST ? null : await this.#sink.endTable(name);
      this.#sections.push({ name, rows: stored ?? lines, parts });
      this.#open = undefined;
    }
    for (const name of order.slice(this.#next, upTo)) this.#sections.push({ name, rows: 0, parts: [] });
    this.#next = Math.max(this.#next, upTo);
  }

  async #closeAll({ tables }: BackupBeginning): Promise<void> {
    const order = [...tables.map(({ name }) => name), FILE_LIST];
    await this.#closeSections(order, order.length);
  }

  async #file(beginning: BackupBeginning, hash: string, content: Readable): Promise<void> {
    await this.#closeAll(beginning);
    let size = 0;
    const counted = async function* (): AsyncGenerator<Buffer, void, undefined> {
      // a stream of bytes
      for await (const chunk of content as AsyncIterable<Buffer>) {
        size += chunk.length;
        yield chunk;
      }
    };
    const otherHash = (): DomainError => refusedBackup(`is damaged: the content of ${hash} has another hash`);
    await this.#sink.file(hash, hashedContent(counted(), hash, otherHash));
    this.#files++;
    this.#fileBytes += size;
    this.#listHash.update(fileLine({ hash, size }));
  }

  async #end(beginning: BackupBeginning, content: Readable): Promise<void> {
    await this.#closeAll(beginning);
    const told = readManifest(
      (await bytesOf(content, MAX_BACKUP_DOCUMENT_BYTES, BACKUP_MANIFEST)).toString(),
    );
    const files = { count: this.#files, bytes: this.#fileBytes, sha256: this.#listHash.digest('hex') };
    const found: BackupManifest = { ...told, ...beginning, sections: this.#sections, files };
    for (const section of this.#sections) {
      const named = told.sections.find(({ name }) => name === section.name);
      if (JSON.stringify(named) !== JSON.stringify(section))
        throw refusedBackup(`is damaged: ${section.name} is not what the manifest says`);
    }
    if (JSON.stringify(told.files) !== JSON.stringify(files))
      throw refusedBackup('is damaged: its files are not those that the manifest says');
    if (backupDocumentText(told) !== backupDocumentText(found))
      throw refusedBackup('is damaged: its beginning is not what the manifest says');
    const listed = this.#sections.find(({ name }) => name === FILE_LIST)?.rows ?? 0;
    if (listed !== files.count + told.lost.length)
      throw refusedBackup(`is damaged: it lists ${listed} files and has ${files.count}`);
    this.#manifest = found;
  }
}

/**
 * Tells the sink what the backup holds, and resolves when all has been found as the manifest says: until then, what was
 * told may be damaged.
 * @throws DomainError `validation_failed`; what the sink throws
 */
export async function readBackup(source: BackupSource, sink: BackupSink): Promise<BackupManifest> {
  const reader = new BackupReader(sink);
  try {
    for await (const entry of source.entries()) await reader.entry(entry);
  } catch (fault) {
    // what tar and age say of bytes that are not theirs: plain errors without a code
    if (!(fault instanceof Error) || Object.getPrototypeOf(fault) !== Error.prototype || 'code' in fault)
      throw fault;
    throw refusedBackup('is cut off or damaged', { cause: fault });
  }
  return reader.manifest;
}
