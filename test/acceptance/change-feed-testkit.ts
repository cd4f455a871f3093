// What the tests of the change feed share.
import { setTimeout as sleep } from 'node:timers/promises';

export const FEED =
  'subscription Feed($after: String, $filter: String) { provenanceEvents(after: $after, filter: $filter) { token event { id eventType entityId payload } } }';

interface Item {
  token: string;
  event: { id: string; eventType: string; entityId: string | null };
}

export interface Result {
  data?: { provenanceEvents: Item } | null;
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

/** Results as they arrive, over any transport. */
export class Reader {
  readonly results: Result[] = [];
  ended: unknown = undefined;
  readonly #stop: () => void;
  constructor(
    start: (sink: {
      next: (r: Result) => void;
      error: (e: unknown) => void;
      complete: () => void;
    }) => () => void,
  ) {
    this.#stop = start({
      next: (r) => {
        this.results.push(r);
      },
      error: (e) => {
        this.ended = e;
      },
      complete: () => {
        this.ended = 'complete';
      },
    });
  }

  async take(count: number, ms = 10_000): Promise<Item[]> {
    for (
      const until = Date.now() + ms;
      this.results.length < count && this.ended === undefined && Date.now() < until;
    )
      await sleep(5);
    const error = this.results.find((r) => r.errors)?.errors?.[0];
    if (error || this.results.length < count)
      throw new Error(
        `${this.results.length} of ${count}; ${JSON.stringify(error ?? null)}; ended: ${this.ended instanceof Error ? this.ended.message : JSON.stringify(this.ended)}`,
      );
    return this.results.slice(0, count).map((r) => r.data?.provenanceEvents as Item);
  }

  /** How it ended, by itself. */
  async end(ms = 8000): Promise<unknown> {
    for (const until = Date.now() + ms; this.ended === undefined && Date.now() < until;) await sleep(10);
    return this.ended;
  }

  stop(): void {
    this.#stop();
  }
}

export type Transport = (variables?: Record<string, unknown>, key?: string) => Reader;
