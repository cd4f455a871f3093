// A process that has an amount of memory alive, and makes as much again and again that lives for a while: prints how
// many times what is alive its heap grew to. node --expose-gc scripts/run.mjs <this file>
import { limitHeapGrowth } from '../../platform/heap-growth.ts';

limitHeapGrowth();

interface Part {
  readonly text: string;
  readonly numbers: readonly number[];
}

const part = (i: number): Part => ({ text: `x${i}`, numbers: [i] });
const alive = Array.from({ length: 600_000 }, (_, i) => part(i));
/** What is in here becomes old before it is replaced. */
const lately = Array.from({ length: 100_000 }, (_, i) => part(i));
let most = 0;
for (let round = 0; round < 40; round++) {
  for (let i = 0; i < lately.length; i++) lately[i] = part(i + round);
  most = Math.max(most, process.memoryUsage().heapUsed);
  await new Promise(setImmediate);
}
globalThis.gc?.();
const needed = process.memoryUsage().heapUsed;
process.stdout.write(JSON.stringify({ times: most / needed, parts: alive.length + lately.length }));
