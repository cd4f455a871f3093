// Replaces the running part of a server by one with another configuration, without dropping requests.
import { setTimeout as sleep } from 'node:timers/promises';

/** Everything that serves requests with one configuration. */
export interface ServedPart {
  /** Ends long-lived streams; clients reconnect. */
  closeStreams(): Promise<void>;
  /** Resolves when no request is in flight, or after some seconds. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const IDLE_MS = 10_000;
const LOOK_MS = 25;

/** Resolves when none are in flight, or after ten seconds. */
export async function untilNone(underWay: () => number): Promise<void> {
  for (const end = performance.now() + IDLE_MS; underWay() > 0 && performance.now() < end;)
    await sleep(LOOK_MS);
}

export class Served<Kind extends ServedPart> {
  current: Kind;
  #last: Promise<void> = Promise.resolve();

  constructor(first: Kind) {
    this.current = first;
  }

  /**
   * Opens the next part after earlier calls have finished. The next part then serves requests; the previous
   * one finishes its requests in flight and is closed. Where `open` gives none, the previous one goes on.
   * @throws what `open` throws; then the previous part stays
   */
  follow(open: () => Promise<Kind | undefined>): Promise<void> {
    const done = this.#last.then(async () => {
      const next = await open();
      if (next === undefined) return;
      const before = this.current;
      this.current = next;
      await before.closeStreams();
      await before.idle();
      await before.close();
    });
    this.#last = done.catch(() => undefined); // the caller gets the error
    return done;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.current.close();
  }
}
