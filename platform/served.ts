// What a server answers with, one after the other: another configuration takes over without a dropped request.
import { setTimeout as sleep } from 'node:timers/promises';

/** All that answers by one configuration. */
export interface Part {
  /** Ends what stays open on purpose; clients come back. */
  closeStreams(): Promise<void>;
  /** Resolves when nothing is under way, after some seconds at the latest. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const IDLE_MS = 10_000;
const LOOK_MS = 25;

/** Resolves when there are none under way, after ten seconds at the latest. */
export async function untilNone(underWay: () => number): Promise<void> {
  for (const end = performance.now() + IDLE_MS; underWay() > 0 && performance.now() < end;)
    await sleep(LOOK_MS);
}

export class Served<Kind extends Part> {
  current: Kind;
  #last: Promise<void> = Promise.resolve();

  constructor(first: Kind) {
    this.current = first;
  }

  /**
   * Once those before it are done: opens the next, which answers from then on; the one before finishes what is in flight, and is
   * closed. @throws what `open` throws; then the one before stays
   */
  follow(open: () => Promise<Kind>): Promise<void> {
    const done = this.#last.then(async () => {
      const next = await open();
      const before = this.current;
      this.current = next;
      await before.closeStreams();
      await before.idle();
      await before.close();
    });
    this.#last = done.catch(() => undefined); // the caller hears of it
    return done;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.current.close();
  }
}
