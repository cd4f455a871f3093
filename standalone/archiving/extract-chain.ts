// Takes a cluster and its write-ahead log out of an archive, into folders that PostgreSQL's account owns.
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import type { RunAs } from '../../platform/database/embedded/run-as.ts';
import { refusedBackup } from '../backups/backup-format.ts';
import type { Chain, PieceHeader } from './chain-format.ts';
import { readLsn, SEGMENT_BYTES, segmentName } from './lsn.ts';

/** A path of the cluster; nothing may lead out of it. */
function within(folder: string, name: string): string {
  const place = path.resolve(folder, name);
  if (place !== folder && !place.startsWith(`${folder}${path.sep}`))
    throw refusedBackup(`has a file that is not one of a cluster: ${JSON.stringify(name.slice(0, 200))}`);
  return place;
}

export async function extractBase(content: AsyncIterable<Buffer>, folder: string, as: RunAs): Promise<void> {
  const entries = extract();
  const fed = pipeline(Readable.from(content), entries);
  fed.catch(() => undefined); // thrown below, where the entries end
  for await (const entry of entries) {
    const { name, type } = entry.header;
    const place = within(folder, name);
    if (type === 'directory') {
      await mkdir(place, { recursive: true, mode: 0o700 });
      await chmod(place, 0o700);
      entry.resume();
    } else if (type === 'file') {
      await pipeline(entry, createWriteStream(place, { mode: 0o600, flush: true }));
    } else
      throw refusedBackup(`has a ${type ?? 'thing'} that is not one of a cluster: ${JSON.stringify(name)}`);
    as.own(place);
  }
  await fed;
}

/** Writes pieces of the log as the files that they are parts of, each of its whole length. */
export class SegmentWriter {
  readonly #folder: string;
  readonly #timeline: number;
  readonly #as: RunAs;

  constructor({ timeline }: Chain, folder: string, as: RunAs) {
    this.#timeline = timeline;
    this.#folder = folder;
    this.#as = as;
  }

  async write({ from }: PieceHeader, content: Buffer): Promise<void> {
    let at = readLsn(from);
    for (let done = 0; done < content.length;) {
      const offset = Number(at % SEGMENT_BYTES);
      const bytes = Math.min(content.length - done, Number(SEGMENT_BYTES) - offset);
      const file = path.join(this.#folder, segmentName(this.#timeline, at));
      const handle = await open(file, offset === 0 ? 'w' : 'r+', 0o600);
      try {
        await handle.write(content, done, bytes, offset);
        if (offset === 0) await handle.truncate(Number(SEGMENT_BYTES));
      } finally {
        await handle.close();
      }
      if (offset === 0) this.#as.own(file);
      at += BigInt(bytes);
      done += bytes;
    }
  }
}
