// Backups in a directory, for its owner alone.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../../platform/sync-folder.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';
import { BlobMissing, type Blobs } from './blobs.ts';

/** Where content is until it is whole. */
const INCOMING = 'incoming';
/** What is older than this was left by a process that was killed. */
const STALE_MS = 24 * 3600 * 1000;

const isMissing = (fault: unknown): boolean => systemErrorCode(fault) === 'ENOENT';

/** Removes what killed processes have left. */
async function tidy(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name);
    const found = await stat(file).catch((fault: unknown) => {
      if (isMissing(fault)) return null; // another process has finished it
      throw fault;
    });
    if (found !== null && Date.now() - found.mtimeMs > STALE_MS) await rm(file, { force: true });
  }
}

/** To write into; the directory is made. */
export async function directoryToWrite(root: string): Promise<Blobs> {
  const incoming = path.join(root, INCOMING);
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await tidy(incoming);
  return directoryBlobs(root);
}

export function directoryBlobs(root: string): Blobs {
  const place = (name: string): string => path.join(root, ...name.split('/'));
  return {
    address: root,
    async size(name) {
      return stat(place(name)).then(
        ({ size }) => size,
        (fault: unknown) => {
          if (isMissing(fault)) return null;
          throw fault;
        },
      );
    },
    async write(name, content) {
      const part = path.join(root, INCOMING, randomUUID());
      try {
        await pipeline(content, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }));
        const folder = path.dirname(place(name));
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await rename(part, place(name));
        await syncFolder(folder);
      } finally {
        await rm(part, { force: true });
      }
    },
    async read(name): Promise<Readable> {
      const handle = await open(place(name), 'r').catch((cause: unknown) => {
        throw isMissing(cause) ? new BlobMissing(`${place(name)} is not there`, { cause }) : cause;
      });
      return handle.createReadStream();
    },
    async folders(below) {
      const entries = await readdir(place(below), { withFileTypes: true }).catch((fault: unknown) => {
        if (isMissing(fault)) return [];
        throw fault;
      });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    async remove(name) {
      await rm(place(name), { force: true });
      try {
        for (let folder = path.dirname(name); folder !== '.'; folder = path.dirname(folder))
          await rmdir(place(folder));
      } catch (fault) {
        if (!isMissing(fault) && systemErrorCode(fault) !== 'ENOTEMPTY') throw fault;
      }
    },
    removeFolder: (name) => rm(place(name), { recursive: true, force: true }),
  };
}
