// Writes an archive, a part of a table in memory at a time.
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import { DomainError } from '../errors.ts';
import {
  archiveId,
  BEGINNING,
  type Beginning,
  documentText,
  fileName,
  MANIFEST,
  type Manifest,
  PART_BYTES,
  partName,
  RunningTally,
  type SectionName,
  type SectionTally,
} from './archive-format.ts';
import { hashedContent } from './hashed-content.ts';

export interface ArchivedFile {
  /** `sha256:…` */
  readonly hash: string;
  readonly size: number;
}

/** What an archive is made from; each is read when the one before it has been written. */
export interface ArchiveSource {
  readonly beginning: Beginning;
  /** In the order of {@link SECTIONS}; each line is JSON without a line break. */
  readonly sections: readonly {
    readonly name: SectionName;
    readonly batches: AsyncIterable<readonly string[]>;
  }[];
  /** In the order of their hashes. */
  readonly files: AsyncIterable<ArchivedFile>;
  content(file: ArchivedFile): Promise<Readable>;
}

export interface Archived {
  readonly id: string;
  readonly manifest: Manifest;
}

/** The same content makes the same bytes. */
const header = (name: string, size: number): tar.Headers => ({
  name,
  size,
  type: 'file',
  mode: 0o644,
  mtime: new Date(0),
  uid: 0,
  gid: 0,
});

class ArchiveWriter {
  readonly pack = tar.pack();

  /** Resolves when the reader has taken it. */
  entry(name: string, content: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pack
        .entry(header(name, content.length), (fault) => {
          if (fault) reject(fault);
          else resolve();
        })
        .end(content);
    });
  }

  async section(name: SectionName, batches: AsyncIterable<readonly string[]>): Promise<SectionTally> {
    const tally = new RunningTally();
    let part = 0;
    let waiting: string[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      if (waiting.length === 0) return;
      const content = Buffer.from(`${waiting.join('\n')}\n`);
      tally.addRows(waiting.length);
      tally.addBytes(content);
      [waiting, bytes] = [[], 0];
      await this.entry(partName(name, ++part), content);
    };
    for await (const lines of batches) {
      for (const line of lines) {
        if (line.includes('\n')) throw new Error(`a row of ${name} has a line break`);
        waiting.push(line);
        bytes += line.length + 1;
        if (bytes >= PART_BYTES) await flush();
      }
    }
    await flush();
    return tally.end();
  }

  /** @throws Error where the content is not what its hash says */
  async file({ hash, size }: ArchivedFile, content: Readable): Promise<void> {
    const otherHash = (): DomainError =>
      new DomainError(
        'checksum_mismatch',
        `the stored file ${hash} is damaged: its content has another hash`,
      );
    await pipeline(
      content,
      (chunks: AsyncIterable<Buffer>) => hashedContent(chunks, hash, otherHash),
      this.pack.entry(header(fileName(hash), size)),
    );
  }
}

async function write(writer: ArchiveWriter, source: ArchiveSource): Promise<Archived> {
  const { beginning } = source;
  await writer.entry(BEGINNING, Buffer.from(documentText(beginning)));
  const sections: [SectionName, SectionTally][] = [];
  for (const { name, batches } of source.sections) sections.push([name, await writer.section(name, batches)]);
  let [count, bytes] = [0, 0];
  for await (const file of source.files) {
    await writer.file(file, await source.content(file));
    count++;
    bytes += file.size;
  }
  const manifest: Manifest = {
    ...beginning,
    // all of them: `sections` of the source has each
    sections: Object.fromEntries(sections) as Record<SectionName, SectionTally>,
    files: { count, bytes },
  };
  const text = documentText(manifest);
  await writer.entry(MANIFEST, Buffer.from(text));
  writer.pack.finalize();
  return { id: archiveId(text), manifest };
}

/** Writes it at the pace of `output`, which is ended. */
export async function writeArchive(source: ArchiveSource, output: Writable): Promise<Archived> {
  const writer = new ArchiveWriter();
  const writing = write(writer, source).catch((fault: unknown) => {
    writer.pack.destroy(fault instanceof Error ? fault : new Error(String(fault)));
    throw fault;
  });
  const [written, flowed] = await Promise.allSettled([writing, pipeline(writer.pack, output)]);
  if (written.status === 'rejected') throw written.reason;
  if (flowed.status === 'rejected') throw flowed.reason;
  return written.value;
}
