// Reads productions: what a caller may see of them, by id, by page, and batched for lists of entities.
import DataLoader from 'dataloader';
import type { Caller } from '../../../platform/identity.ts';
import {
  checkPage,
  decodeCursor,
  instantPart,
  type PageBounds,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import { isStorable, type Queryable } from '../../../platform/queryable.ts';
import {
  countProductions,
  findProduction,
  listProductions,
  listProductionsOfEntities,
  type Production,
  type ProductionFilter,
} from './productions.store.ts';

export interface ProductionPageArguments extends PageBounds, ProductionFilter {
  readonly cursor: string | null;
}

/** A page, and what is needed to count what it is a page of. */
export interface ProductionPage {
  readonly productions: readonly Production[];
  readonly nextCursor: string | null;
  readonly filter: ProductionFilter;
}

const ORDER = [instantPart, textPart];
const unstorable = (text: string | null): boolean => text !== null && !isStorable(text);
const cannotMatch = ({ entityType, rule }: ProductionFilter): boolean =>
  unstorable(entityType) || unstorable(rule);

/** Productions as one operation's caller sees them: those for other projects do not exist (contract 1.3). */
export class ProductionService {
  readonly #db: Queryable;
  readonly #caller: Caller;
  readonly #ofEntities: DataLoader<string, Production | null>;

  constructor(db: Queryable, caller: Caller) {
    this.#db = db;
    this.#caller = caller;
    this.#ofEntities = new DataLoader(async (ids) => {
      const found = new Map(
        (await listProductionsOfEntities(db, caller.projects, ids)).map((row): [string, Production] => [
          row.entityId,
          row,
        ]),
      );
      return ids.map((id) => found.get(id) ?? null);
    });
  }

  /** One production; null for one that does not exist or is for another project. */
  async get(id: string): Promise<Production | null> {
    return unstorable(id) ? null : findProduction(this.#db, this.#caller.projects, id);
  }

  /** One that has just been put into the queue or has just changed. */
  async fresh(id: string): Promise<Production | null> {
    return findProduction(this.#db, '*', id);
  }

  /** A page of them, newest first. @throws DomainError `invalid_request` for bounds or a cursor that are none */
  async page({ limit, offset, cursor, ...filter }: ProductionPageArguments): Promise<ProductionPage> {
    checkPage({ limit, offset });
    const after = decodeCursor(cursor, ORDER);
    const rows = cannotMatch(filter)
      ? []
      : await listProductions(this.#db, this.#caller.projects, filter, { limit: limit + 1, offset, after });
    const { items, nextCursor } = pageOf(rows, limit, (production) => [
      production.requestedAt,
      production.id,
    ]);
    return { productions: items, nextCursor, filter };
  }

  /** How many there are on all pages of what this is a page of. */
  async total({ filter }: ProductionPage): Promise<number> {
    return cannotMatch(filter) ? 0 : countProductions(this.#db, this.#caller.projects, filter);
  }

  /** The latest production that made an entity; null where none did. */
  async ofEntity(entityId: string): Promise<Production | null> {
    return this.#ofEntities.load(entityId);
  }
}
