// Reads the files that tools' errors are redirected to (CWL's `stderr`) while they exist: cwltool removes
// them when a run fails, which is when they are needed.
import { constants, type FSWatcher, watch } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** cwltool's log line at the end of a tool's command. */
const REDIRECTED = / 2> (\/\S+)$/gm;
const MAX_FILES = 8;
const MAX_BYTES = 16 * 1024;
const LOOK_MS = 25;

/** Notifies of changes in a directory, if the system supports it. */
class Changes {
  readonly #watcher: FSWatcher | null;
  #tell = (): void => undefined;

  constructor(directory: string) {
    this.#watcher = watching(directory);
    this.#watcher?.on('change', () => this.#tell()).on('error', () => this.end());
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  end(): void {
    this.#watcher?.close();
  }
}

function watching(directory: string): FSWatcher | null {
  try {
    return watch(directory, { persistent: false });
  } catch {
    return null; // the directory is gone, or there are too many watches: then it is polled
  }
}

export class RedirectedErrors {
  readonly #root: string;
  readonly #held: FileHandle[] = [];
  readonly #known = new Set<string>();
  readonly #ended = new AbortController();
  readonly #opening = new Set<Promise<void>>();

  /** @param root the run's directory: nothing outside of it is read, whatever links a tool makes */
  constructor(root: string) {
    this.#root = root;
  }

  /** Receives the log, whenever it has grown. */
  note(log: string): void {
    for (const [, place = ''] of log.slice(-MAX_BYTES).matchAll(REDIRECTED)) {
      if (this.#known.has(place) || this.#ended.signal.aborted || !place.startsWith(this.#root + path.sep))
        continue;
      this.#known.add(place);
      const opening = this.#open(place).finally(() => {
        this.#opening.delete(opening);
      });
      this.#opening.add(opening);
    }
  }

  /** Opens the file as soon as it exists: a tool that fails at once leaves it for some milliseconds only. */
  async #open(place: string): Promise<void> {
    const changes = new Changes(path.dirname(place));
    try {
      while (!this.#ended.signal.aborted) {
        const changed = changes.next(); // before checking, so that no change is missed
        const handle = await open(
          place,
          constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
        ).catch(() => null); // does not exist yet
        if (handle !== null) return await this.#keep(handle);
        await Promise.race([changed, sleep(LOOK_MS, undefined, { ref: false })]);
      }
    } finally {
      changes.end();
    }
  }

  async #keep(handle: FileHandle): Promise<void> {
    const [found, real, root] = await Promise.all([
      handle.stat(),
      readlink(`/proc/self/fd/${handle.fd}`).catch(() => ''),
      realpath(this.#root),
    ]);
    if (!found.isFile() || !real.startsWith(root + path.sep)) return handle.close();
    this.#held.push(handle);
    if (this.#held.length > MAX_FILES) await this.#held.shift()?.close();
  }

  /** The end of what was written last; releases the files. */
  async end(): Promise<string> {
    this.#ended.abort();
    await Promise.all(this.#opening);
    const texts: string[] = [];
    for (const handle of this.#held) {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(Math.min(size, MAX_BYTES)),
        0,
        Math.min(size, MAX_BYTES),
        Math.max(0, size - MAX_BYTES),
      );
      texts.push(
        buffer.subarray(0, bytesRead).toString('utf8').replaceAll('\u0000', '\uFFFD').toWellFormed(),
      );
      await handle.close();
    }
    return texts.findLast((text) => text.trim() !== '') ?? '';
  }
}
