// Limits the number of concurrent expensive tasks and shares the slots fairly: a key with many requests
// delays itself, not others.
import { DomainError } from './errors.ts';

export interface FairSlotsOptions {
  /** Maximum number of concurrent tasks. */
  readonly slots: number;
  /** Maximum number of concurrent tasks of one key, such as an actor. */
  readonly perKey: number;
  /** Maximum number of waiting tasks of one key. */
  readonly waiting: number;
}

/** Thrown by {@link FairSlots.enter} where the key's queue is full. */
export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting';
}

interface Keyed {
  running: number;
  readonly waiting: (() => void)[];
}

export class FairSlots {
  readonly #options: FairSlotsOptions;
  /** In order of turns: a key that gets a slot moves to the end. */
  readonly #keys = new Map<string, Keyed>();
  #running = 0;

  constructor(options: FairSlotsOptions) {
    this.#options = options;
  }

  /**
   * Resolves to a function that releases the slot; calling it again has no effect.
   * @throws TooManyWaiting; the signal's reason, where it is aborted before a slot is free
   */
  async enter(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const keyed = this.#keys.get(key) ?? { running: 0, waiting: [] };
    this.#keys.set(key, keyed);
    if (keyed.waiting.length >= this.#options.waiting)
      throw new TooManyWaiting(`${this.#options.waiting} requests are already waiting`);
    await new Promise<void>((resolve, reject) => {
      const abandoned = (): void => {
        keyed.waiting.splice(keyed.waiting.indexOf(enter), 1);
        this.#forget(key, keyed);
        reject(signal.reason as Error); // we always abort with an Error
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

  /**
   * Of the waiting keys, returns one with the fewest running tasks; among these, the one whose last turn is
   * longest ago.
   */
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

/**
 * {@link FairSlots.enter} of what an operation does.
 * @param signal of the operation, where it may end before
 * @param tooMany what the refusal says first
 * @throws DomainError `rate_limit_exceeded`; the signal's reason
 */
export async function enterInTurn(
  slots: FairSlots,
  actor: string,
  signal: AbortSignal | undefined,
  tooMany: string,
): Promise<() => void> {
  try {
    return await slots.enter(actor, signal ?? new AbortController().signal);
  } catch (error) {
    if (!(error instanceof TooManyWaiting)) throw error;
    throw new DomainError('rate_limit_exceeded', `${tooMany}; ${error.message}`);
  }
}
