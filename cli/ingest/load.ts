// Sends rows to the bulk endpoint, in order and in constant memory, and tells what became of each.
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../platform/json-object.ts';
import { refusedFields } from '../../platform/tables/refused-fields.ts';
import { type Api, type Json, member, rows } from '../api.ts';
import { Failure } from '../failure.ts';
import type { Sent } from './requests.ts';

export interface Fault {
  readonly message: string;
  readonly column: string | null;
}

/** What became of a row. */
export interface Outcome {
  readonly sent: Sent;
  readonly refusal?: Fault & {
    /** What `message` is made of: a row may have several faults. */
    readonly faults: readonly Fault[];
    /** The status that the row alone would have had; null where it was not sent. */
    readonly status: number | null;
  };
}

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

export interface BulkLoadOptions {
  readonly mode: 'load' | 'dry run' | 'all or nothing';
  /** JSON text of the provenance context. */
  readonly context: string | undefined;
  /** Requests under way at the same time. */
  readonly concurrency: number;
}

interface Size {
  readonly rows: number;
  readonly bytes: number;
}
/** The first request is small, so that what concerns all rows is known early. */
const FIRST: Size = { rows: 100, bytes: 1024 * 1024 };
/** Large ones: the platform reads rows while it writes those before, within a request. */
const ALONE: Size = { rows: 5000, bytes: 4 * 1024 * 1024 };
/** Smaller ones where several are under way, so that at the end none waits for the largest. */
const BESIDE_OTHERS: Size = { rows: 1000, bytes: 4 * 1024 * 1024 };
/** What the platform judges together. */
const TOGETHER: Size = { rows: 20_000, bytes: 8 * 1024 * 1024 };

/** A request waits no longer for further rows where none come: a source may go on without end. */
const MAX_WAIT_MS = 500;
const IDLE_MS = 250;

/** Collects rows into requests. */
async function* batches(
  source: AsyncIterable<Sent>,
  sizes: Iterator<Size>,
): AsyncGenerator<readonly Sent[], void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let batch: Sent[] = [];
  let bytes = 0;
  let size = sizes.next().value as Size; // the sizes do not end
  let late: Promise<'late'> | undefined;
  let lastAt = 0;
  const taken = (): readonly Sent[] => {
    const full = batch;
    [batch, bytes, late] = [[], 0, undefined];
    size = sizes.next().value as Size; // likewise
    return full;
  };
  try {
    for (let next = iterator.next(); ;) {
      const one = await (late === undefined || size === TOGETHER ? next : Promise.race([next, late]));
      if (one === 'late') {
        late = undefined;
        if (performance.now() - lastAt >= IDLE_MS) yield taken();
        else late = sleep(MAX_WAIT_MS, 'late' as const, { ref: false });
        continue;
      }
      if (one.done === true) break;
      const sent = one.value;
      next = iterator.next();
      next.catch(() => undefined); // it is awaited in the next turn
      const length = Buffer.byteLength(sent.body) + 1;
      if (batch.length > 0 && (batch.length >= size.rows || bytes + length > size.bytes)) yield taken();
      late ??= sleep(MAX_WAIT_MS, 'late' as const, { ref: false });
      batch.push(sent);
      bytes += length;
      lastAt = performance.now();
    }
    if (batch.length > 0) yield batch;
  } finally {
    iterator.return?.().catch(() => undefined); // a source that waits for input does not end
  }
}

function* sizesOf({ mode, concurrency }: BulkLoadOptions): Generator<Size> {
  if (mode === 'load') yield FIRST;
  const next = concurrency === 1 ? ALONE : BESIDE_OTHERS;
  for (;;) yield mode === 'load' ? next : TOGETHER;
}

function columnIn(details: unknown, { columnOf }: Sent): string | null {
  const columns = refusedFields(details).flatMap((field) => columnOf(field) ?? []);
  return columns.length === 0 ? null : columns.join(', ');
}

/** The faults of a row that has several; none where it is refused for one. */
function faultsIn(details: unknown, sent: Sent): readonly Fault[] {
  const failures = isObject(details) && Array.isArray(details['failures']) ? details['failures'] : [];
  return failures.flatMap((failure: unknown) =>
    isObject(failure) && typeof failure['message'] === 'string'
      ? [{ message: failure['message'], column: columnIn(failure, sent) }]
      : [],
  );
}

function outcomeOf(sent: Sent, told: Json | undefined): Outcome {
  if (told === undefined) throw new Failure("the server's answer has no outcome for a row");
  if (typeof told['message'] !== 'string') return { sent };
  const whole = { message: told['message'], column: columnIn(told['details'], sent) };
  const faults = faultsIn(told['details'], sent);
  const status = typeof told['code'] === 'number' ? told['code'] : null;
  return { sent, refusal: { ...whole, faults: faults.length > 0 ? faults : [whole], status } };
}

export interface Loaded {
  readonly outcomes: readonly Outcome[];
  readonly counts: Counts;
}

/** Sends one request. @throws ApiFailure where none of its rows was looked at */
async function send(api: Api, batch: readonly Sent[], { mode, context }: BulkLoadOptions): Promise<Loaded> {
  const good = batch.filter(({ fault }) => fault === undefined);
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  let told: readonly Json[] = [];
  // with a row that cannot be sent, all or nothing is nothing, and the platform judges the others
  const isDry = mode === 'dry run' || (mode === 'all or nothing' && good.length < batch.length);
  if (good.length > 0) {
    const answer = member(
      await api.call({
        method: 'POST',
        path: '/api/v1/metadata/ingest/bulk',
        query: {
          dry_run: isDry ? true : undefined,
          all_or_nothing: mode === 'all or nothing' && !isDry ? true : undefined,
        },
        text: good.map(({ body }) => body).join('\n'),
        headers: {
          'content-type': 'application/x-ndjson',
          ...(context === undefined ? {} : { 'x-metadata-context': context }),
        },
      }),
      'data',
    );
    told = rows(answer, 'outcomes');
    if (mode !== 'all or nothing' || !isDry)
      for (const name of ['created', 'updated', 'unchanged'] as const)
        counts[name] = Number(member(answer, name));
  }
  let next = 0;
  const outcomes = batch.map((sent): Outcome => {
    if (sent.fault !== undefined)
      return { sent, refusal: { ...sent.fault, faults: [sent.fault], status: null } };
    return outcomeOf(sent, told[next++]);
  });
  counts.failed = outcomes.filter(({ refusal }) => refusal !== undefined).length;
  return { outcomes, counts };
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

function meets(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const id of others) if (some.has(id)) return true;
  return false;
}

/** Reads all rows before any is sent. @throws Failure for more than can be written together */
async function allTogether(source: AsyncIterable<Sent>, options: BulkLoadOptions): Promise<readonly Sent[]> {
  let all: readonly Sent[] = [];
  for await (const batch of batches(source, sizesOf(options))) {
    if (all.length > 0)
      throw new Failure(
        `--all-or-nothing takes at most ${TOGETHER.rows} rows and ${TOGETHER.bytes / 1024 / 1024} MiB: nothing was sent`,
      );
    all = batch;
  }
  return all;
}

/**
 * Loads all rows. Requests begin in the order of the rows; rows with the same id are never under way together.
 * `onLoaded` is called in the order of the rows; the load stops where it throws.
 * @throws ApiFailure, Failure
 */
export async function load(
  api: Api,
  source: AsyncIterable<Sent>,
  options: BulkLoadOptions,
  onLoaded: (loaded: Loaded) => void | Promise<void>,
): Promise<void> {
  if (options.mode === 'all or nothing') {
    await onLoaded(await send(api, await allTogether(source, options), options));
    return;
  }
  const underWay: { readonly ids: ReadonlySet<string>; readonly settled: Promise<Loaded | Error> }[] = [];
  const take = async (): Promise<void> => {
    const settled = await underWay.shift()?.settled;
    if (settled instanceof Error) throw settled;
    if (settled !== undefined) await onLoaded(settled);
  };
  let isFirst = options.mode === 'load';
  try {
    for await (const batch of batches(source, sizesOf(options))) {
      const ids = new Set(batch.flatMap(({ id }) => id ?? []));
      while (underWay.length >= options.concurrency || underWay.some((one) => meets(one.ids, ids)))
        await take();
      underWay.push({ ids, settled: send(api, batch, options).catch(asError) });
      if (isFirst) await take();
      isFirst = false;
    }
    while (underWay.length > 0) await take();
  } finally {
    // what was sent is written before the command ends
    await Promise.all(underWay.map(({ settled }) => settled));
  }
}
