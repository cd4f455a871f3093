// Reads productions as a caller may see them: by id, in pages, and batched for lists of entities.
import DataLoader from 'dataloader';
import type { Caller } from '../../../platform/identity.ts';
import {
  checkPage,
  offsetOf,
  decodeCursor,
  instantPart,
  type PageBounds,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { isUnstorable, type Queryable } from '../../../platform/queryable.ts';
import {
  countProductions,
  findProduction,
  listProductions,
  listDetails,
  listProductionsOfEntities,
  type Production,
  type ProductionDetails,
  type ProductionFilter,
} from './productions.store.ts';

export interface ProductionPageArguments extends PageBounds, ProductionFilter {
  readonly cursor: string | null;
}

/** A page, and the filter by which the total is counted. */
export interface ProductionPage {
  readonly productions: readonly Production[];
  readonly nextCursor: string | null;
  readonly filter: ProductionFilter;
}

const ORDER = [instantPart, textPart];
const cannotMatch = ({ entityType, rule }: ProductionFilter): boolean =>
  isUnstorable(entityType) || isUnstorable(rule);

/**
 * Productions as one operation's caller sees them: those for other projects do not exist
 * (docs/reference/artifact.md#who-sees-a-production).
 */
export class ProductionService {
  readonly #db: Queryable;
  readonly #caller: Caller;
  readonly #ofEntities: DataLoader<string, Production | null>;
  readonly #plans: DataLoader<string, JsonValue>;
  readonly #logs: DataLoader<string, string | null>;

  constructor(db: Queryable, caller: Caller) {
    this.#db = db;
    this.#caller = caller;
    this.#ofEntities = new DataLoader(async (ids) => {
      const found = new Map(
        (await listProductionsOfEntities(db, caller.projects, ids)).flatMap((row) =>
          row.made.map((id): [string, Production] => [id, row]),
        ),
      );
      return ids.map((id) => found.get(id) ?? null);
    });
    const detailsOf = <Column extends 'plan' | 'log'>(
      column: Column,
    ): DataLoader<string, NonNullable<ProductionDetails[Column]> | null> =>
      new DataLoader(
        async (ids) => {
          const found = new Map((await listDetails(db, column, ids)).map((row) => [row.id, row[column]]));
          return ids.map((id) => found.get(id) ?? null);
        },
        { cache: false }, // between two fields of a mutation they change
      );
    this.#plans = detailsOf('plan');
    this.#logs = detailsOf('log');
  }

  /** One production; null for an unknown one or one for another project. */
  async get(id: string): Promise<Production | null> {
    return isUnstorable(id) ? null : findProduction(this.#db, this.#caller.projects, id);
  }

  /** One that has just been queued or changed. */
  async fresh(id: string): Promise<Production | null> {
    return findProduction(this.#db, '*', id);
  }

  /**
   * A page of them, newest first.
   * @throws DomainError `invalid_request` for invalid bounds or cursor
   */
  async page({ limit, offset, cursor, ...filter }: ProductionPageArguments): Promise<ProductionPage> {
    checkPage({ limit, offset });
    const after = decodeCursor(cursor, ORDER);
    const rows = cannotMatch(filter)
      ? []
      : await listProductions(this.#db, this.#caller.projects, filter, {
          limit: limit + 1,
          offset: offsetOf({ offset }, after),
          after,
        });
    const { items, nextCursor } = pageOf(rows, limit, (production) => [
      production.requestedAt,
      production.id,
    ]);
    return { productions: items, nextCursor, filter };
  }

  /** The total over all pages. */
  async total({ filter }: ProductionPage): Promise<number> {
    return cannotMatch(filter) ? 0 : countProductions(this.#db, this.#caller.projects, filter);
  }

  /** The plan of a production whose visibility has been checked. */
  async plan({ id }: Production): Promise<JsonValue> {
    return this.#plans.load(id);
  }

  /** The end of the log of a production whose visibility has been checked. */
  async log({ id }: Production): Promise<string | null> {
    return this.#logs.load(id);
  }

  /** The latest production that made an entity; null if none did. */
  async ofEntity(entityId: string): Promise<Production | null> {
    return this.#ofEntities.load(entityId);
  }
}
