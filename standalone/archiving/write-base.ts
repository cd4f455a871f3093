// Begins a chain: copies all files of the cluster, as a base backup of PostgreSQL, and every file of the store.
import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../platform/queryable.ts';
import { productVersion } from '../../platform/product-version.ts';
import { identifyCluster, takeMark } from './archive.store.ts';
import { type Chain, CHAIN_PART_BYTES } from './chain-format.ts';
import { ChainWriter, type WritablePlace } from './chain-place.ts';
import { CopiedData, connectReplication, endReplication } from './copied-data.ts';
import { copyAllFiles, type FilePlace } from './copy-files.ts';
import { lsnText, nextSegment, readLsn } from './lsn.ts';

export interface ArchivePlace extends WritablePlace, FilePlace {}

/** With the log that it needs to be consistent, in whole segments. */
const BASE_BACKUP = `BASE_BACKUP (LABEL 'cairn archive', CHECKPOINT 'fast', WAL true, MANIFEST 'no')`;

/** Kinds of messages: content of the archive; the others name it, or tell of progress. */
const CONTENT = 'd'.charCodeAt(0);

const newId = (created: Date): string =>
  `${created.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;

/** @returns where the log goes on after what was copied */
async function copyCluster(url: string, writer: ChainWriter, signal: AbortSignal): Promise<bigint> {
  let lost: Error | undefined;
  const client = await connectReplication(url, (error) => (lost = error));
  const copied = new CopiedData(BASE_BACKUP);
  const stop = (): void => void copied.destroy(new Error('the server stops'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    client.query(copied);
    let waiting: Buffer[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      if (bytes > 0) await writer.basePart(Buffer.concat(waiting));
      [waiting, bytes] = [[], 0];
    };
    // it pushes nothing else
    for await (const message of copied as AsyncIterable<Buffer>) {
      if (message[0] !== CONTENT) continue;
      waiting.push(message.subarray(1));
      bytes += message.length - 1;
      if (bytes >= CHAIN_PART_BYTES) await flush();
    }
    await flush();
    const end = copied.rows.at(-1)?.[0];
    if (end === undefined || lost !== undefined)
      throw new Error('the base backup was cut off', { cause: lost });
    return nextSegment(readLsn(end));
  } finally {
    signal.removeEventListener('abort', stop);
    await endReplication(client, copied);
  }
}

/** @param url of a superuser; @param db another session of it */
export async function beginChain(
  url: string,
  db: Queryable,
  place: ArchivePlace,
  signal: AbortSignal,
): Promise<Chain> {
  const created = new Date();
  const { system, timeline, server } = await identifyCluster(db);
  const writer = new ChainWriter(place, newId(created));
  try {
    await writer.begin();
    const walFrom = await copyCluster(url, writer, signal);
    await copyAllFiles(db, place, signal);
    return await writer.finishBase({
      format: 'cairn-wal-archive',
      version: 1,
      created: created.toISOString(),
      cairn: productVersion,
      postgres: server,
      platform: `${process.platform}-${process.arch}`,
      system,
      timeline,
      wal_from: lsnText(walFrom),
      since: await takeMark(db, 0),
    });
  } catch (fault) {
    await writer.abandon().catch(() => undefined); // what made it fail is told
    throw fault;
  }
}
