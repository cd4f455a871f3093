// A bounded number of expensive works at once, shared out fairly: whoever asks often waits for themselves, not others for them.

export interface FairSlotsOptions {
  /** Works at once. */
  readonly slots: number;
  /** Works at once of one key, such as an actor. */
  readonly perKey: number;
  /** Works of one key that may wait. */
  readonly waiting: number;
}

/** Thrown by {@link FairSlots.enter} where as many as may are waiting already. */
export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting';
}

interface Keyed {
  running: number;
  readonly waiting: (() => void)[];
}

export class FairSlots {
  readonly #options: FairSlotsOptions;
  /** In the order in which they have their turn: whoever was let in goes to the end. */
  readonly #keys = new Map<string, Keyed>();
  #running = 0;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  /**
   * Resolves to the function that gives the slot back; calling it again does nothing.
   * @throws TooManyWaiting; what the signal was aborted with, where that happens before there is a slot
   */
  async enter(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const keyed = this.#keys.get(key) ?? { running: 0, waiting: [] };
    this.#keys.set(key, keyed);
    if (keyed.waiting.length >= this.#options.waiting)
      throw new TooManyWaiting(`${this.#options.waiting} are waiting already`);
    await new Promise<void>((resolve, reject) => {
      const abandoned = (): void => {
        keyed.waiting.splice(keyed.waiting.indexOf(enter), 1);
        this.#forget(key, keyed);
        reject(signal.reason as Error); // an abort's reason is an error wherever we make one
      };
      const enter = (): void => {
        signal.removeEventListener('abort', abandoned);
        resolve();
      };
      signal.addEventListener('abort', abandoned, { once: true });
      keyed.waiting.push(enter);
      this.#letIn();
    });
    let isOut = false;
    return () => {
      if (isOut) return;
      isOut = true;
      this.#running--;
      keyed.running--;
      this.#forget(key, keyed);
      this.#letIn();
    };
  }

  #letIn(): void {
    while (this.#running < this.#options.slots) {
      const next = this.#next();
      if (next === undefined) return;
      const [key, keyed] = next;
      this.#keys.delete(key);
      this.#keys.set(key, keyed);
      this.#running++;
      keyed.running++;
      keyed.waiting.shift()?.();
    }
  }

  /** Of those who wait, whoever has fewest; of these, whose last turn is longest ago. */
  #next(): [string, Keyed] | undefined {
    const eligible = [...this.#keys].filter(
      ([, keyed]) => keyed.waiting.length > 0 && keyed.running < this.#options.perKey,
    );
    const fewest = Math.min(...eligible.map(([, { running }]) => running));
    return eligible.find(([, { running }]) => running === fewest);
  }

  #forget(key: string, keyed: Keyed): void {
    if (keyed.running === 0 && keyed.waiting.length === 0 && this.#keys.get(key) === keyed)
      this.#keys.delete(key);
  }
}
