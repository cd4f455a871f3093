// The files that hold parts of uploads. They lie beside the store's own, so that a whole one is moved there.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../../platform/errors.ts';
import { hashContent, hashing } from '../storage/hash-stream.ts';
import type { Kept } from '../storage/object-store.ts';
import type { Part } from './upload-parts.store.ts';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

const isMissing = (fault: unknown): boolean => systemErrorCode(fault) === 'ENOENT';
const READ_BYTES = 1024 * 1024;

const lost = (cause: unknown): DomainError =>
  new DomainError(
    'not_found',
    'what was received of this upload is not on this machine: go on where it was begun, or begin it again (machines that share a bucket have to share database.data_dir, too)',
    {},
    { cause },
  );

export class UploadFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  place(file: string): string {
    return path.join(this.#directory, file);
  }

  /** A new file. */
  async create(file: string): Promise<FileHandle> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    return open(this.place(file), 'wx', 0o600);
  }

  /** @throws DomainError `not_found` where another machine has them, or nobody any more */
  async assertHere(parts: readonly Part[]): Promise<void> {
    for (const { file, length } of parts) {
      const { size } = await stat(this.place(file)).catch((fault: unknown) => {
        throw isMissing(fault) ? lost(fault) : fault;
      });
      if (size < length) throw lost(undefined);
    }
  }

  /** A file that holds at least that much, cut off behind it. @throws DomainError `not_found` */
  async append({ file, length }: Part): Promise<FileHandle> {
    const handle = await open(this.place(file), 'r+').catch((fault: unknown) => {
      throw isMissing(fault) ? lost(fault) : fault;
    });
    try {
      const { size } = await handle.stat();
      if (size < length) throw lost(undefined);
      await handle.truncate(length);
      return handle;
    } catch (fault) {
      await handle.close();
      throw fault;
    }
  }

  /** The content of the parts, one after the other. */
  content(parts: readonly Part[]): Readable {
    const pieces = async function* (place: (file: string) => string): AsyncGenerator<Buffer> {
      for (const { file, length } of parts)
        if (length > 0)
          // without an encoding it returns buffers
          yield* createReadStream(place(file), {
            end: length - 1,
            highWaterMark: READ_BYTES,
          }) as AsyncIterable<Buffer>;
    };
    return Readable.from(
      pieces((file) => this.place(file)),
      { objectMode: false, highWaterMark: READ_BYTES },
    );
  }

  /** Hash and size of the parts. @throws DomainError `not_found` */
  async hash(parts: readonly Part[]): Promise<Kept> {
    return hashContent(this.content(parts)).catch((fault: unknown) => {
      throw isMissing(fault) ? lost(fault) : fault;
    });
  }

  /** Copies the parts to one new file, which holds what is returned. @throws DomainError `not_found` */
  async join(parts: readonly Part[], file: string): Promise<Kept> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const through = hashing();
    await pipeline(
      this.content(parts),
      through,
      createWriteStream(this.place(file), { flags: 'w', mode: 0o600 }),
    ).catch((fault: unknown) => {
      throw isMissing(fault) ? lost(fault) : fault;
    });
    return through.kept();
  }

  async remove(files: readonly string[]): Promise<void> {
    for (const file of files) await rm(this.place(file), { force: true });
  }

  /** Files of any upload that nobody has written for so long, by the ids of their uploads. */
  async stale(ageMs: number): Promise<ReadonlyMap<string, readonly string[]>> {
    const names = await readdir(this.#directory).catch((fault: unknown) => {
      if (isMissing(fault)) return [];
      throw fault;
    });
    const found = new Map<string, string[]>();
    for (const name of names) {
      const is = await stat(this.place(name)).catch((fault: unknown) => {
        if (isMissing(fault)) return null;
        throw fault;
      });
      if (is === null || Date.now() - is.mtimeMs < ageMs) continue;
      const id = name.split('.')[0] ?? name;
      found.set(id, [...(found.get(id) ?? []), name]);
    }
    return found;
  }
}
