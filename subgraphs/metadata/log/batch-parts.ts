// The parts of a batch: how many writes share a transaction and a statement, and what comes of each.
import { manyInTurns } from '../../../platform/turns.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { keysOf } from './write-keys.ts';
import type { Deferred, LogPoint } from './pending.ts';
import { attempt, isOfMany, type Settled } from './settle.ts';
import type { WorkingSet } from './working-set.ts';
import { LARGE_WRITE, type Needs, type Write, type Written } from './write.ts';

export type AnyWrite = Write<unknown>;
export type Outcome = Written<unknown> | Error;

/** Maximum number of writes of one transaction, and of one statement in it. */
const MAX_BATCH = 1000;
export const MAX_STATEMENT = 256;
/** Maximum characters that writes add to one transaction; a single write may add more. */
export const MAX_SIZE = 1024 * 1024;

/** Characters from which on a batch is made text in turns with others, before it is sent. */
const MUCH = 256 * 1024;

export const sizeOfWrite = ({ size = 0 }: AnyWrite): number => size;

export const isMuch = (writes: readonly AnyWrite[]): boolean =>
  writes.some(isOfMany) || writes.reduce((sum, write) => sum + sizeOfWrite(write), 0) > MUCH;

export const isNeeds = (needs: Needs | Error): needs is Needs => !(needs instanceof Error);

/** As many as one transaction may contain; a large one alone. */
export function inParts<Result>(writes: readonly Write<Result>[]): Write<Result>[][] {
  const parts: Write<Result>[][] = [];
  let room = 0;
  for (const write of writes) {
    const isLarge = sizeOfWrite(write) >= LARGE_WRITE;
    const part = parts.at(-1);
    if (part === undefined || isLarge || part.length === MAX_BATCH || room < sizeOfWrite(write)) {
      parts.push([write]);
      room = isLarge ? -1 : MAX_SIZE - sizeOfWrite(write);
    } else {
      part.push(write);
      room -= sizeOfWrite(write);
    }
  }
  return parts;
}

export const outcomesOf = (
  set: WorkingSet,
  settled: readonly (Settled | Error)[],
  timestamps: readonly string[],
): (Outcome | Deferred)[] =>
  settled.map((s) =>
    s instanceof Error ? s : { result: s.result, times: timesOf(set, s.points, timestamps) },
  );

const needsBy =
  (catalogue: SchemaCatalogue) =>
  (write: AnyWrite): Needs | Error =>
    attempt(() => write.needs(catalogue));

/** What each write needs, or why it is refused: at once, for who has the lock of the log. */
export const needsOf = (
  writes: readonly AnyWrite[],
  catalogue: SchemaCatalogue,
): readonly (Needs | Error)[] => writes.map(needsBy(catalogue));

/** The same before there is a lock: of more than one statement's, in turns with others. */
export const needsAhead = (
  writes: readonly AnyWrite[],
  catalogue: SchemaCatalogue,
): Promise<readonly (Needs | Error)[]> => manyInTurns(writes, MAX_STATEMENT, needsBy(catalogue));

/** Whether no part of the batch depends on another, which would have to be written first. */
export function areApart(needs: readonly (Needs | Error)[]): boolean {
  const seen = new Set<string>();
  for (let i = 0; needs.length > MAX_STATEMENT && i < needs.length; i += MAX_STATEMENT) {
    const keys = needs
      .slice(i, i + MAX_STATEMENT)
      .filter(isNeeds)
      .flatMap(keysOf);
    if (keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
  }
  return true;
}

function timesOf(
  set: WorkingSet,
  points: Settled['points'],
  timestamps: readonly string[],
): Written<unknown>['times'] {
  const times = new Map<string, { createdAt: string; updatedAt: string }>();
  for (const [id, { first, last }] of points) {
    const loaded = set.entities.get(id)?.loaded;
    const at = (point: LogPoint, known: string | undefined): string =>
      ('ordinal' in point ? timestamps[point.ordinal - 1] : known) ?? '';
    times.set(id, { createdAt: at(first, loaded?.createdAt), updatedAt: at(last, loaded?.updatedAt) });
  }
  return times;
}

/** Waits for all of them; rejects only after all have settled. */
export async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
