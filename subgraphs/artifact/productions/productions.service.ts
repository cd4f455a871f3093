// Reads productions as a caller may see them: by id, in pages, and batched for lists of entities.
import DataLoader from 'dataloader';
import type { Caller } from '../../../platform/identity.ts';
import { type Batched, keyedLoader } from '../../../platform/keyed-loader.ts';
import {
  checkPage,
  offsetOf,
  instantPart,
  type PageBounds,
  pageOf,
  textPart,
} from '../../../platform/paging.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { Past } from '../../../platform/past/past.ts';
import { isUnstorable, type Queryable } from '../../../platform/queryable.ts';
import { readLogs } from './production-logs.store.ts';
import {
  countProductions,
  findProduction,
  findProductions,
  listProductions,
  listPlans,
  listProductionsOfEntities,
  type ProductionFilter,
} from './productions.store.ts';
import type { Production } from './production.ts';

export interface ProductionPageArguments extends PageBounds, ProductionFilter {
  readonly cursor: string | null;
  /** As of which time; null for that of the operation. */
  readonly asOf: string | null;
}

/** A page, and the filter by which the total is counted. */
export interface ProductionPage {
  readonly productions: readonly Production[];
  readonly nextCursor: string | null;
  /** With the instant as of which it was read. */
  readonly filter: ProductionFilter & { readonly asOf: string | null };
}

type Shown = Pick<Production, 'id' | 'asOf'>;

/** What of productions may be large, and is read only where it is asked for; between two fields of a mutation it changes. */
const detailsOf = <Value>(
  read: (ids: readonly string[], asOf: string | null) => Promise<ReadonlyMap<string, Value>>,
): DataLoader<Shown, Value | null> =>
  new DataLoader(
    async (shown) => {
      const times = [...new Set(shown.map(({ asOf }) => asOf))];
      const found = new Map(
        await Promise.all(
          times.map(async (time) => {
            const ids = shown.filter(({ asOf }) => asOf === time).map(({ id }) => id);
            return [time, await read(ids, time)] as const;
          }),
        ),
      );
      return shown.map(({ id, asOf }) => found.get(asOf)?.get(id) ?? null);
    },
    { cache: false },
  );

const ORDER = [instantPart, textPart];
const byId = (rows: readonly Production[]): ReadonlyMap<string, Production> =>
  new Map(rows.map((row) => [row.id, row]));
const cannotMatch = ({ entityType, rule, project, requestId }: ProductionFilter): boolean =>
  [entityType, rule, project, requestId].some(isUnstorable);

/**
 * Productions as one operation's caller sees them: those for other projects do not exist
 * (docs/reference/artifact.md#who-sees-a-production).
 */
export class ProductionService {
  readonly #db: Queryable;
  readonly #caller: Caller;
  readonly #past: Past;
  readonly #ofEntities: Batched<string | null, Production | null>;
  readonly #plans: DataLoader<Shown, JsonValue>;
  readonly #logs: DataLoader<Shown, string | null>;

  constructor(db: Queryable, caller: Caller) {
    this.#db = db;
    this.#caller = caller;
    this.#past = new Past(db, 'artifact', caller);
    this.#ofEntities = keyedLoader<string | null, Production | null>(
      async (ids, asOf) =>
        new Map(
          (await listProductionsOfEntities(db, caller.projects, ids, asOf)).flatMap((row) =>
            row.made.map((id): [string, Production] => [id, row]),
          ),
        ),
      null,
    );
    this.#plans = detailsOf(
      async (ids, asOf) => new Map((await listPlans(db, ids, asOf)).map(({ id, plan }) => [id, plan])),
    );
    this.#logs = detailsOf((ids, asOf) => readLogs(db, ids, asOf));
  }

  /** One production; null for an unknown one or one for another project. @throws DomainError as {@link Past.instant} */
  async get(id: string, asOf: string | null = null): Promise<Production | null> {
    const at = await this.#past.instant(asOf);
    return isUnstorable(id) ? null : findProduction(this.#db, this.#caller.projects, id, at);
  }

  /** Several as they are now, by their ids, without those that {@link get} would not give. */
  async several(ids: readonly string[]): Promise<ReadonlyMap<string, Production>> {
    return byId(await findProductions(this.#db, this.#caller.projects, ids));
  }

  /** One that has just been queued or changed. */
  async fresh(id: string): Promise<Production | null> {
    return findProduction(this.#db, '*', id, null);
  }

  /** The same for several, by their ids. */
  async severalFresh(ids: readonly string[]): Promise<ReadonlyMap<string, Production>> {
    return byId(await findProductions(this.#db, '*', ids));
  }

  /**
   * A page of them, newest first.
   * @throws DomainError `invalid_request` for invalid bounds or cursor; as {@link Past.instant}
   */
  async page({ limit, offset, cursor, ...asked }: ProductionPageArguments): Promise<ProductionPage> {
    checkPage({ limit, offset });
    const { after, asOf, end } = await this.#past.place(cursor, ORDER, asked.asOf);
    const filter = { ...asked, asOf };
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
      ...end,
    ]);
    return { productions: items, nextCursor, filter };
  }

  /** The total over all pages. */
  async total({ filter }: ProductionPage): Promise<number> {
    return cannotMatch(filter) ? 0 : countProductions(this.#db, this.#caller.projects, filter);
  }

  /** The plan of a production whose visibility has been checked. */
  async plan({ id, asOf }: Shown): Promise<JsonValue> {
    return this.#plans.load({ id, asOf });
  }

  /** The end of the log of a production whose visibility has been checked. */
  async log({ id, asOf }: Shown): Promise<string | null> {
    return this.#logs.load({ id, asOf });
  }

  /** The latest production that made an entity; null if none did. @throws DomainError as {@link Past.instant} */
  async ofEntity(entityId: string): Promise<Production | null> {
    return this.#ofEntities(entityId, await this.#past.instant(null));
  }
}
