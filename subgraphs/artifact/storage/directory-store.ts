// Stores content in a local or shared directory: the default.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { StoredContent } from '../../../platform/component.ts';
import { hashFile, hashing } from './hash-stream.ts';
import {
  type ContentHash,
  ContentMissing,
  type ContentPart,
  type Kept,
  objectKey,
  type ObjectStore,
  type Soundness,
} from './object-store.ts';
import { BLOCK_BYTES, writeBlocks } from './write-blocks.ts';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

const isMissing = (fault: unknown): boolean => systemErrorCode(fault) === 'ENOENT';

/** Age at which a partially written file counts as abandoned. */
const STALE_MS = 24 * 3600 * 1000;

async function sync(place: string): Promise<void> {
  const handle = await open(place, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export class DirectoryStore implements ObjectStore {
  readonly #root: string;
  /** Size and times of verified files. */
  readonly #sound = new LRUCache<ContentHash, string>({ max: 10_000 });

  constructor(root: string) {
    this.#root = root;
  }

  /** Removes partially written files of killed processes. */
  async tidy(): Promise<void> {
    const directory = path.join(this.#root, 'incoming');
    const names = await readdir(directory).catch((fault: unknown) => {
      if (isMissing(fault)) return [];
      throw fault;
    });
    for (const name of names) {
      const file = path.join(directory, name);
      const found = await stat(file).catch((fault: unknown) => {
        if (isMissing(fault)) return null;
        throw fault;
      });
      if (found && Date.now() - found.mtimeMs > STALE_MS) await rm(file, { force: true });
    }
  }

  async keep(file: string): Promise<Kept> {
    const incoming = path.join(this.#root, 'incoming', randomUUID());
    await mkdir(path.dirname(incoming), { recursive: true, mode: 0o700 });
    try {
      const through = hashing();
      await pipeline(
        createReadStream(file),
        through,
        createWriteStream(incoming, { flags: 'wx', mode: 0o400 }),
      );
      const kept = through.kept();
      await sync(incoming);
      const place = this.#place(kept.hash);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      if ((await this.check(kept.hash)) === 'sound') return kept;
      await rename(incoming, place);
      await sync(path.dirname(place));
      return kept;
    } finally {
      await rm(incoming, { force: true });
    }
  }

  async adopt(file: string, { hash }: Kept): Promise<void> {
    if ((await this.check(hash)) !== 'sound') {
      const place = this.#place(hash);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      await chmod(file, 0o400);
      await sync(file);
      await rename(file, place);
      await sync(path.dirname(place));
    }
    await rm(file, { force: true });
  }

  async check(hash: ContentHash): Promise<Soundness> {
    const place = this.#place(hash);
    try {
      const { size, mtimeMs, ctimeMs, ino } = await stat(place);
      const mark = [size, mtimeMs, ctimeMs, ino].join();
      if (this.#sound.get(hash) === mark) return 'sound';
      if ((await hashFile(place)).hash !== hash) return 'damaged';
      this.#sound.set(hash, mark);
      return 'sound';
    } catch (fault) {
      if (isMissing(fault)) return 'missing';
      throw fault;
    }
  }

  async read(hash: ContentHash, part?: ContentPart): Promise<StoredContent> {
    const handle = await open(this.#place(hash), 'r').catch((cause: unknown) => {
      throw isMissing(cause) ? new ContentMissing(`${hash} is not there`, { cause }) : cause;
    });
    if (part === undefined) return handle.createReadStream();
    const { size } = await handle.stat();
    if (size !== part.size) {
      await handle.close();
      throw new ContentMissing(`${hash} has ${size} bytes instead of ${part.size}`);
    }
    const content = handle.createReadStream({
      start: part.first,
      end: part.last,
      highWaterMark: BLOCK_BYTES,
    });
    const writeTo = async (answer: Writable): Promise<void> => {
      try {
        await writeBlocks(handle, part, answer);
      } finally {
        content.destroy(); // which closes the file
      }
    };
    return Object.assign(content, { writeTo });
  }

  localFile(hash: ContentHash): string {
    return this.#place(hash);
  }

  async isEmpty(): Promise<boolean> {
    const names = await readdir(path.join(this.#root, 'sha256'), {
      recursive: true,
      withFileTypes: true,
    }).catch((fault: unknown) => {
      if (isMissing(fault)) return [];
      throw fault;
    });
    return !names.some((entry) => entry.isFile());
  }

  async remove(hash: ContentHash): Promise<void> {
    this.#sound.delete(hash);
    await rm(this.#place(hash), { force: true });
  }

  #place(hash: ContentHash): string {
    return path.join(this.#root, 'sha256', ...objectKey(hash).split('/'));
  }
}
