// Aggregates: entities counted and measured in groups, by the database alone
// (docs/reference/metadata.md#aggregates).
import { DomainError, invalid } from '../../../platform/errors.ts';
import { FairSlots, TooManyWaiting } from '../../../platform/fair-slots.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { EntityService } from '../entities/entities.service.ts';
import { typeNamed } from '../entities/entity-writes.ts';
import type { ListRequest, PlannedPage } from '../entities/list-request.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { Groups, GroupsQuery } from './aggregates.store.ts';
import { groupables } from './groupable.ts';

export interface AggregateDeps {
  readonly entities: Pick<EntityService, 'plan'>;
  readonly catalogue: () => SchemaCatalogue;
  read(query: GroupsQuery): Promise<Groups>;
}

export interface AggregateRequest extends Omit<ListRequest, 'cursor' | 'orderBy' | 'backwards'> {
  readonly entityType: string;
  readonly groupBy: readonly string[];
  readonly of: readonly string[];
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

/** @throws DomainError `validation_failed`: groups come from the database, which decides the whole filter */
function refuseResidue({ residual }: PlannedPage): void {
  if (residual === null) return;
  const { left, reasons } = residual.explain;
  throw invalid(
    `filter: an aggregate cannot check entities one by one, as ${left.join(' and ')} requires: ${reasons.join('; ')}`,
    { field: 'filter' },
  );
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
    const { groupBy, of, ...listing } = request;
    const includeUnavailable = request.includeUnavailable || groupBy.includes('is_available');
    const page = await this.#deps.entities.plan(
      { ...listing, includeUnavailable, cursor: null, orderBy: null },
      identity,
    );
    refuseResidue(page);
    const type = typeNamed(this.#deps.catalogue(), request.entityType);
    const query = {
      ...page,
      keys: groupables(type, groupBy, 'group_by', MAX_KEYS),
      measured: groupables(type, of, 'of', MAX_MEASURED),
    };
    const leave = await this.#enter(identity);
    try {
      return {
        ...(await this.#deps.read(query)),
        limit: page.limit,
        offset: page.offset,
        warnings: page.warnings,
      };
    } finally {
      leave();
    }
  }

  /** @throws DomainError `rate_limit_exceeded`, and why the operation has ended */
  #enter({ actor, budget }: Identity): Promise<() => void> {
    return this.#slots
      .enter(actor, budget?.signal ?? new AbortController().signal)
      .catch((error: unknown) => {
        if (!(error instanceof TooManyWaiting)) throw error;
        throw new DomainError(
          'rate_limit_exceeded',
          `too many of your aggregates are being computed at the same time; ${error.message}`,
        );
      });
  }
}

/** The slice of the resolvers' context. */
export interface AggregateSlice {
  readonly aggregates: AggregateService;
}
