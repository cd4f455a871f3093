// Wakes whoever waits for a production, when one has been queued, was cancelled or has ended.

export class ProductionBell {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #always = new Set<() => void>();

  /** @param id of the production; an empty one wakes everybody */
  ring(id: string): void {
    for (const wake of this.#always) wake();
    const woken = id === '' ? [...this.#waiting.values()] : [this.#waiting.get(id) ?? new Set<() => void>()];
    for (const waiting of woken) for (const wake of waiting) wake();
  }

  /** Calls at every ring. */
  onRing(wake: () => void): () => void {
    this.#always.add(wake);
    return () => {
      this.#always.delete(wake);
    };
  }

  /** Resolves at the production's next ring, after the time, or when the signal is aborted, whichever is first. */
  next(id: string, milliseconds: number, stop?: AbortSignal): Promise<void> {
    if (stop?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const wake = (): void => {
        clearTimeout(timer);
        stop?.removeEventListener('abort', wake);
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      stop?.addEventListener('abort', wake, { once: true });
      waiting.add(wake);
    });
  }
}
