// Wakes those who follow a run when it comes further: one LISTEN for all of them, held only while somebody follows.
export interface ProgressBellOptions {
  /** Begins to listen; calls back with the id of each run that has come further, and with null after a gap. */
  readonly listen: (onProgress: (runId: string | null) => void) => Promise<() => Promise<void>>;
  readonly onFault: (fault: unknown) => void;
  /** Longest wait in milliseconds, in case a notice is lost. */
  readonly pollMs?: number;
}

export class ProgressBell {
  readonly #options: Required<ProgressBellOptions>;
  readonly #followers = new Map<string, Set<() => void>>();
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(options: ProgressBellOptions) {
    this.#options = { pollMs: 5000, ...options };
  }

  /** Calls back for the run until the answered function is called. */
  async follow(runId: string, wake: () => void): Promise<() => void> {
    const wakes = this.#followers.get(runId) ?? new Set();
    this.#followers.set(runId, wakes.add(wake));
    const release = (): void => {
      wakes.delete(wake);
      if (wakes.size === 0) this.#followers.delete(runId);
      if (this.#followers.size > 0) return;
      const listening = this.#listening;
      this.#listening = undefined;
      listening?.then((stop) => stop()).catch(this.#options.onFault);
    };
    try {
      await (this.#listening ??= this.#options.listen((id) => {
        this.#ring(id);
      }));
    } catch (fault) {
      this.#listening = undefined;
      release();
      throw fault;
    }
    return release;
  }

  get pollMs(): number {
    return this.#options.pollMs;
  }

  #ring(runId: string | null): void {
    const sets = runId === null ? this.#followers.values() : [this.#followers.get(runId) ?? []];
    for (const wakes of sets) for (const wake of wakes) wake();
  }
}
