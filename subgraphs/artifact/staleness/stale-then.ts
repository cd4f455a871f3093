// Lists of what was stale at a time: the results of then, each compared with what there was
// (docs/reference/artifact.md#stale-results-of-a-time).
import type { Budget } from '../../../platform/budget/budget.ts';
import { badRequest } from '../../../platform/errors.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import { decodeCursorAt, encodeCursor, endOfCursor, textPart } from '../../../platform/paging.ts';
import type { Production } from '../productions/production.ts';
import type { ProductionService } from '../productions/productions.service.ts';
import { resultsOf } from './examine.ts';
import type { StaleItem, StalePage } from './stale-page.ts';
import type { StalenessService } from './staleness.service.ts';

/** Productions that are read together at first, as far as that many are asked for, and at most: twice as many each time. */
const BATCH = { first: 10, most: 50 } as const;
/** Productions that one page looks at: the next one goes on. */
const MAX_PRODUCTIONS = 1000;
/** Results that are compared at once. */
const AT_ONCE = 50;

/** A production, and how many of its results were looked at. */
interface Told {
  readonly requestedAt: string;
  readonly id: string;
  readonly results: number;
}
/** After all that it made. */
const ALL = Number.MAX_SAFE_INTEGER;

export interface StalePlace {
  /** Of the present, when the last result became stale. */
  readonly since: string | null;
  readonly told: Told | null;
  /** Null for the present. */
  readonly asOf: string | null;
}

/** A result, and where the list goes on after it. */
interface Made {
  readonly result: ReturnType<typeof resultsOf>[number];
  readonly production: Production;
  readonly told: Told;
}

const OTHER_LIST = 'cursor does not come from this list';

function readTold(text: string): Told {
  const [requestedAt = '', results = '', ...id] = text.split(' ');
  if (canonicalInstant(requestedAt) !== requestedAt || !/^\d{1,16}$/.test(results))
    throw badRequest(OTHER_LIST);
  return { requestedAt, id: id.join(' '), results: Number(results) };
}

/**
 * Where a list goes on, and as of when: a cursor of the past has its instant, which goes before that of the operation.
 * @throws DomainError `invalid_request` for a cursor of another list, or of another time
 */
export function stalePlace(
  cursor: string | null,
  asked: string | null,
  ofOperation: string | null,
): StalePlace {
  const { after, asOf: own } = decodeCursorAt(cursor, [textPart], asked);
  if (after === null) return { since: null, told: null, asOf: asked ?? ofOperation };
  const last = String(after[0]);
  if (own !== null) return { since: null, told: readTold(last), asOf: own };
  if (ofOperation !== null) throw badRequest('cursor comes from this list as of another time');
  if (canonicalInstant(last) === null) throw badRequest(OTHER_LIST);
  return { since: last, told: null, asOf: null };
}

export interface StaleThen {
  readonly asOf: string;
  readonly rule: string | null;
  readonly limit: number;
  readonly told: Told | null;
}

/** As of the instant, for a caller. */
export interface StaleThenDeps {
  readonly productions: Pick<ProductionService, 'get' | 'page' | 'ofEntity'>;
  readonly staleness: Pick<StalenessService, 'of'>;
  /** Those of them that the caller sees, and that match. */
  readonly seenAmong: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Of the operation, if it is bounded. */
  readonly budget: Pick<Budget, 'remaining'> | undefined;
}

const cursorAt = ({ requestedAt, id, results }: Told, asOf: string): string =>
  encodeCursor([`${requestedAt} ${results} ${id}`, ...endOfCursor(asOf)]);

/**
 * Whether half of what the operation could still take is taken. Looked at after parts that at most double, it is so before all
 * is: the page ends, where it would have been refused with no way to go on.
 */
function halfTaken(budget: StaleThenDeps['budget']): () => boolean {
  if (budget === undefined) return () => false;
  const { objects, bytes, timeMs } = budget.remaining;
  return () => {
    const left = budget.remaining;
    return left.objects * 2 < objects || left.bytes * 2 < bytes || left.timeMs * 2 < timeMs;
  };
}

/** What productions have made, without what was looked at of the last one. */
const madeBy = (productions: readonly Production[], last: Told | null): readonly Made[] =>
  productions.flatMap((production) => {
    const results = resultsOf(production, production.entityIds);
    const { requestedAt, id } = production;
    return results
      .map((result, i) => {
        const isLast = i + 1 === results.length;
        return { result, production, told: { requestedAt, id, results: isLast ? ALL : i + 1 } };
      })
      .slice(last?.id === id ? last.results : 0);
  });

/** A page of what was stale then, what was asked for last first. */
export async function pageOfThen(
  { asOf, rule, limit, told }: StaleThen,
  deps: StaleThenDeps,
): Promise<StalePage> {
  const items: StaleItem[] = [];
  const page = (end: Told | null): StalePage => ({
    items,
    isComplete: true,
    upTo: asOf,
    nextCursor: end && cursorAt(end, asOf),
  });
  const isSpent = halfTaken(deps.budget);
  let last = told;
  let batch = Math.min(limit, BATCH.first);
  let together = batch;
  for (let looked = 0; looked < MAX_PRODUCTIONS && !(looked > 0 && isSpent()); looked += batch) {
    if (looked > 0) batch = Math.min(batch * 2, BATCH.most);
    const { productions, isLast } = await nextProductions(last, { asOf, rule, batch }, deps);
    const made = madeBy(productions, last);
    for (let from = 0; from < made.length;) {
      if (from > 0 && isSpent()) return page(last);
      const part = made.slice(from, from + together);
      from += part.length;
      together = Math.min(together * 2, AT_ONCE);
      for (const [i, item] of (await staleAmong(part, deps)).entries()) {
        if (item !== null && items.length === limit) return page(last);
        if (item !== null) items.push(item);
        last = part[i]?.told ?? last;
      }
    }
    const end = productions.at(-1);
    if (end !== undefined) last = { requestedAt: end.requestedAt, id: end.id, results: ALL };
    if (isLast) return page(null);
  }
  return page(last);
}

/** Those after the last one; that itself first, as long as not all its results were looked at. */
async function nextProductions(
  last: Told | null,
  { asOf, rule, batch }: Pick<StaleThen, 'asOf' | 'rule'> & { readonly batch: number },
  { productions }: StaleThenDeps,
): Promise<{ readonly productions: readonly Production[]; readonly isLast: boolean }> {
  if (last !== null && last.results < ALL) {
    const again = await productions.get(last.id, asOf);
    if (again?.requestedAt !== last.requestedAt) throw badRequest(OTHER_LIST);
    return { productions: [again], isLast: false };
  }
  const cursor = last && encodeCursor([last.requestedAt, last.id, asOf]);
  const wanted = { entityType: null, status: 'completed', rule, project: null, requestId: null } as const;
  const page = await productions.page({ ...wanted, limit: batch, offset: 0, cursor, asOf });
  return { productions: page.productions, isLast: page.nextCursor === null };
}

/** Each if it was stale, and nothing had made it again. */
async function staleAmong(
  made: readonly Made[],
  { productions: all, staleness, seenAmong }: StaleThenDeps,
): Promise<readonly (StaleItem | null)[]> {
  const seen = new Set(await seenAmong(made.map(({ result }) => result.entityId)));
  return Promise.all(
    made.map(async ({ result, production }) => {
      const latest = seen.has(result.entityId) ? await all.ofEntity(result.entityId) : null;
      const found = latest?.id === production.id ? await staleness.of(production) : null;
      return found?.isStale === true
        ? { ...result, rule: production.rule, since: null, compared: null, staleness: found }
        : null;
    }),
  );
}
