// Entities: reading one or a page as the caller may see them, ingest, update
// (docs/reference/metadata.md#entities, docs/reference/metadata.md#listing).
import { compileTurn } from '../../../platform/cel/compile-turn.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { Batched } from '../../../platform/keyed-loader.ts';
import type { Moment } from '../reading/timeline.ts';
import { ResidueAllowance } from '../filters/check-residue.ts';
import { compileFilter, type FilterPlan } from '../filters/compile-filter.ts';
import type { RangedField } from '../filters/ranged-fields.ts';
import type { Write, Written, Author } from '../log/write.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { EntityRecord, EntityRow } from '../reading/entity-record.ts';
import type { EntityJson } from './entity-json.ts';
import type { EntityQueries } from './entity-queries.ts';
import { create, ingest, type IngestRequest, update, type WantedVersion } from './entity-writes.ts';
import { readIngest, readUpdate } from './ingest-request.ts';
import { type ListRequest, type PlannedPage, planPage } from './list-request.ts';
import { cursorsOf, writeCursor } from './page-cursor.ts';
import type { Condition, PagePlan, PageRequest, PageRow } from '../reading/page-request.ts';
import { type PageReader, ResidualPages } from './residual-page.ts';
import { withTimestamps, type WrittenEntity } from './written-entity.ts';

export interface EntityDeps {
  readonly reads: EntityQueries;
  readonly catalogue: () => SchemaCatalogue;
  write<Result>(write: Write<Result>): Promise<Written<Result>>;
  /** Receives every range condition that a listing of a type has on a field. */
  onRange(entityType: string, field: RangedField): void;
  /** The words of a search as a condition of what is listed otherwise. @throws DomainError `validation_failed` */
  words(q: string): Condition;
  /** The reasons why indexes exist. */
  why(indexes: readonly string[]): Promise<readonly ServingIndex[]>;
}

/** An index, and a sentence that says why it exists. */
export interface ServingIndex {
  readonly name: string;
  readonly why: string;
}

/** How a filter is evaluated, and by which indexes. */
export interface Explanation extends FilterPlan, PagePlan {
  readonly servedBy: readonly ServingIndex[];
  /** Warnings about unknown names. */
  readonly warnings: readonly string[];
}

const NO_FILTER: FilterPlan = { pushed: [], left: [], reasons: [], fields: [] };

export interface EntityPage {
  readonly rows: readonly PageRow[];
  /** The moment of the states; null for the present. */
  readonly at: Moment;
  readonly nextCursor: string | null;
  /** The cursor of what comes after a row of the page. */
  cursorOf(row: PageRow): string;
  readonly limit: number;
  readonly offset: number;
  /** Warnings about unknown names. */
  readonly warnings: readonly string[];
  /** Found on demand, as {@link Listing.count} says: null for none. */
  total(): Promise<number | null>;
}

/** How a total is found (docs/reference/metadata.md#totals). */
export type CountMode = 'EXACT' | 'ESTIMATED' | 'NONE';

/**
 * The caller of a listing and its conditions: its deadline, its remaining allowance for checking rows,
 * whether it will ask for the total.
 */
export interface Listing {
  readonly signal?: AbortSignal | undefined;
  readonly allowance?: ResidueAllowance;
  readonly counts?: boolean;
  readonly count?: CountMode;
  /** Whether the rows are wanted, beside a total; default true. */
  readonly rows?: boolean;
}

export interface EntityTextPage {
  /** The entities' JSON, separated by commas. */
  readonly items: string;
  /** Null if it was not requested. */
  readonly total: number | null;
  readonly limit: number;
  readonly offset: number;
  readonly nextCursor: string | null;
  readonly warnings: readonly string[];
}

export class EntityService {
  readonly #deps: EntityDeps;
  readonly #residual: ResidualPages;
  constructor(deps: EntityDeps) {
    this.#deps = deps;
    this.#residual = new ResidualPages(deps.reads);
  }

  /** The entity, or null if the caller cannot see one under the id, at the moment and now. */
  get(id: string, identity: Identity, at: Moment = null): Promise<EntityRow | null> {
    return id.includes('\u0000') ? Promise.resolve(null) : this.#deps.reads.find(id, identity, at);
  }

  /** Results by position, like {@link get}. */
  getMany(
    ids: readonly string[],
    identity: Identity,
    at: Moment = null,
  ): Promise<readonly (EntityRow | null)[]> {
    return this.#deps.reads.findMany(ids, identity, at);
  }

  /** @throws DomainError `validation_failed` for invalid bounds, names, filters and cursors */
  async list(
    request: ListRequest,
    identity: Identity,
    {
      signal,
      allowance = new ResidueAllowance(),
      counts = false,
      count = 'EXACT',
      rows: wanted = true,
    }: Listing = {},
  ): Promise<EntityPage> {
    const page = await this.plan(request, identity);
    const asking = { identity, signal, allowance };
    const { rows, total } = wanted
      ? await this.#rows(page, counts && count === 'EXACT', asking)
      : { rows: [], total: null };
    const more = rows.length > page.limit;
    if (more) rows.pop();
    const last = rows.at(-1);
    const cursorOf = cursorsOf(page);
    return {
      rows,
      at: page.at,
      limit: page.limit,
      offset: page.offset,
      warnings: page.warnings,
      cursorOf,
      nextCursor: more && last ? cursorOf(last) : null,
      total: () => (total === null ? this.#total(page, count, asking) : Promise.resolve(total)),
    };
  }

  /**
   * The same as JSON text, each entity serialised by `json`; with the total as `count` says. Null if a part
   * of the filter is checked row by row, or if the page is too large for one text.
   */
  async listText(
    request: ListRequest,
    json: EntityJson,
    count: CountMode,
    identity: Identity,
  ): Promise<EntityTextPage | null> {
    const page = await this.plan(request, identity);
    if (page.residual !== null) return null;
    const [{ items, more, isLarge, lastKeys }, total] = await Promise.all([
      this.#deps.reads.textPage({ ...page, limit: page.limit + 1 }, json),
      this.#counted(page, count),
    ]);
    if (isLarge) return null;
    return {
      items: items ?? '',
      total,
      limit: page.limit,
      offset: page.offset,
      warnings: page.warnings,
      nextCursor: more && lastKeys !== null ? writeCursor(page.orderName, page.at, lastKeys) : null,
    };
  }

  /** How the request is read. @throws DomainError `validation_failed` like {@link list} */
  async plan(request: ListRequest, identity: Identity): Promise<PlannedPage> {
    const page = await this.#planned(request, identity);
    if (page.ranges !== null && request.entityType !== null)
      for (const field of page.ranges) this.#deps.onRange(request.entityType, field);
    return page;
  }

  async #planned(request: ListRequest, identity: Identity): Promise<PlannedPage> {
    await compileTurn(request.filter);
    const page = planPage(request, this.#deps.catalogue(), identity);
    if (!request.q) return page;
    return { ...page, conditions: [...page.conditions, this.#deps.words(request.q)] };
  }

  /** The number of entities that the database lets through, counted up to `most`; null of the past. */
  candidatesUpTo(page: PageRequest, most: number): Promise<number | null> {
    return this.#deps.reads.countUpTo(page, most);
  }

  /**
   * How the request's filter would be evaluated. @throws DomainError `validation_failed` like {@link list}
   */
  async explain(request: ListRequest, identity: Identity): Promise<Explanation> {
    const page = await this.#planned(request, identity);
    const plan = await this.#deps.reads.planOf({ ...page, limit: page.limit + 1 });
    return this.explained(request.filter, plan, page.warnings);
  }

  /** What is told of a filter, null for none, by the database's plan of a statement with it. */
  async explained(filter: string | null, plan: PagePlan, warnings: readonly string[]): Promise<Explanation> {
    return {
      ...(filter === null ? NO_FILTER : compileFilter(filter).explain),
      ...plan,
      servedBy: await this.#deps.why(plan.indexes),
      warnings,
    };
  }

  /** The page and one entity more, which tells whether there is another page. */
  async #rows(
    page: PlannedPage,
    counts: boolean,
    asking: PageReader,
  ): Promise<{ rows: PageRow[]; total: number | null }> {
    if (page.residual !== null) {
      const found = await this.#residual.page(page, page.residual, counts, asking);
      // only these of the examined rows are shown
      for (const row of found.rows) asking.identity.budget?.read(row.data.length);
      return found;
    }
    return { rows: await this.#deps.reads.page({ ...page, limit: page.limit + 1 }), total: null };
  }

  async #total(page: PlannedPage, count: CountMode, asking: PageReader): Promise<number | null> {
    return page.residual === null || count !== 'EXACT'
      ? this.#counted(page, count)
      : this.#residual.total(page, page.residual, asking);
  }

  /**
   * Of what the database decides. The planner knows the values of all projects: who may not see all of them
   * is told the exact number.
   */
  async #counted(page: PlannedPage, count: CountMode): Promise<number | null> {
    if (count === 'NONE') return null;
    const whole = { ...page, after: null };
    return count === 'ESTIMATED' && page.identity.projects === '*'
      ? this.#deps.reads.estimate(whole)
      : this.#deps.reads.total(whole);
  }

  /**
   * POST /ingest: docs/reference/metadata.md#ingest.
   * @throws DomainError `validation_failed`, `not_found`, `project_scope_denied`, `precondition_failed`
   */
  async ingest(
    entityType: string,
    sent: unknown,
    givenId: string | null,
    author: Author,
    preconditions: Pick<IngestRequest, 'ifVersion' | 'ifExists'> = {},
  ): Promise<WrittenEntity> {
    const request = { ...readIngest(entityType, sent, givenId, author), ...preconditions };
    return withTimestamps(await this.#deps.write(ingest(request)));
  }

  /**
   * Creates an entity, never merges.
   * @throws DomainError `conflict` if the id is taken, else like {@link ingest}
   */
  async create(
    entityType: string,
    sent: unknown,
    givenId: string | null,
    author: Author,
  ): Promise<WrittenEntity> {
    return withTimestamps(await this.#deps.write(create(readIngest(entityType, sent, givenId, author))));
  }

  /**
   * PUT: only the supplied fields change.
   * @throws DomainError `not_found`, `precondition_failed`, `validation_failed`
   */
  async update(
    entityType: string,
    id: string,
    sent: unknown,
    ifVersion: WantedVersion,
    author: Author,
  ): Promise<WrittenEntity> {
    return withTimestamps(
      await this.#deps.write(update({ entityType, id, data: readUpdate(id, sent), ifVersion, author })),
    );
  }
}

/** The slice of the resolvers' context. */
export interface EntitySlice {
  readonly entities: EntityService;
  readonly entityById: Batched<Moment, EntityRecord | null>;
  /** The deadline of this operation's listings, and the allowance that its filters share. */
  readonly listing: Pick<Listing, 'signal' | 'allowance'>;
}
