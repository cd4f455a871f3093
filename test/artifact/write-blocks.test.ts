// docs/reference/api-conventions.md#files: the bytes of a file in blocks that are used again.
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLOCK_BYTES, writeBlocks } from '../../subgraphs/artifact/storage/write-blocks.ts';

const content = randomBytes(3 * BLOCK_BYTES + 17);
let folder: string;
let place: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-blocks-'));
  place = path.join(folder, 'content');
  await writeFile(place, content);
});
afterAll(() => rm(folder, { recursive: true }));

/** Keeps the blocks themselves, and looks at them as late as a slow connection does. */
function slow(): { readonly to: Writable; readonly received: Buffer[] } {
  const received: Buffer[] = [];
  const to = new Writable({
    highWaterMark: 1 << 30, // never asks the writer to wait
    write(block: Buffer, _encoding, done) {
      setTimeout(() => {
        received.push(Buffer.from(block));
        done();
      }, 5);
    },
  });
  return { to, received };
}

test.each([
  [0, content.length - 1],
  [1, 1],
  [BLOCK_BYTES - 1, BLOCK_BYTES],
  [1000, content.length - 1000],
])('a block is not used again before it was written: bytes %i to %i', async (first, last) => {
  await using file = await open(place);
  const { to, received } = slow();
  await writeBlocks(file, { first, last }, to);
  expect(Buffer.concat(received).equals(content.subarray(first, last + 1))).toBe(true);
  expect(to.writableFinished).toBe(true);
});

test('a file that is shorter than expected breaks the answer off, also one that never calls back', async () => {
  await using file = await open(place);
  const { to } = slow();
  await expect(writeBlocks(file, { first: 0, last: content.length }, to)).rejects.toThrow(
    `the file ends at ${content.length}, before ${content.length}`,
  );
  const silent = new Writable({ write: () => undefined });
  const writing = writeBlocks(file, { first: 0, last: 1 }, silent);
  silent.destroy();
  await expect(writing).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
});
