// A page of entities as the store is asked for it: conditions and order are SQL already, values are
// parameters.
import type { Identity } from '../../../platform/identity.ts';
import type { Moment } from '../as-of/timeline.ts';
import type { OrderKey } from '../filters/order.ts';
import type { SqlUse } from '../filters/parameters.ts';
import type { EntityRow } from './entity-record.ts';
import type { TimeColumns } from './column-sql.ts';

/** A condition of a WHERE. */
export interface Condition {
  /** Appends its parameters; returns SQL over `e` (entity), `c` and `u` (its first and last event). */
  where(params: unknown[]): string;
  readonly uses: ReadonlySet<SqlUse>;
}

export interface PageRequest {
  /** Types whose entities are meant, subtypes included; null for all. */
  readonly types: readonly string[] | null;
  readonly conditions: readonly Condition[];
  readonly availableOnly: boolean;
  readonly identity: Identity;
  readonly order: readonly OrderKey[];
  readonly limit: number;
  readonly offset: number;
  /** Values of the order keys of the entity after which the page begins. */
  readonly after: readonly string[] | null;
  /** The moment whose states are meant; null for the present. */
  readonly at: Moment;
  /** The columns of each row, over `e` and its times; an entity's columns unless given. */
  readonly columns?: (times: TimeColumns) => string;
}

export interface PagePlan {
  /** Names of the indexes over entities and their states. */
  readonly indexes: readonly string[];
  /** Whether a whole table of them is read. */
  readonly readsTable: boolean;
}

/** A page as JSON text. */
export interface TextPage {
  /** The entities' JSON, by comma; null for none. */
  readonly items: string | null;
  /** Whether there are more after it. */
  readonly more: boolean;
  /** Whether they are too large to be put together by the database: then there are no items here. */
  readonly isLarge: boolean;
  /** JSON text of the last shown entity's order keys, where there are more. */
  readonly lastKeys: string | null;
}

export interface PageRow extends EntityRow {
  /** JSON text of the order keys' values: what a cursor holds. */
  readonly order_keys: string;
}
