// Stores content in a local or shared directory: the default.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LRUCache } from 'lru-cache';
import { hashFile, hashing } from './hash-stream.ts';
import {
  type ContentHash,
  type Kept,
  objectKey,
  type ObjectStore,
  readHash,
  type Soundness,
} from './object-store.ts';

const isMissing = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && fault.code === 'ENOENT';

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

  async read(hash: ContentHash): Promise<ReturnType<typeof createReadStream>> {
    const handle = await open(this.#place(hash), 'r');
    return handle.createReadStream();
  }

  localFile(hash: ContentHash): string {
    return this.#place(hash);
  }

  async remove(hash: ContentHash): Promise<void> {
    this.#sound.delete(hash);
    await rm(this.#place(hash), { force: true });
  }

  uriOf(hash: ContentHash): string {
    return pathToFileURL(this.#place(hash)).href;
  }

  hashOf(uri: string): ContentHash | null {
    if (!uri.startsWith('file:') || !URL.canParse(uri) || new URL(uri).host !== '') return null;
    try {
      const place = fileURLToPath(uri);
      const hash = readHash(path.basename(place));
      return hash !== null && this.#place(hash) === place ? hash : null;
    } catch (fault) {
      // an invalid path
      if (fault instanceof TypeError || fault instanceof URIError) return null;
      throw fault;
    }
  }

  #place(hash: ContentHash): string {
    return path.join(this.#root, 'sha256', ...objectKey(hash).split('/'));
  }
}
