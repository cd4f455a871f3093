// A process that has started as servers do, and then has little to do but more than nothing: prints how much room its
// young generation had, and has in the end. node scripts/run.mjs <this file>
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import vm from 'node:vm';
import { limitHeapGrowth, underOwnFlags } from '../../platform/heap-growth.ts';

/** V8 compares the length of a source with that of what was compiled; the same text it would find in its own cache. */
const script = (number: number, cachedData?: Buffer): vm.Script =>
  new vm.Script(
    `function first() { return ${number}; } first();`,
    cachedData === undefined ? {} : { cachedData },
  );
const compiled = script(1).createCachedData();

limitHeapGrowth();

const refused = script(2, compiled).cachedDataRejected;
const taken = underOwnFlags(() => script(3, compiled)).cachedDataRejected === false;

const young = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
const list = (length: number): readonly object[] => Array.from({ length }, (_, i) => ({ i, text: [`${i}`] }));

const alive: (readonly object[])[] = [];
for (let i = 0; i < 60; i++) alive.push(list(10_000));
const started = young();
let least = started;
for (const end = Date.now() + 60_000; Date.now() < end && least > started / 4; await sleep(100)) {
  alive[0] = list(3000);
  least = Math.min(least, young());
}
process.stdout.write(JSON.stringify({ refused, taken, started, least, alive: alive.length }));
