// How much garbage the heap may collect before it is cleared.
import { setFlagsFromString } from 'node:v8';

/**
 * The old generation is collected when it has grown by so many per cent of what was alive after the last time. By
 * itself V8 waits, on a machine with much memory, for up to four times as much: what one operation after another leaves
 * then holds hundreds of megabytes that nobody uses (docs/decisions/0118-the-heap-grows-by-its-own-size.md).
 */
const PERCENT = 100;

/** Call it once, before a server starts. Collections that are due earlier are concurrent, as all of them are. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${PERCENT}`);
}
