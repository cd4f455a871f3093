// Aggregates: entities counted and measured in groups, by the database alone
// (docs/reference/metadata.md#aggregates).
import { invalid } from '../../../platform/errors.ts';
import { enterInTurn, FairSlots } from '../../../platform/fair-slots.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { EntityService, Explanation } from '../entities/entities.service.ts';
import { typeNamed } from '../entities/entity-writes.ts';
import type { ListRequest, PlannedPage } from '../entities/list-request.ts';
import { refuseResidue } from '../entities/refuse-residue.ts';
import type { PagePlan } from '../reading/page-request.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { Groups, GroupsQuery } from './aggregates.store.ts';
import type { Facet, FacetsQuery } from './facets.store.ts';
import { countables, groupables, groupKeys } from './groupable.ts';
import { compileHaving } from './having.ts';

export interface AggregateDeps {
  readonly entities: Pick<EntityService, 'plan' | 'explained'>;
  readonly catalogue: () => SchemaCatalogue;
  read(query: GroupsQuery): Promise<Groups>;
  planOf(query: GroupsQuery): Promise<PagePlan>;
  readFacets(query: FacetsQuery): Promise<readonly Facet[]>;
}

export interface AggregateRequest extends Omit<ListRequest, 'cursor' | 'orderBy' | 'backwards'> {
  readonly entityType: string;
  /** Names of fields and columns, which may have an interval: `drawn:month`, `age:10`. */
  readonly groupBy: readonly string[];
  readonly of: readonly string[];
  /** Shares, from 0 to 1. */
  readonly percentiles: readonly number[];
  /** CEL over a group. */
  readonly having: string | null;
}

/** `limit` values of each. */
export interface FacetsRequest extends Omit<ListRequest, 'cursor' | 'orderBy' | 'backwards' | 'offset'> {
  readonly entityType: string;
  readonly of: readonly string[];
}
export interface Facets {
  readonly facets: readonly Facet[];
  /** Warnings about unknown names. */
  readonly warnings: readonly string[];
}

export interface EntityGroups extends Groups {
  readonly limit: number;
  readonly offset: number;
  /** Warnings about unknown names. */
  readonly warnings: readonly string[];
}

/** Each reads every match: several at a time would leave no connection to others. */
const SLOTS = { slots: 4, perKey: 2, waiting: 20 } as const;

const MAX_KEYS = 8;
/** Each is sorted in every group, for its distinct values. */
const MAX_MEASURED = 10;
const MAX_PERCENTILES = 20;
const MAX_FACETS = 20;

/** Each once. @throws DomainError `validation_failed` */
function sharesOf(percentiles: readonly number[]): readonly number[] {
  const once = [...new Set(percentiles)];
  if (once.length > MAX_PERCENTILES || !once.every((share) => share >= 0 && share <= 1))
    throw invalid(`percentiles takes at most ${MAX_PERCENTILES} numbers from 0 to 1`, {
      field: 'percentiles',
    });
  return once;
}

export class AggregateService {
  readonly #deps: AggregateDeps;
  readonly #slots = new FairSlots(SLOTS);

  constructor(deps: AggregateDeps) {
    this.#deps = deps;
  }

  /**
   * @throws DomainError `validation_failed` as a listing, and for names and filters that do not fit;
   * `rate_limit_exceeded` where too many of the actor's aggregates wait
   */
  async groups(request: AggregateRequest, identity: Identity): Promise<EntityGroups> {
    const query = await this.#query(request, identity);
    refuseResidue(query, 'an aggregate');
    const found = await this.#inTurn(identity, () => this.#deps.read(query));
    return { ...found, limit: query.limit, offset: query.offset, warnings: query.warnings };
  }

  /**
   * How the aggregate would be computed; what is left to check entity by entity is what it would be refused for.
   * @throws DomainError `validation_failed` like {@link groups}
   */
  async explain(request: AggregateRequest, identity: Identity): Promise<Explanation> {
    const query = await this.#query(request, identity);
    const plan = await this.#deps.planOf(query);
    return this.#deps.entities.explained(request.filter, plan, query.warnings);
  }

  async #query(request: AggregateRequest, identity: Identity): Promise<GroupsQuery & PlannedPage> {
    const { groupBy, of, percentiles, having: condition, ...listing } = request;
    const [having, shares] = [condition ? compileHaving(condition) : null, sharesOf(percentiles)];
    const includeUnavailable = request.includeUnavailable || groupBy.includes('is_available');
    const page = await this.#plan({ ...listing, includeUnavailable }, identity);
    const type = typeNamed(this.#deps.catalogue(), request.entityType);
    return {
      ...page,
      keys: groupKeys(type, groupBy, 'group_by', MAX_KEYS),
      measured: groupables(type, [...of, ...(having?.measured ?? [])], 'of', MAX_MEASURED),
      percentiles: shares,
      having,
    };
  }

  /** @throws DomainError `rate_limit_exceeded`, and why the operation has ended */
  async #inTurn<T>({ actor, budget }: Identity, work: () => Promise<T>): Promise<T> {
    const leave = await enterInTurn(
      this.#slots,
      actor,
      budget?.signal,
      'too many of your aggregates are being computed at the same time',
    );
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * The most frequent values of several fields, of the same entities.
   * @throws DomainError `validation_failed` like {@link groups}
   */
  async facets(request: FacetsRequest, identity: Identity): Promise<Facets> {
    const { of, ...listing } = request;
    const includeUnavailable = request.includeUnavailable || of.includes('is_available');
    const page = await this.#plan({ ...listing, offset: 0, includeUnavailable }, identity);
    refuseResidue(page, 'an aggregate');
    const type = typeNamed(this.#deps.catalogue(), request.entityType);
    const names = countables(type, of, 'of', MAX_FACETS);
    if (names.length === 0) throw invalid('of must name a field', { field: 'of' });
    const facets = await this.#inTurn(identity, () => this.#deps.readFacets({ ...page, names }));
    return { facets, warnings: page.warnings };
  }

  #plan(
    listing: Omit<ListRequest, 'cursor' | 'orderBy' | 'backwards'>,
    identity: Identity,
  ): Promise<PlannedPage> {
    return this.#deps.entities.plan({ ...listing, cursor: null, orderBy: null }, identity);
  }
}

/** The slice of the resolvers' context. */
export interface AggregateSlice {
  readonly aggregates: AggregateService;
}
