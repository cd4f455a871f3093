// Lists of what was stale at a time: the results of then, each compared with what there was
// (docs/reference/artifact.md#stale-results-of-a-time).
import { badRequest } from '../../../platform/errors.ts';
import { inGroups } from '../../../platform/in-groups.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import { decodeCursorAt, encodeCursor, endOfCursor, textPart } from '../../../platform/paging.ts';
import type { Production } from '../productions/production.ts';
import type { ProductionService } from '../productions/productions.service.ts';
import { resultsOf } from './examine.ts';
import type { StaleItem, StalePage } from './stale-page.ts';
import type { StalenessService } from './staleness.service.ts';

/** Productions that are looked at together, and by one page: the next one goes on. */
const BATCH = 50;
const MAX_PRODUCTIONS = 1000;
/** Results that are compared at once. */
const AT_ONCE = 50;

/** A production, and how many of its results were told. */
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
}

const cursorAt = ({ requestedAt, id, results }: Told, asOf: string): string =>
  encodeCursor([`${requestedAt} ${results} ${id}`, ...endOfCursor(asOf)]);

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
  let last = told;
  for (let looked = 0; looked < MAX_PRODUCTIONS; looked += BATCH) {
    const { productions, isLast } = await nextProductions(last, asOf, rule, deps);
    const stale = await staleAmong(productions, deps);
    for (const { requestedAt, id } of productions) {
      const own = stale.filter(({ productionId }) => productionId === id);
      const first = told?.id === id ? told.results : 0;
      const fits = own.slice(first, first + limit - items.length);
      items.push(...fits);
      if (first + fits.length < own.length) return page({ requestedAt, id, results: first + fits.length });
      last = { requestedAt, id, results: ALL };
    }
    if (isLast) return page(null);
  }
  return page(last);
}

/** Those after the last one; that itself first, as long as not all its results were told. */
async function nextProductions(
  last: Told | null,
  asOf: string,
  rule: string | null,
  { productions }: StaleThenDeps,
): Promise<{ readonly productions: readonly Production[]; readonly isLast: boolean }> {
  if (last !== null && last.results < ALL) {
    const again = await productions.get(last.id, asOf);
    if (again?.requestedAt !== last.requestedAt) throw badRequest(OTHER_LIST);
    return { productions: [again], isLast: false };
  }
  const cursor = last && encodeCursor([last.requestedAt, last.id, asOf]);
  const wanted = { entityType: null, status: 'completed', rule, project: null, requestId: null } as const;
  const page = await productions.page({ ...wanted, limit: BATCH, offset: 0, cursor, asOf });
  return { productions: page.productions, isLast: page.nextCursor === null };
}

/** The results of productions that were stale, as long as nothing had made them again. */
async function staleAmong(
  productions: readonly Production[],
  { productions: all, staleness, seenAmong }: StaleThenDeps,
): Promise<readonly StaleItem[]> {
  const made = productions.flatMap((production) =>
    resultsOf(production, production.entityIds).map((result) => ({ result, production })),
  );
  const seen = new Set(made.length === 0 ? [] : await seenAmong(made.map(({ result }) => result.entityId)));
  const compared = await inGroups(
    made.filter(({ result }) => seen.has(result.entityId)),
    AT_ONCE,
    async ({ result, production }): Promise<StaleItem[]> => {
      const latest = await all.ofEntity(result.entityId);
      const found = latest?.id === production.id ? await staleness.of(production) : null;
      return found?.isStale === true
        ? [{ ...result, rule: production.rule, since: null, compared: null, staleness: found }]
        : [];
    },
  );
  return compared.flat();
}
