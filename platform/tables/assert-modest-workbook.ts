// Refuses an XLSX workbook that unpacks to more than memory should hold, before it is read: a small archive may hold
// gigabytes.
import { stat } from 'node:fs/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { TableFault } from './table-row.ts';

/** Bytes that the XML of a workbook may have: a sheet of a million cells has about half of it. */
const MAX_UNPACKED = 64 * 1024 * 1024;
/** Bytes of an archive that belong to none of the entries in its directory: even packed, they are not too much. */
const MAX_UNLISTED = 64 * 1024;
/** Bytes of an entry's headers before it and in the directory, and of what may follow it (APPNOTE 4.3.7, 4.3.9, 4.3.12). */
const FIXED_HEADERS = 30 + 46 + 24;

/** The bytes of an entry: no more, or many empty entries would make room for what is not listed. */
const bytesOf = ({ compressedSize, fileNameLength, extraFieldLength, fileCommentLength }: Entry): number =>
  compressedSize + FIXED_HEADERS + 2 * (fileNameLength + extraFieldLength) + fileCommentLength;

/** @throws TableFault; Error where it is no archive, or an entry is not as long as the archive says */
export async function assertModestWorkbook(path: string): Promise<void> {
  const { size } = await stat(path);
  const archive = await openPromise(path);
  try {
    const listed = await unpackedWithin(archive);
    if (size - listed > MAX_UNLISTED)
      throw new TableFault('content', 'has content that is not in the directory of its archive');
  } finally {
    archive.close();
  }
}

/** The bytes of the archive that its directory accounts for. */
async function unpackedWithin(archive: ZipFile): Promise<number> {
  let [listed, unpacked] = [0, 0];
  for await (const entry of archive.eachEntry()) {
    listed += bytesOf(entry);
    if (!/\.(?:xml|rels)$/i.test(entry.fileName)) continue; // images and the like are not read
    for await (const chunk of await archive.openReadStreamPromise(entry)) {
      unpacked += (chunk as Buffer).length;
      if (unpacked > MAX_UNPACKED)
        throw new TableFault(
          'content',
          `unpacks to more than ${MAX_UNPACKED / 1024 / 1024} MiB: save the sheet as CSV`,
        );
    }
  }
  return listed;
}
