// Writes a part of a file to an answer, with the same two blocks of memory for all of it. A stream takes new memory for
// each block, which for a large file costs more time than reading it.
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ContentPart } from './object-store.ts';

/** Bytes that are read at once. */
export const BLOCK_BYTES = 512 * 1024;

/** Resolves when the block is no longer needed: it has been passed to the operating system. */
const written = (to: Writable, block: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    to.write(block, (fault) => {
      if (fault) reject(fault);
      else resolve();
    });
  });

/**
 * Writes the part and ends `to`; one block is read while the other is written.
 * @throws Error of the file, which became shorter too, and `ERR_STREAM_PREMATURE_CLOSE` where `to` is closed before
 */
export async function writeBlocks(
  file: FileHandle,
  { first, last }: Pick<ContentPart, 'first' | 'last'>,
  to: Writable,
): Promise<void> {
  const bytes = Math.min(BLOCK_BYTES, last + 1 - first);
  let [block, other] = [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
  let at = first;
  const fill = async (target: Buffer): Promise<Buffer> => {
    const wanted = Math.min(target.length, last + 1 - at);
    if (wanted === 0) return target.subarray(0, 0);
    const { bytesRead } = await file.read(target, 0, wanted, at);
    if (bytesRead === 0) throw new Error(`the file ends at ${at}, before ${last}`);
    at += bytesRead;
    return target.subarray(0, bytesRead);
  };
  const closed = finished(to);
  closed.catch(() => undefined); // whoever waits for it below is told
  for (let filled = await fill(block); filled.length > 0;) {
    // an answer whose connection is gone may never call back
    const [next] = await Promise.race([
      Promise.all([fill(other), written(to, filled)]),
      closed.then((): never => {
        throw new Error('the answer was ended by somebody else');
      }),
    ]);
    [block, other, filled] = [other, block, next];
  }
  to.end();
  await closed;
}
