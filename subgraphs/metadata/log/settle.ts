// Decides the writes of a batch, in sequence, on one working set.
import type { Turn } from '../../../platform/turns.ts';
import { type LogPoint, NOT_READ } from './pending.ts';
import type { WorkingSet } from './working-set.ts';
import type { Author, Needs, Write, WriteView } from './write.ts';

type AnyWrite = Write<unknown>;

/**
 * Signals that a write needs the data of a large entity and is decided separately. Never shown to a caller.
 */
export class Large extends Error {
  readonly ids: readonly string[];
  constructor(ids: readonly string[]) {
    super('the write is about a large entity');
    this.ids = ids;
  }
}

export interface Settled {
  readonly result: unknown;
  readonly points: ReadonlyMap<string, { readonly first: LogPoint; readonly last: LogPoint }>;
}

export const isOfMany = ({ decideInTurns }: AnyWrite): boolean => decideInTurns !== undefined;

/** The values that a flush writes as JSON: of those that are in others, first. */
export function* writtenData(set: WorkingSet): Generator<object, void, undefined> {
  for (const { loaded, current, changes } of set.entities.values()) {
    if (loaded === null) yield current.data;
    if (changes !== null) yield changes;
  }
  for (const { payload } of set.events) yield payload;
}

/** Decides writes in sequence; each sees the effects of those before it. With a turn, others run in between. */
export async function settle(
  set: WorkingSet,
  writes: readonly AnyWrite[],
  needs: readonly (Needs | Error)[],
  turn?: Turn,
): Promise<(Settled | Error)[]> {
  const settled: (Settled | Error)[] = [];
  for (const [i, write] of writes.entries()) {
    if (turn?.isOver === true) await turn.next();
    const need = needs[i];
    if (need === undefined || need instanceof Error) {
      settled.push(need ?? new Error('a write without needs'));
      continue;
    }
    const large = need.entities?.filter((id) => set.entities.get(id)?.loaded?.data === NOT_READ) ?? [];
    const result = large.length > 0 ? new Large(large) : await decided(set, write);
    settled.push(result instanceof Error ? result : { result, points: pointsOf(set, need) });
  }
  return settled;
}

/** Its result, or why it is refused. */
const decided = (set: WorkingSet, write: AnyWrite): unknown =>
  write.decideInTurns === undefined
    ? attempt(() => set.attempt(write.author, (view) => write.decide(view)))
    : attemptInTurns(set, write.author, write.decideInTurns);

/** Until it has ended, nothing else may be attempted with the set. */
async function attemptInTurns(
  set: WorkingSet,
  author: Author,
  decide: (view: WriteView) => Promise<unknown>,
): Promise<unknown> {
  const undo = set.begin(author);
  try {
    return await decide(set);
  } catch (thrown) {
    undo();
    return asError(thrown);
  }
}

function pointsOf(set: WorkingSet, { entities = [], heads = [] }: Needs): Settled['points'] {
  const points = new Map<string, { first: LogPoint; last: LogPoint }>();
  for (const id of [...entities, ...heads, ...set.touched]) {
    const work = set.entities.get(id);
    if (work) points.set(id, { first: work.first, last: work.last });
  }
  return points;
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
export function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (thrown) {
    return asError(thrown);
  }
}
