// Hashes of uploads, computed in a thread that reads behind whoever writes.
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RunningHashes } from '../../subgraphs/artifact/uploads/running-hashes.ts';

const MIB = 1024 * 1024;
const warn = vi.fn();
const hashes = new RunningHashes({ warn });
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'cairn-hashes-'));
});

afterAll(() => {
  hashes.close();
  rmSync(directory, { recursive: true });
});

const hexOf = (...contents: readonly Buffer[]): string => {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex');
};

const place = (name: string): string => path.join(directory, name);

test('the hash of what was added piece by piece, over several files, can be asked for in between', async () => {
  const hash = hashes.begin();
  const first = [randomBytes(3 * MIB), randomBytes(2 * MIB + 7)] as const;
  let at = 0;
  for (const piece of first) {
    appendFileSync(place('one'), piece);
    hash.add(place('one'), at, (at += piece.length));
  }
  expect(await hash.digest()).toBe(hexOf(...first));
  const second = randomBytes(9 * MIB);
  appendFileSync(place('two'), Buffer.concat([Buffer.alloc(100), second]));
  hash.add(place('two'), 100, 100 + second.length);
  expect(await hash.digest()).toBe(hexOf(...first, second));
  expect(hash.bytes).toBe(at + second.length);
  hash.end();
  expect(await hash.digest()).toBeNull();
});

test('many at once are not mixed up', async () => {
  const digests = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const content = randomBytes((5 + i) * MIB + i);
      appendFileSync(place(`many-${i}`), content);
      const hash = hashes.begin();
      for (let at = 0; at < content.length; at += MIB)
        hash.add(place(`many-${i}`), at, Math.min(content.length, at + MIB));
      const isRight = (await hash.digest()) === hexOf(content);
      hash.end();
      return isRight;
    }),
  );
  expect(digests).toEqual(Array.from({ length: 8 }, () => true));
});

test('little is hashed when all of it has come', async () => {
  const hash = hashes.begin();
  appendFileSync(place('little'), 'little');
  hash.add(place('little'), 0, 6);
  expect(await hash.digest()).toBeNull();
  hash.end();
});

test('a file that is shorter than was told has no hash', async () => {
  const hash = hashes.begin();
  appendFileSync(place('short'), randomBytes(5 * MIB));
  truncateSync(place('short'), 5 * MIB - 1);
  hash.add(place('short'), 0, 5 * MIB);
  expect(await hash.digest()).toBeNull();
  hash.end();
});

test('where the thread ends in the middle, the hash is lost, and the next one is right', async () => {
  const content = randomBytes(6 * MIB);
  appendFileSync(place('lost'), content);
  const hash = hashes.begin();
  hash.add(place('lost'), 0, 5 * MIB);
  await hash.digest();
  hashes.close();
  hash.add(place('lost'), 5 * MIB, 6 * MIB);
  expect(await hash.digest()).toBeNull();
  hash.end();
  const next = hashes.begin();
  next.add(place('lost'), 0, 6 * MIB);
  expect(await next.digest()).toBe(hexOf(content));
  next.end();
  expect(warn).not.toHaveBeenCalled();
});
