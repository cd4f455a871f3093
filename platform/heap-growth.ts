// How much garbage the heap may collect before it is cleared, and what becomes of its room at rest.
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/**
 * The old generation is collected when it has grown by so many per cent of what was alive after the last time. By
 * itself V8 waits, on a machine with much memory, for up to four times as much: what one operation after another leaves
 * then holds hundreds of megabytes that nobody uses (docs/decisions/0118-the-heap-grows-by-its-own-size.md).
 */
const PERCENT = 100;
/** V8's own. */
const BY_ITSELF = { percent: 0, isForSize: false };

/** A process that took less than this share of a processor in the last seconds rests. */
const AT_REST = 0.1;
/** One that rests is busy at once with this share, or with more than the other in two looks in a row. */
const BUSY = 0.5;
const LOOK_MS = 5000;
/** One that rests is looked at more often: whoever comes then would be served at half of the speed until the next look. */
const LOOK_AT_REST_MS = 250;
/** What had it leave its rest may be over. */
const LOOK_AGAIN_MS = 1000;

/** A thread does not see what the main thread has set; those that have threads are servers. */
let current = isMainThread ? BY_ITSELF : { percent: PERCENT, isForSize: false };

function set({ percent, isForSize }: typeof BY_ITSELF): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
  setFlagsFromString(isForSize ? '--optimize-for-size' : '--no-optimize-for-size');
}

/**
 * While this process rests V8 gives back what it does not use, as it does for a page that nobody sees: 50 MB after a
 * start. By itself it does so only where almost nothing is allocated for a while, which timers prevent on a busy machine
 * (docs/decisions/0185-what-a-process-holds-at-rest.md).
 */
function shrinkAtRest(): void {
  let [lastAt, last] = [performance.now(), process.cpuUsage()];
  let setAt = lastAt;
  let wasLittle = false;
  const look = (): void => {
    const { user, system } = process.cpuUsage(last);
    const now = performance.now();
    const share = (user + system) / 1000 / (now - lastAt);
    [lastAt, last] = [now, process.cpuUsage()];
    const before = current.isForSize;
    const isLittle = share < AT_REST;
    const isForSize = before ? isLittle || (wasLittle && share < BUSY) : isLittle;
    wasLittle = isLittle;
    current = { ...current, isForSize };
    // also now and then: flags are the process's, and a thread that loads packages takes this one back
    if (isForSize !== before || Math.ceil(now - setAt) >= LOOK_MS) {
      setAt = now;
      set(current);
    }
    const pause = before ? LOOK_AGAIN_MS : LOOK_MS;
    setTimeout(look, isForSize ? LOOK_AT_REST_MS : pause).unref();
  };
  setTimeout(look, LOOK_MS).unref();
}

/** Call it once, before a server starts. Collections that are due earlier are concurrent, as all of them are. */
export function limitHeapGrowth(): void {
  current = { ...current, percent: PERCENT };
  set(current);
  shrinkAtRest();
}

/** For compiled code that is kept: V8 takes none that was made under other flags than it has when it loads it. */
export function underOwnFlags<Made>(work: () => Made): Made {
  set(BY_ITSELF);
  try {
    return work();
  } finally {
    set(current);
  }
}
