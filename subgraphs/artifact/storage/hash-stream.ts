// Hashes content while it is streamed.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Writable } from 'node:stream';
import type { Kept } from './object-store.ts';

export interface HashingStream extends Transform {
  /** The digest; call it once, at the end. */
  kept(): Kept;
}

/** Passes content through. @param most maximum bytes; more is an error */
export function hashing(most = Number.MAX_SAFE_INTEGER): HashingStream {
  const hash = createHash('sha256');
  let size = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      size += chunk.length;
      if (size > most) return done(new RangeError(`is larger than ${most} bytes`));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return Object.assign(stream, { kept: (): Kept => ({ hash: `sha256:${hash.digest('hex')}`, size }) });
}

const nowhere = (): Writable =>
  new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });

export async function hashContent(content: Readable): Promise<Kept> {
  const through = hashing();
  await pipeline(content, through, nowhere());
  return through.kept();
}

export const hashFile = (file: string): Promise<Kept> => hashContent(createReadStream(file));
