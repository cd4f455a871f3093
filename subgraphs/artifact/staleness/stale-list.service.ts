// Lists of stale results: candidates by their marks, each compared as its caller sees it
// (docs/reference/artifact.md#lists-of-stale-results).
import { callerAsOf } from '../../../platform/caller-with.ts';
import { badRequest } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { inGroups } from '../../../platform/in-groups.ts';
import { checkPage, encodeCursor } from '../../../platform/paging.ts';
import { isUnstorable, type Queryable } from '../../../platform/queryable.ts';
import { foundByIds } from '../in-filters.ts';
import { type AskPlatform, question } from '../platform-port.ts';
import { findSchema, noSuchType } from '../registration/entity-schema.ts';
import type { Looked, StaleMarks } from './stale-marks.ts';
import { pageOfThen, type StalePlace, stalePlace, type StaleThenDeps } from './stale-then.ts';
import type { StaleItem, StalePage } from './stale-page.ts';
import { marksAfter } from './changed-results.store.ts';
import {
  listStaleResults,
  type StaleMarksRead,
  type StaleResult,
  type StaleWanted,
} from './listed-marks.store.ts';
import type { KeptComparison, Staleness, StalenessService } from './staleness.service.ts';

export interface StaleArguments {
  readonly entityType: string | null;
  /** `name@n`, or a plain name for all its versions. */
  readonly rule: string | null;
  /** In CEL, of the entities. */
  readonly filter: string | null;
  /** Only those that became stale later. */
  readonly since: string | null;
  readonly limit: number;
  readonly cursor: string | null;
  /** What was stale then; null for what is, or was at the time of the operation. */
  readonly asOf: string | null;
}

/** Candidates of callers of some projects that are looked at together at first; twice as many each time, where they see few of them. */
const FIRST_BATCH = 50;
const MAX_BATCH = 800;
/** Candidates that one page looks at: where the caller sees hardly any of them, the next page goes on. */
const MAX_CANDIDATES = 10_000;

const SEEN = `query StaleEntities($entityType: String, $filter: String!, $limit: Int!) {
  entities(entityType: $entityType, filter: $filter, limit: $limit, includeUnavailable: true, count: NONE) { items { id } }
}`;

interface SeenEntities {
  readonly items: readonly { readonly id: string }[];
}

export interface StaleListDeps {
  readonly db: Queryable;
  readonly ask: AskPlatform;
  readonly marks: Pick<StaleMarks, 'catchUp' | 'compared'>;
  readonly staleness: StalenessService;
  /** The instant if it has passed, or else the present one. */
  readonly passed: (instant: string) => Promise<string>;
  /** What was, for the same caller. */
  readonly then: (asOf: string) => Pick<StaleThenDeps, 'productions' | 'staleness'>;
}

/** For one operation's caller. */
export class StaleListService {
  readonly #deps: StaleListDeps;
  readonly #caller: Caller;

  constructor(deps: StaleListDeps, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
  }

  /**
   * A page of the stale results that the caller sees, in the order in which they became stale; as of a time, in that of
   * their productions, what was asked for last first.
   * @throws DomainError `invalid_request`, `not_found` for an unknown type, `validation_failed` for the filter
   */
  async page({
    entityType,
    rule,
    filter,
    since,
    limit,
    cursor,
    asOf: asked,
  }: StaleArguments): Promise<StalePage> {
    checkPage({ limit, offset: 0 });
    const { since: last, told, asOf } = await this.#place(cursor, asked);
    const types = entityType === null ? null : await this.#typesOf(entityType);
    const caller = asOf === null ? this.#caller : callerAsOf(this.#caller, asOf);
    // read by itself: it is refused also where there is nothing to filter, and cannot end what stands before it
    if (filter !== null) await this.#seen(entityType, filter, 1, caller);
    if (asOf !== null) {
      if (since !== null)
        throw badRequest('since is of the present: leave it out of what is read as of a time');
      const seenAmong = (ids: readonly string[]) => this.#seenAmong(ids, entityType, filter, caller);
      const then = { ...this.#deps.then(asOf), seenAmong, budget: this.#caller.budget };
      return pageOfThen({ asOf, rule, limit, told }, then);
    }
    const after = last ?? since;
    let position = after;
    const wanted = { types, rule, after };
    const marked = (many: number): Promise<StaleMarksRead> =>
      listStaleResults(this.#deps.db, this.#caller.projects, { ...wanted, after: position }, many);
    let isLast = isUnstorable(rule);
    const seesAll = this.#caller.projects === '*';
    let batch = seesAll ? Math.min(Math.max(limit, FIRST_BATCH), MAX_BATCH) : FIRST_BATCH;
    // read beside the look: mostly it finds that they were as they should be
    const [upToNow, first] = await Promise.all([this.#deps.marks.catchUp(), isLast ? null : marked(batch)]);
    const { isComplete, upTo } = upToNow;
    const items: StaleItem[] = [];
    for (let looked = 0; !isLast && items.length < limit && looked < MAX_CANDIDATES; looked += batch) {
      if (looked > 0) batch = Math.min(batch * 2, MAX_BATCH);
      const known = looked === 0 && first !== null ? this.#known(first, upToNow, wanted, batch) : null;
      const candidates = known ?? (await marked(batch)).marks;
      isLast = candidates.length < batch;
      const compared = await this.#compared(candidates, entityType, filter, upToNow);
      for (const [i, candidate] of candidates.entries()) {
        if (items.length === limit) {
          isLast = false;
          break;
        }
        position = candidate.since;
        const staleness = compared[i];
        if (staleness?.isStale === true) items.push({ ...candidate, staleness });
      }
    }
    const nextCursor = isLast || position === null ? null : encodeCursor([position]);
    return { items, isComplete, upTo, nextCursor };
  }

  /** Where a page begins: one as of an instant in the future is as of now, and later pages as of the now of the first. */
  async #place(cursor: string | null, asked: string | null): Promise<StalePlace> {
    const wanted = asked ?? this.#caller.asOf ?? null;
    const passed = wanted === null ? null : await this.#deps.passed(wanted);
    return stalePlace(cursor, asked === passed ? asked : null, passed);
  }

  /** Marks that were read beside the look as they are after it, where this is known without reading them again. */
  #known(
    { state, marks }: StaleMarksRead,
    { state: now, written }: Pick<Looked, 'state' | 'written'>,
    { types, rule, after }: StaleWanted,
    batch: number,
  ): readonly StaleResult[] | null {
    if (state === now) return marks;
    const isAll = after === null && rule === null && marks.length < batch && this.#caller.projects === '*';
    if (written === null || state !== written.from || !isAll) return null;
    return marksAfter(written, marks).filter(({ entityType }) => types?.includes(entityType) ?? true);
  }

  /** Null for those that the caller does not see, or that do not match. */
  async #compared(
    candidates: readonly StaleResult[],
    entityType: string | null,
    filter: string | null,
    { isComplete, revision }: Pick<Looked, 'isComplete' | 'revision'>,
  ): Promise<readonly (Staleness | null)[]> {
    const { marks, staleness } = this.#deps;
    const ids = candidates.map(({ entityId }) => entityId);
    const seesAll = this.#caller.projects === '*';
    const isShown = filter === null && seesAll; // the type was looked at with the marks
    const found: ReadonlyMap<string, KeptComparison> = isComplete ? marks.compared(candidates) : new Map();
    const required = seesAll ? [] : [...new Set([...found.values()].flatMap((one) => one.required))];
    const [shown, inputs] = await Promise.all([
      isShown ? ids : this.#seenAmong(ids, entityType, filter),
      required.length === 0 ? [] : this.#seenAmong(required, null, null),
    ]);
    // what was found holds for who sees all that it was made of
    const seen = new Set(inputs);
    const kept = new Map([...found].filter(([, one]) => seesAll || one.required.every((id) => seen.has(id))));
    staleness.know(new Map([...kept].map(([id, { inputs: own }]) => [id, own])));
    const isWanted = new Set(shown);
    const compared = new Map(
      await inGroups(
        candidates.filter(({ entityId }) => isWanted.has(entityId)),
        isShown ? MAX_BATCH : FIRST_BATCH,
        async ({ entityId, productionId }) => {
          const one = kept.get(productionId);
          const suffices = one !== undefined && !one.isByChain && (seesAll || !one.isOfMade);
          const known = suffices ? await staleness.ofKept(productionId, one, revision) : null;
          return [entityId, known ?? (await staleness.ofEntity(entityId))] as const;
        },
      ),
    );
    return ids.map((id) => compared.get(id) ?? null);
  }

  async #seenAmong(
    ids: readonly string[],
    entityType: string | null,
    filter: string | null,
    caller = this.#caller,
  ): Promise<readonly string[]> {
    const found = await foundByIds(
      ids,
      (wanted) => this.#seen(entityType, wanted.filter, wanted.limit, caller),
      filter,
    );
    return [...new Set(found.map(({ id }) => id))];
  }

  #seen(entityType: string | null, filter: string, limit: number, caller: Caller): Promise<SeenEntities> {
    return question(this.#deps.ask, SEEN, 'entities', { entityType, filter, limit }, caller);
  }

  async #typesOf(entityType: string): Promise<readonly string[]> {
    const schema = isUnstorable(entityType)
      ? null
      : await findSchema(this.#deps.ask, entityType, this.#caller);
    if (schema === null) throw await noSuchType(this.#deps.ask, entityType, this.#caller);
    return [schema.name, ...schema.subtypes];
  }
}

/** The slice of the resolvers' context. */
export interface StaleListSlice {
  readonly staleResults: StaleListService;
}
