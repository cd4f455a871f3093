// Wakes those who wait for the log to grow: one LISTEN for all of them, held only while somebody waits, and a slow poll in case a notice is lost.
import { setTimeout as sleep } from 'node:timers/promises';

export interface BellOptions {
  /** Begins to listen; calls back for every notice, and after a gap in which some may have been missed. */
  readonly listen: (onNotice: () => void) => Promise<() => Promise<void>>;
  readonly onFault: (fault: unknown) => void;
  /** Longest wait in milliseconds. */
  readonly pollMs?: number;
}

export class LogBell {
  readonly #options: Required<BellOptions>;
  readonly #waiting = new Set<() => void>();
  #rung = 0;
  #holders = 0;
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(options: BellOptions) {
    this.#options = { pollMs: 5000, ...options };
  }

  /** How often it has rung: take it before looking at the log, so that no notice falls between look and wait. */
  get rung(): number {
    return this.#rung;
  }

  /** Listens from now on, until the answered function is called. */
  async hold(): Promise<() => Promise<void>> {
    this.#holders++;
    const begin = (): Promise<() => Promise<void>> =>
      this.#options.listen(() => {
        this.#ring();
      });
    try {
      await (this.#listening ??= begin());
    } catch (fault) {
      this.#holders--;
      this.#listening = undefined;
      throw fault;
    }
    return async () => {
      const listening = this.#listening;
      if (--this.#holders > 0 || listening === undefined) return;
      this.#listening = undefined;
      await listening.then((stop) => stop()).catch(this.#options.onFault);
    };
  }

  /** Resolves when it has rung since `rung`, after the longest wait, or when the signal is aborted. */
  async wait(rung: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#rung !== rung || signal?.aborted === true) return;
    const over = new AbortController();
    const wake = (): void => {
      over.abort();
    };
    this.#waiting.add(wake);
    signal?.addEventListener('abort', wake, { once: true });
    try {
      await sleep(this.#options.pollMs, undefined, { signal: over.signal, ref: false });
    } catch (thrown) {
      if (!over.signal.aborted) throw thrown; // else it is only awake
    } finally {
      this.#waiting.delete(wake);
      signal?.removeEventListener('abort', wake);
    }
  }

  #ring(): void {
    this.#rung++;
    for (const wake of this.#waiting) wake();
  }
}
