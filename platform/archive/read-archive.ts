// Reads an archive strictly in the order in which it is written: an entry that does not belong there, a line that is
// too long, a hash or a count that is not right refuses all of it. Nothing is done with the names of entries but to
// compare them.
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import { DomainError } from '../errors.ts';
import {
  archiveId,
  BEGINNING,
  type Beginning,
  documentText,
  FORMAT,
  FORMAT_VERSION,
  hashNamed,
  MANIFEST,
  type Manifest,
  MAX_DOCUMENT_BYTES,
  MAX_LINE_BYTES,
  partName,
  refused,
  RunningTally,
  SECTIONS,
  type SectionName,
} from './archive-format.ts';
import type { Archived, ArchivedFile } from './write-archive.ts';
import { hashedContent } from './hashed-content.ts';
import { HeaderGuard } from './header-guard.ts';

/** Takes what an archive holds, in its order. What is thrown ends the reading. */
export interface ArchiveSink {
  /** Lines of a table, a batch at a time. Of a table without rows nothing is told. */
  rows(section: SectionName, lines: readonly string[]): Promise<void>;
  /** The content fails at its end where its hash is another. */
  file(file: ArchivedFile, content: AsyncIterable<Buffer>): Promise<void>;
}

/** Bytes of lines that are told at once. */
const BATCH_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

const parsed = (text: string, name: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>; // of unknown members
  } catch (cause) {
    throw refused(`is damaged: ${name} is not JSON`, { cause });
  }
  throw refused(`is damaged: ${name} is not an object`);
};

async function textOf(name: string, content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > MAX_DOCUMENT_BYTES) throw refused(`is damaged: ${name} is too long`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const isPosition = (value: unknown): value is number | null =>
  value === null || (Number.isSafeInteger(value) && Number(value) > 0);

function beginningOf(text: string): Beginning {
  const { format, version, position, time } = parsed(text, BEGINNING);
  if (format !== FORMAT) throw refused('is not one of Cairn');
  if (version !== FORMAT_VERSION)
    throw refused(
      `has version ${JSON.stringify(version)} of the format; this version of Cairn reads ${FORMAT_VERSION}`,
    );
  if (
    !isPosition(position) ||
    (time !== null && typeof time !== 'string') ||
    (position === null) !== (time === null)
  )
    throw refused(`is damaged: ${BEGINNING} does not name a place in the log`);
  return { format, version, position, time };
}

/** Splits the parts of one table into lines. */
class Lines {
  readonly #section: SectionName;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(section: SectionName) {
    this.#section = section;
  }

  take(chunk: Buffer): string[] {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#keep(chunk);
      return [];
    }
    const lines = Buffer.concat([...this.#rest, chunk.subarray(0, end)])
      .toString('utf8')
      .split('\n');
    [this.#rest, this.#restBytes] = [[], 0];
    if (end + 1 < chunk.length) this.#keep(chunk.subarray(end + 1));
    return lines;
  }

  /** Each part ends with a line's end. */
  end(name: string): void {
    if (this.#restBytes > 0) throw refused(`is damaged: ${name} ends within a line`);
  }

  #keep(chunk: Buffer): void {
    this.#restBytes += chunk.length;
    if (this.#restBytes > MAX_LINE_BYTES)
      throw refused(`has a line of more than ${MAX_LINE_BYTES} bytes in ${this.#section}`);
    this.#rest.push(chunk);
  }
}

class ArchiveReader {
  readonly #sink: ArchiveSink;
  readonly #tallies = new Map(SECTIONS.map((name) => [name, new RunningTally()]));
  #beginning: Beginning | undefined;
  #section = 0;
  #part = 0;
  #lastFile = '';
  #files = 0;
  #fileBytes = 0;
  #done: Archived | undefined;

  constructor(sink: ArchiveSink) {
    this.#sink = sink;
  }

  async entry({ name, type, size = 0 }: tar.Headers, content: AsyncIterable<Buffer>): Promise<void> {
    if (this.#done !== undefined) throw refused(`goes on after its manifest: ${shown(name)}`);
    if (type !== 'file' || !Number.isSafeInteger(size) || size < 0)
      throw refused(`has an entry that is not a file: ${shown(name)}`);
    if (this.#beginning === undefined) return this.#begin(name, content);
    const hash = hashNamed(name);
    if (hash !== undefined) return this.#file({ hash, size }, content);
    if (name === MANIFEST) return this.#end(this.#beginning, content);
    return this.#lines(name, content);
  }

  /** @throws DomainError where the manifest is missing */
  get archived(): Archived {
    if (this.#done === undefined)
      throw this.#beginning === undefined
        ? refused('is empty, or is not a tar archive')
        : refused('is cut off: it has no manifest');
    return this.#done;
  }

  async #begin(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    if (name !== BEGINNING) throw refused(`is not one of Cairn: it begins with ${shown(name)}`);
    this.#beginning = beginningOf(await textOf(name, content));
  }

  async #lines(name: string, content: AsyncIterable<Buffer>): Promise<void> {
    const section = this.#sectionOf(name);
    const tally = this.#tallies.get(section) ?? new RunningTally();
    const lines = new Lines(section);
    let batch: string[] = [];
    let bytes = 0;
    const tell = async (): Promise<void> => {
      if (batch.length === 0) return;
      tally.addRows(batch.length);
      const told = batch;
      [batch, bytes] = [[], 0];
      await this.#sink.rows(section, told);
    };
    for await (const chunk of content) {
      tally.addBytes(chunk);
      for (const line of lines.take(chunk)) {
        batch.push(line);
        bytes += line.length;
      }
      if (bytes >= BATCH_BYTES) await tell();
    }
    lines.end(name);
    await tell();
  }

  /** The next part of the same table, or the first of a later one. */
  #sectionOf(name: string): SectionName {
    const at = SECTIONS.findIndex((section) => name.startsWith(`${section}/`));
    const section = SECTIONS[at];
    const part = at === this.#section ? this.#part + 1 : 1;
    if (
      section === undefined ||
      this.#lastFile !== '' ||
      at < this.#section ||
      name !== partName(section, part)
    )
      throw refused(`has an entry that does not belong there: ${shown(name)}`);
    [this.#section, this.#part] = [at, part];
    return section;
  }

  async #file(file: ArchivedFile, content: AsyncIterable<Buffer>): Promise<void> {
    if (file.hash <= this.#lastFile) throw refused(`has files that are not in the order of their hashes`);
    this.#lastFile = file.hash;
    this.#files++;
    this.#fileBytes += file.size;
    const otherHash = (): DomainError => refused(`is damaged: the content of ${file.hash} has another hash`);
    await this.#sink.file(file, hashedContent(content, file.hash, otherHash));
  }

  async #end(beginning: Beginning, content: AsyncIterable<Buffer>): Promise<void> {
    const text = await textOf(MANIFEST, content);
    const manifest: Manifest = {
      ...beginning,
      sections: Object.fromEntries(
        [...this.#tallies].map(([name, tally]) => [name, tally.end()]),
      ) as Manifest['sections'], // it has them all
      files: { count: this.#files, bytes: this.#fileBytes },
    };
    if (text !== documentText(manifest)) throw differing(parsed(text, MANIFEST), manifest);
    this.#done = { id: archiveId(text), manifest };
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 200));

/** What the manifest says, against what was read. */
function differing(told: Readonly<Record<string, unknown>>, found: Manifest): DomainError {
  const sections = (typeof told['sections'] === 'object' ? told['sections'] : null) as Record<
    string,
    unknown
  > | null;
  const section = SECTIONS.find(
    (name) => JSON.stringify(sections?.[name]) !== JSON.stringify(found.sections[name]),
  );
  const where =
    section ?? (JSON.stringify(told['files']) === JSON.stringify(found.files) ? MANIFEST : 'files');
  return refused(`is damaged: ${where} is not what the manifest says`);
}

/**
 * Tells the sink what the archive holds, and resolves when its manifest has been found right: until then, what was
 * told may be damaged.
 * @throws DomainError `validation_failed` for what is not a whole archive of this version; what the sink throws
 */
export async function readArchive(input: Readable, sink: ArchiveSink): Promise<Archived> {
  const reader = new ArchiveReader(sink);
  const extract = tar.extract();
  const guard = new HeaderGuard((message) => refused(message));
  const taking = (async () => {
    for await (const entry of extract) {
      await reader.entry(entry.header, guard.counted(entry));
      entry.resume();
    }
  })().catch((fault: unknown) => {
    extract.destroy();
    throw fault;
  });
  const [taken, flowed] = await Promise.allSettled([taking, pipeline(input, guard.stream, extract)]);
  const faults = [taken, flowed].flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  // who takes it may have failed, and then so does the stream; a stream that fails is told to who takes it
  const [fault] = [
    ...faults.filter((one) => one instanceof DomainError),
    ...faults.filter((one) => !isBadTar(one)),
    ...faults,
  ];
  if (fault === undefined) return reader.archived;
  if (fault instanceof Error && !isBadTar(fault)) throw fault;
  throw refused('is cut off, or is not a tar archive', { cause: fault });
}

/** What tar-stream says of bytes that are no archive: plain errors without a code, or of streams that have ended early. */
const isBadTar = (fault: unknown): boolean =>
  fault instanceof Error &&
  ('code' in fault
    ? /^(?:STREAM_|ERR_STREAM_)/.test(String(fault.code))
    : Object.getPrototypeOf(fault) === Error.prototype);
