// Runs long computations in slices. All computations of a process share one slice per turn of the event loop,
// so that requests wait for at most one slice.

const SLICE_MS = 3;

/**
 * A computation's share of the event loop. The computation checks often whether its slice has ended, and then
 * waits for the next one.
 */
export class Turn {
  #until = 0;
  #ofAll: Promise<void> | undefined;

  /** Whether to pause and await {@link next}; true before the first slice. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Resolves when the next slice begins: after earlier callers, and after other events that are ready. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(wakeOne);
    });
    this.#until = performance.now() + SLICE_MS;
  }

  /** The same for parts of one computation that wait at once: they share the slice, so each of them asks again if it is over. */
  async nextOfAll(): Promise<void> {
    this.#ofAll ??= this.next().finally(() => {
      this.#ofAll = undefined;
    });
    await this.#ofAll;
  }
}

/** Wraps `work` so that many calls in a row yield to the event loop between slices. */
export function sliced<T, R>(work: (item: T) => R): (item: T) => Promise<R> {
  const turn = new Turn();
  return async (item) => {
    if (turn.isOver) await turn.next();
    return work(item);
  };
}

/** Computes the items' results in slices; results are in the order of the items. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const next = sliced(work);
  const results: R[] = [];
  for (const item of items) results.push(await next(item));
  return results;
}

/** The same where there are more than `many` items; fewer are worked on at once, and wait for nobody. */
export const manyInTurns = async <T, R>(
  items: readonly T[],
  many: number,
  work: (item: T) => R,
): Promise<R[]> => (items.length > many ? inTurns(items, work) : items.map(work));

const waiting: (() => void)[] = [];

function wakeOne(): void {
  const resolve = waiting.shift();
  if (waiting.length > 0) setImmediate(wakeOne);
  resolve?.(); // its slice runs as soon as this function has returned
}
