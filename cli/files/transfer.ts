// What uploads and downloads have in common: the hash of a file, a count of the bytes that pass, and the pauses
// before something is tried again.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteProgress } from './show-bytes.ts';

export const READ_BYTES = 1024 * 1024;

/** Times that it is tried again without any byte having come through. */
export const MAX_FRUITLESS = 6;
const FIRST_PAUSE_MS = 500;

/** Waits longer each time. @param fruitless times in a row that no byte has come through */
export const pauseAfter = (fruitless: number): Promise<void> => sleep(FIRST_PAUSE_MS * 2 ** fruitless);

/** Passes everything on. */
export const counting = (onBytes: (bytes: number) => void): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      done(null, chunk);
    },
  });

/** The SHA-256 of a file, in hexadecimal digits. */
export async function hashOf(
  file: string,
  { verb, total }: Pick<ByteProgress, 'verb' | 'total'>,
  onProgress: (progress: ByteProgress) => void,
): Promise<string> {
  const hash = createHash('sha256');
  let done = 0;
  // a stream without an encoding returns buffers
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    done += chunk.length;
    onProgress({ verb, done, before: 0, total });
  }
  return hash.digest('hex');
}
