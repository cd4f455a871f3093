// Pages and totals under a filter with a residue: candidates are walked in order and checked one by one
// (docs/reference/metadata.md#residual-filters).
import { DomainError } from '../../../platform/errors.ts';
import { FairSlots, TooManyWaiting } from '../../../platform/fair-slots.ts';
import type { Identity } from '../../../platform/identity.ts';
import { Turn } from '../../../platform/turns.ts';
import { RESIDUE_LIMITS, type ResidueAllowance, ResidueCheck, tooMuch } from '../filters/check-residue.ts';
import type { CompiledFilter } from '../filters/compile-filter.ts';
import { EntityRecord, type EntityRow } from '../reading/entity-record.ts';
import type { PageRequest, PageRow } from '../reading/page-request.ts';

/** The caller, the operation's remaining allowance, and the deadline of the answer. */
export interface PageReader {
  readonly identity: Identity;
  readonly signal?: AbortSignal | undefined;
  readonly allowance: ResidueAllowance;
}

export interface ResidualReads {
  /** `isShown`: false if most rows are only examined. */
  page(request: PageRequest, isShown?: boolean): Promise<PageRow[]>;
  /** The page in batches; it ends with the signal. */
  walk(request: PageRequest, signal: AbortSignal): AsyncIterable<readonly PageRow[]>;
  /** The number of candidates, counted up to `most`; null if counting takes as long as walking. */
  countUpTo(request: PageRequest, most: number): Promise<number | null>;
}

/** Candidates that one plain statement reads: for most filters they suffice. */
const FIRST = 256;
/** From this number of candidates on it is worth counting the rest; earlier if they are expensive. */
const SAMPLE = 2000;
/** The time limit of a walk, including the time it waits for others. */
const MAX_SCAN_MS = 30_000;

/**
 * Maximum number of long walks in the process: they take turns on the event loop, and each holds a connection
 * to the database.
 */
const walks = new FairSlots({ slots: 4, perKey: 2, waiting: 20 });

export class ResidualPages {
  readonly #reads: ResidualReads;

  constructor(reads: ResidualReads) {
    this.#reads = reads;
  }

  /**
   * The page and one entity more, which tells whether there is another page; with the total if it is
   * requested and one walk gives both.
   * @throws DomainError `validation_failed` if there are too many candidates or they are too expensive;
   * `rate_limit_exceeded` if too many of the caller's walks wait
   */
  async page(
    page: PageRequest,
    filter: CompiledFilter,
    counts: boolean,
    asking: PageReader,
  ): Promise<{ rows: PageRow[]; total: number | null }> {
    const both = counts && page.after === null;
    const rows: PageRow[] = [];
    let seen = 0;
    await this.#each(page, filter, both, asking, (row) => {
      if (++seen > page.offset && rows.length <= page.limit) rows.push(row);
      return !both && rows.length > page.limit;
    });
    return { rows, total: both ? seen : null };
  }

  /** The total number of matches. @throws DomainError as {@link page} */
  async total(page: PageRequest, filter: CompiledFilter, asking: PageReader): Promise<number> {
    let total = 0;
    await this.#each({ ...page, after: null }, filter, true, asking, () => {
      total++;
      return false;
    });
    return total;
  }

  /** Passes matches on, in order, until `take` has enough. `all`: whether it never has. */
  async #each(
    request: PageRequest,
    filter: CompiledFilter,
    all: boolean,
    { identity, signal: gone, allowance }: PageReader,
    take: (row: PageRow) => boolean,
  ): Promise<void> {
    const check = new ResidueCheck(filter, allowance);
    const deadline = AbortSignal.timeout(MAX_SCAN_MS);
    const signal = gone === undefined ? deadline : AbortSignal.any([gone, deadline]);
    const checked = checking(check, take, signal);
    try {
      const first = await this.#reads.page({ ...request, limit: FIRST, offset: 0 }, false);
      const last = first.at(-1);
      if ((await checked(first)) || last === undefined || first.length < FIRST) return;
      const leave = await walks.enter(identity.actor, signal);
      try {
        await this.#rest(
          { ...request, after: JSON.parse(last.order_keys) as string[] },
          request,
          all,
          check,
          checked,
          signal,
        ); // the statement returns it as a list of texts
      } finally {
        leave();
      }
    } catch (error) {
      if (error instanceof TooManyWaiting)
        throw new DomainError(
          'rate_limit_exceeded',
          `filter: too many of your filters are being checked entity by entity at the same time; ${error.message}`,
        );
      if (deadline.aborted && gone?.aborted !== true)
        throw tooMuch(filter, 'checking entities one by one takes too long', {
          limit: 'time',
          allowed: MAX_SCAN_MS,
        });
      throw error;
    }
  }

  async #rest(
    rest: PageRequest,
    request: PageRequest,
    all: boolean,
    check: ResidueCheck,
    checked: (rows: readonly PageRow[]) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<void> {
    let seen = FIRST;
    let isExpected = !all;
    const most = RESIDUE_LIMITS.candidates + 1;
    for await (const rows of this.#reads.walk({ ...rest, limit: most - FIRST, offset: 0 }, signal)) {
      if (await checked(rows)) return;
      seen += rows.length;
      if (isExpected || (seen < SAMPLE && !check.isCostly)) continue;
      isExpected = true;
      const candidates = await this.#reads.countUpTo(request, most);
      if (candidates !== null) check.expect(candidates);
    }
  }
}

/** Checks batches, in slices of the event loop's time: true once `take` has enough. */
export function checking<Row extends EntityRow>(
  check: ResidueCheck,
  take: (row: Row) => boolean,
  signal: AbortSignal,
): (rows: readonly Row[]) => Promise<boolean> {
  const turn = new Turn();
  return async (rows) => {
    for (const row of rows) {
      if (turn.isOver) {
        await turn.next();
        signal.throwIfAborted();
      }
      if (check.matches(new EntityRecord(row).bound()) && take(row)) return true;
    }
    return false;
  };
}
