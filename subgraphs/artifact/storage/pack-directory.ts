// Packs a directory into one file, the same way each time.
import { constants, createWriteStream } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import { type ArchiveLimits, ArchiveRefused, Tally, asError, isBelow } from './directory-archive.ts';

/** Nothing of who made it when: only names, content, and what can be executed. */
const header = (name: string, more: Omit<tar.Headers, 'name'>): tar.Headers => ({
  mtime: new Date(0),
  uid: 0,
  gid: 0,
  ...more,
  name,
});

class Packer {
  readonly pack = tar.pack();
  readonly #root: string;
  readonly #tally: Tally;

  constructor(root: string, limits: ArchiveLimits) {
    this.#root = root;
    this.#tally = new Tally(limits);
  }

  async add(directory: string): Promise<void> {
    for (const name of (await readdir(directory)).sort((a, b) => (a < b ? -1 : 1))) {
      if (name.includes('\uFFFD'))
        throw new ArchiveRefused(`contains a file whose name is not UTF-8: ${name}`);
      const place = path.join(directory, name);
      const at = path.relative(this.#root, place);
      const found = await lstat(place);
      this.#tally.add(found.isFile() ? found.size : 0);
      if (found.isDirectory()) {
        await this.#entry(header(`${at}/`, { type: 'directory', mode: 0o755 }));
        await this.add(place);
      } else if (found.isSymbolicLink())
        await this.#entry(
          header(at, { type: 'symlink', mode: 0o777, linkname: await this.#target(place, at) }),
        );
      else if (found.isFile()) await this.#file(place, at);
      else throw new ArchiveRefused(`contains an entry that is neither a file nor a directory: ${at}`);
    }
  }

  #entry(of: tar.Headers): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pack.entry(of, (fault) => {
        if (fault) reject(fault);
        else resolve();
      });
    });
  }

  /** Where a link leads, as seen from it: always within. */
  async #target(place: string, at: string): Promise<string> {
    const target = await realpath(place).catch(() => null); // a link that leads nowhere, or round and round
    if (target === null || !isBelow(target, this.#root))
      throw new ArchiveRefused(`contains a link that is broken or leads outside of it: ${at}`);
    return path.relative(path.dirname(place), target) || '.';
  }

  async #file(place: string, at: string): Promise<void> {
    const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size, mode } = await handle.stat();
      const entry = this.pack.entry(
        header(at, { type: 'file', size, mode: (mode & 0o111) === 0 ? 0o644 : 0o755 }),
      );
      await pipeline(size === 0 ? [] : handle.createReadStream({ autoClose: false, end: size - 1 }), entry);
    } finally {
      await handle.close();
    }
  }
}

/**
 * Packs what is in a directory into a new file. Links within stay links; what leads out, leads nowhere or is
 * no file is refused.
 * @throws ArchiveRefused
 */
export async function packDirectory(
  directory: string,
  file: string,
  limits: ArchiveLimits,
  stop: AbortSignal,
): Promise<void> {
  const root = await realpath(directory);
  const packer = new Packer(root, limits);
  const { pack } = packer;
  const faults: Error[] = [];
  const added = packer.add(root).then(
    () => {
      pack.finalize();
    },
    (found: unknown) => {
      faults.push(asError(found));
      pack.destroy(new Error('cannot be packed'));
    },
  );
  const [written] = await Promise.allSettled([
    pipeline(pack, createWriteStream(file, { flags: 'wx' }), { signal: stop }),
    added,
  ]);
  stop.throwIfAborted();
  const [fault] = [...faults, ...(written.status === 'rejected' ? [asError(written.reason)] : [])];
  if (fault !== undefined) throw fault;
}
