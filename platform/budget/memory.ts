// What all operations of this process hold at one time: large answers share a budget, so that many of them
// together are not too much either.
import { getHeapStatistics } from 'node:v8';
import { DomainError } from '../errors.ts';
import { shed } from '../metrics/intake-metrics.ts';

/** Bytes that large operations may hold together, in the process, and those of one actor: less in a small heap. */
const MAX_BYTES = Math.min(128 * 1024 * 1024, Math.floor(getHeapStatistics().heap_size_limit / 16));
const MAX_BYTES_PER_ACTOR = Math.floor(MAX_BYTES / 2);

const held = new Map<string, number>();
let total = 0;

/**
 * Takes bytes for an operation of an actor that has so many already. One that is alone always finds room: its
 * own limits bound it.
 * @throws DomainError `rate_limit_exceeded` where there is no room for them: what is asked again later may
 * find some
 */
export function hold(actor: string, bytes: number, already: number): void {
  const own = (held.get(actor) ?? 0) + bytes;
  const isOver = own > MAX_BYTES_PER_ACTOR && own > bytes + already;
  const [asked, allowed] = isOver ? [own, MAX_BYTES_PER_ACTOR] : [total + bytes, MAX_BYTES];
  if (asked > allowed && asked > bytes + already) {
    shed.answers_of_all.value++;
    throw new DomainError(
      'rate_limit_exceeded',
      'too many large responses are being sent: try again later, or request less data',
      { limit: 'bytes', asked, allowed },
    );
  }
  held.set(actor, own);
  total += bytes;
}

/** Gives them back. */
export function release(actor: string, bytes: number): void {
  const left = (held.get(actor) ?? 0) - bytes;
  if (left > 0) held.set(actor, left);
  else held.delete(actor);
  total -= bytes;
}
