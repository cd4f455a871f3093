// The metrics of this process (docs/operations.md#metrics): components count into them where the work is done, whoever
// reads metrics reads all of them. They belong to the process, so that no counter falls when a configuration is
// loaded again.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export const ownRegistry = new Registry();
const registers = [ownRegistry];
let hasDefaults = false;

/** All of them, with Node's own: memory, event loop, collections of garbage. */
export function processMetrics(): Registry {
  if (!hasDefaults) {
    hasDefaults = true;
    collectDefaultMetrics({ register: ownRegistry });
  }
  return ownRegistry;
}

/** A count that costs an addition; prom-client is told when metrics are read. */
export interface RunningCount {
  value: number;
}

/** A counter that is filled when metrics are read. */
function counter(
  name: string,
  help: string,
  labelNames: readonly string[],
  fill: (empty: Counter) => void,
): void {
  new Counter({
    name,
    help,
    labelNames,
    registers,
    collect() {
      this.reset();
      fill(this);
    },
  });
}

/** A counter without labels. */
export function tally(name: string, help: string): RunningCount {
  const counted: RunningCount = { value: 0 };
  counter(name, help, [], (empty) => {
    empty.inc(counted.value);
  });
  return counted;
}

/** A counter with one label, whose values are known beforehand. */
export function tallies<Value extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
): Readonly<Record<Value, RunningCount>> {
  const counted = Object.fromEntries(values.map((value) => [value, { value: 0 }])) as Record<
    Value,
    RunningCount
  >; // one for each
  counter(name, help, [label], (empty) => {
    for (const value of values) empty.inc({ [label]: value }, counted[value].value);
  });
  return counted;
}

/** Names that clients choose: the first ones count by themselves, all others together as `other`. */
const MAX_NAMES = 200;
const OTHER = 'other';

/** Counters by a name that clients choose. */
export class NamedTallies<Kind extends string> {
  readonly #counted = new Map<string, Record<Kind, number>>();
  readonly #zero: Readonly<Record<Kind, number>>;

  /** @param metrics a counter for each kind, with its name and help */
  constructor(label: string, metrics: Readonly<Record<Kind, readonly [name: string, help: string]>>) {
    const kinds = Object.keys(metrics) as Kind[]; // its keys
    this.#zero = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>; // one for each
    const counted = this.#counted;
    for (const kind of kinds) {
      const [name, help] = metrics[kind];
      counter(name, help, [label], (empty) => {
        for (const [one, values] of counted) empty.inc({ [label]: one }, values[kind]);
      });
    }
  }

  add(name: string, kind: Kind, amount: number): void {
    let values = this.#counted.get(name);
    if (values === undefined) {
      const kept = this.#counted.size < MAX_NAMES ? name : OTHER;
      values = this.#counted.get(kept) ?? { ...this.#zero };
      this.#counted.set(kept, values);
    }
    values[kind] += amount;
  }
}

/** What takes long enough to be worth a microsecond of counting: batches, runs, productions. */
export const histogram = (name: string, help: string, buckets: readonly number[]): Histogram =>
  new Histogram({ name, help, buckets: [...buckets], registers });

export interface Reading {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * How the values of several workers become one: `sum` of what each has, `max` where all tell of the same, such as
 * the database.
 */
export type Together = 'sum' | 'max';

/** A gauge that is asked when metrics are read. */
export function gauge(
  name: string,
  help: string,
  read: () => readonly Reading[] | Promise<readonly Reading[]>,
  {
    labels = [],
    together = 'sum',
  }: { readonly labels?: readonly string[]; readonly together?: Together } = {},
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers,
    aggregator: together,
    async collect() {
      const readings = await read();
      this.reset();
      if (labels.length === 0 && readings.length === 0) this.remove(); // unknown is not zero
      for (const { labels: of = {}, value } of readings) this.set(of, value);
    },
  });
}

/** The sum of one metric's values, of those with the labels; undefined where it has none. */
export async function valueOf(
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const metric = processMetrics().getSingleMetric(name);
  if (metric === undefined) throw new Error(`there is no metric ${name}`);
  const { values } = await metric.get();
  const matching = values.filter(({ labels: of }) =>
    Object.entries(labels).every(([label, value]) => of[label] === value),
  );
  return matching.length === 0 ? undefined : matching.reduce((sum, { value }) => sum + value, 0);
}

/** The sum and the number of what a histogram has observed. */
export async function totalsOf(name: string): Promise<{ readonly sum: number; readonly count: number }> {
  const metric = processMetrics().getSingleMetric(name);
  if (metric === undefined) throw new Error(`there is no metric ${name}`);
  const { values } = await metric.get();
  const ending = (suffix: string): number =>
    values.find((one) => 'metricName' in one && one.metricName === `${name}_${suffix}`)?.value ?? 0;
  return { sum: ending('sum'), count: ending('count') };
}
