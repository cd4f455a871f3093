// A directory as one file: packed the same way each time (pack-directory.ts), so that equal directories have
// one hash, and unpacked where it can harm nothing.
import { createReadStream } from 'node:fs';
import { mkdir, open, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';
import { HeaderGuard } from '../../../platform/archive/header-guard.ts';

export const DIRECTORY_MEDIA_TYPE = 'application/x-tar';

export interface ArchiveLimits {
  /** Maximum bytes of all its files together. */
  readonly bytes: number;
  /** Maximum files, directories and links. */
  readonly entries: number;
}

/** The directory, or the archive, is refused; the message says why, and begins with a verb. */
export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused';
}

/** Errors caused by names in an archive, not by this machine. */
const NAME_FAULTS: readonly unknown[] = [
  'EEXIST',
  'ENOTDIR',
  'EISDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'EINVAL',
  'ENOENT',
  'ERR_INVALID_ARG_VALUE',
];
export const asError = (fault: unknown): Error =>
  fault instanceof Error ? fault : new Error('cannot be archived', { cause: fault });
const codeOf = (fault: unknown): unknown =>
  fault instanceof Error && 'code' in fault ? fault.code : undefined;
/** Errors of zlib and tar-stream for invalid content. */
const isBadContent = (fault: unknown): boolean =>
  fault instanceof Error &&
  !(fault instanceof TypeError) &&
  /^(?:undefined$|Z_|STREAM_)/.test(String(codeOf(fault)));
export const isBelow = (place: string, root: string): boolean =>
  place === root || place.startsWith(root + path.sep);

/** Counts what is taken, and says so when it is too much. */
export class Tally {
  readonly #limits: ArchiveLimits;
  #bytes = 0;
  #entries = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    if (++this.#entries > this.#limits.entries)
      throw new ArchiveRefused(`contains more than ${this.#limits.entries} files and directories`);
    if (this.#bytes > this.#limits.bytes)
      throw new ArchiveRefused(`contains more than ${this.#limits.bytes} bytes`);
  }
}

/** The parts of an entry's name, if it stays within; none for the directory itself. */
function partsOf(name: string): readonly string[] {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (name.startsWith('/') || parts.includes('..') || name.includes('\0'))
    throw new ArchiveRefused(
      `contains a name that leads outside of it: ${JSON.stringify(name.slice(0, 200))}`,
    );
  return parts;
}

class Unpacker {
  readonly #root: string;
  readonly #tally: Tally;
  readonly #directories = new Set<string>();
  readonly #links: { readonly place: string; readonly target: string }[] = [];

  constructor(root: string, limits: ArchiveLimits) {
    this.#root = root;
    this.#tally = new Tally(limits);
  }

  async take(
    { name, type, size = 0, mode = 0, linkname }: tar.Headers,
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    const parts = partsOf(name);
    const place = path.join(this.#root, ...parts);
    const isFile = type === 'file' || type === 'contiguous-file';
    if (!Number.isSafeInteger(size) || size < 0 || (size > 0 && !isFile))
      throw new ArchiveRefused(`contains an entry with an invalid size: ${name}`);
    if (type === 'directory' || (isFile && name.endsWith('/') && size === 0)) return this.#ensure(parts);
    if (parts.length === 0) throw new ArchiveRefused('contains a file without a name');
    await this.#ensure(parts.slice(0, -1));
    if (isFile) {
      this.#tally.add(size);
      return writeFile(place, content, { flag: 'wx', mode: (mode & 0o111) === 0 ? 0o644 : 0o755 });
    }
    if (type !== 'symlink')
      throw new ArchiveRefused(
        `contains an entry that is not a file, directory or symbolic link: ${name} (${String(type)})`,
      );
    this.#tally.add(0);
    const target = linkname ?? '';
    if (
      target === '' ||
      target.includes('\0') ||
      path.isAbsolute(target) ||
      !isBelow(path.resolve(path.dirname(place), target), this.#root)
    )
      throw new ArchiveRefused(`contains a link that leads outside of it: ${name}`);
    this.#links.push({ place, target });
  }

  /** Creates directories one by one, each counted: none of them is a link, because links are created last. */
  async #ensure(parts: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= parts.length; depth++) {
      const place = path.join(this.#root, ...parts.slice(0, depth));
      if (this.#directories.has(place)) continue;
      this.#tally.add(0);
      await mkdir(place);
      this.#directories.add(place);
    }
  }

  /**
   * Creates links after everything else; one may lead through another, so their final targets are checked.
   */
  async link(): Promise<void> {
    for (const { place, target } of this.#links) await symlink(target, place);
    for (const { place } of this.#links) {
      const end = await realpath(place).catch(() => null); // dangling or circular
      if (end === null || !isBelow(end, this.#root))
        throw new ArchiveRefused(
          `contains a link that is broken or leads outside of it: ${path.relative(this.#root, place)}`,
        );
    }
  }
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    if (buffer[0] === 0x1f && buffer[1] === 0x8b) return true;
    if (bytesRead < 512) throw new ArchiveRefused('is not a tar archive');
    return false;
  } finally {
    await handle.close();
  }
}

/**
 * Unpacks a tar archive, gzipped or not, into a new directory. Refuses entries that lead outside, that are
 * not files, directories or symbolic links, or that exceed the limits; owners, times and special permissions
 * are ignored.
 * @throws ArchiveRefused
 */
export async function unpackDirectory(
  file: string,
  directory: string,
  limits: ArchiveLimits,
  stop: AbortSignal,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const unpacker = new Unpacker(await realpath(directory), limits);
  const [zipped, extract] = [await isGzip(file), tar.extract()];
  const guard = new HeaderGuard((message) => new ArchiveRefused(message));
  const faults: Error[] = [];
  const taken = (async () => {
    for await (const entry of extract) {
      await unpacker.take(entry.header, guard.counted(entry));
      entry.resume();
    }
    await unpacker.link();
  })().catch((found: unknown) => {
    faults.push(asError(found));
    extract.destroy();
  });
  const source = createReadStream(file);
  const [flowed] = await Promise.allSettled([
    zipped
      ? pipeline(source, createGunzip(), guard.stream, extract, { signal: stop })
      : pipeline(source, guard.stream, extract, { signal: stop }),
    taken,
  ]);
  stop.throwIfAborted();
  const broken = flowed.status === 'rejected' ? asError(flowed.reason) : undefined;
  const reason = broken instanceof ArchiveRefused ? broken : (faults[0] ?? broken);
  if (reason === undefined) return;
  if (reason instanceof ArchiveRefused) throw reason;
  if (NAME_FAULTS.includes(codeOf(reason)))
    throw new ArchiveRefused(`contains conflicting names (${String(codeOf(reason))})`, {
      cause: reason,
    });
  if (isBadContent(reason))
    throw new ArchiveRefused('is not a tar archive, or is damaged', { cause: reason });
  // oxlint-disable-next-line typescript/only-throw-error -- an Error, which the checks above narrow to nothing
  throw reason;
}
