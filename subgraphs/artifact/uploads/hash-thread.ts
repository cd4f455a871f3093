// The thread that hashes files while they grow, for running-hashes.ts.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { HashAsked, HashTold } from './running-hashes.ts';

const hashes = new Map<number, Hash>();
const block = Buffer.allocUnsafeSlow(1024 * 1024);

/** @throws Error for a file that is not there, or ends before */
function read(hash: Hash, { file, from, to }: Extract<HashAsked, { file: string }>): void {
  const handle = openSync(file, 'r');
  try {
    for (let at = from; at < to;) {
      const bytes = readSync(handle, block, 0, Math.min(block.length, to - at), at);
      if (bytes === 0) throw new Error(`the file ends at ${at}, before ${to}`);
      hash.update(block.subarray(0, bytes));
      at += bytes;
    }
  } finally {
    closeSync(handle);
  }
}

function answer(asked: HashAsked): HashTold | undefined {
  const { id } = asked;
  if ('isOver' in asked) return void hashes.delete(id);
  const hash = hashes.get(id) ?? createHash('sha256');
  hashes.set(id, hash);
  if (!('file' in asked)) return { id, hex: hash.copy().digest('hex') };
  try {
    read(hash, asked);
    return { id, hex: null };
  } catch (fault) {
    hashes.delete(id);
    return { id, fault: fault instanceof Error ? fault.message : String(fault) };
  }
}

const port = parentPort;
port?.on('message', (asked: HashAsked) => {
  const told = answer(asked);
  if (told !== undefined) port.postMessage(told);
});
