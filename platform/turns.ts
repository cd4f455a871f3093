// Long work in slices: all that is under way in a process share one slice per turn of the event loop, so that requests never wait for more than one.

const SLICE_MS = 5;

/** A worker's place on the event loop: it asks often whether its slice is over, and then waits for the next. */
export class Turn {
  #until = 0;

  /** Whether to stop here and wait for {@link next}; true before the first slice. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Resolves when a slice begins: after everybody who asked before, and after what else has become ready meanwhile. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(wakeOne);
    });
    this.#until = performance.now() + SLICE_MS;
  }
}

/** The same work, of which many in a row take turns with everything else. */
export function sliced<T, R>(work: (item: T) => R): (item: T) => Promise<R> {
  const turn = new Turn();
  return async (item) => {
    if (turn.isOver) await turn.next();
    return work(item);
  };
}

/** The items' results, by position, worked out in slices. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const next = sliced(work);
  const results: R[] = [];
  for (const item of items) results.push(await next(item));
  return results;
}

const waiting: (() => void)[] = [];

function wakeOne(): void {
  const resolve = waiting.shift();
  if (waiting.length > 0) setImmediate(wakeOne);
  resolve?.(); // its slice runs as soon as this function has returned
}
