// Gauges over the database: one statement answers several of them, asked when metrics are read and at most every few
// seconds, so that nobody's reading costs more than another's.
import { waitAtMost } from '../wait-at-most.ts';
import { gauge, type Reading, tally, type Together } from './process-metrics.ts';

/** Milliseconds for which an answer is taken for the present. */
const FRESH_MS = 5000;
/** Longest wait for the database: then the last answer is told. */
const WAIT_MS = 1000;

const failures = tally(
  'cairn_metrics_failures_total',
  'Statements of metrics that failed: the last values are told instead.',
);

interface Definition {
  readonly help: string;
  readonly labels?: readonly string[];
}

export type Readings<Name extends string> = Readonly<Record<Name, readonly Reading[]>>;

export class AskedGauges<Name extends string> {
  readonly #sources = new Set<() => Promise<Readings<Name>>>();
  #asked: Promise<void> = Promise.resolve();
  #askedAt = -Infinity;
  #last: Readings<Name> | undefined;

  constructor(definitions: Readonly<Record<Name, Definition>>, together: Together = 'max') {
    for (const name of Object.keys(definitions) as Name[]) {
      // its keys
      const { help, labels = [] } = definitions[name];
      gauge(name, help, async () => (await this.#current())?.[name] ?? [], { labels, together });
    }
  }

  /** From now on they are read like this. Returns a function that ends it: then the one before counts again. */
  follow(read: () => Promise<Readings<Name>>): () => void {
    this.#sources.add(read);
    this.#askedAt = -Infinity;
    return () => {
      this.#sources.delete(read);
      this.#askedAt = -Infinity;
      if (this.#sources.size === 0) this.#last = undefined;
    };
  }

  async #current(): Promise<Readings<Name> | undefined> {
    const read = [...this.#sources].at(-1);
    if (read === undefined) return undefined;
    if (performance.now() - this.#askedAt >= FRESH_MS) {
      this.#askedAt = performance.now();
      this.#asked = read().then(
        (readings) => {
          if (this.#sources.has(read)) this.#last = readings;
        },
        () => {
          failures.value++; // the database may be away: health and its own alert say so
        },
      );
    }
    await waitAtMost(WAIT_MS, this.#asked);
    return this.#last;
  }
}
