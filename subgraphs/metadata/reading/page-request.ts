// A page of entities as the store takes it: conditions and order are SQL, values are parameters.
import type { Queryable } from '../../../platform/queryable.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { Moment } from './timeline.ts';
import type { OrderKey } from './order.ts';
import type { SqlUse } from './parameters.ts';
import type { EntityRow } from './entity-record.ts';
import type { TimeColumns } from './column-sql.ts';

/** That an entity has changed at the time or later. */
export interface ChangedAfter {
  readonly time: string;
  /** Whether the condition says nothing else. */
  readonly isAll: boolean;
}

/** A condition of a WHERE clause. */
export interface Condition {
  /** Appends its parameters and returns SQL over `e` (entity), `c` and `u` (its first and last event). */
  where(params: unknown[]): string;
  readonly uses: ReadonlySet<SqlUse>;
  /** What follows from it, where something does. */
  readonly changedAfter?: ChangedAfter | null;
  /**
   * Where something has to be looked up first: looks it up in the snapshot of the statement, and returns the condition
   * that has SQL. This one has none.
   */
  readonly settle?: (db: Queryable, beside: Matches) => Promise<Condition>;
  /** The statement by which it was looked up, for explanations. */
  readonly lookup?: (params: unknown[]) => string;
}

/** The entities that are looked at, whatever is shown of them. */
export type Matches = Pick<PageRequest, 'types' | 'conditions' | 'availableOnly' | 'identity' | 'at'>;

export interface PageRequest {
  /** The requested types, subtypes included; null for all. */
  readonly types: readonly string[] | null;
  readonly conditions: readonly Condition[];
  readonly availableOnly: boolean;
  readonly identity: Identity;
  readonly order: readonly OrderKey[];
  readonly limit: number;
  readonly offset: number;
  /** The order keys of the entity after which the page begins. */
  readonly after: readonly string[] | null;
  /** The requested moment; null for the present. */
  readonly at: Moment;
  /** The columns of each row, over `e` and its timestamps; by default an entity's columns. */
  readonly columns?: (times: TimeColumns) => string;
  /** Of the types, where the order tells entities with a value of a field from those without. */
  readonly lacking?: Lacking;
}

/** Entities without a value of a field, as they once were in the order of creation. */
export interface Lacking {
  /** The newest event of the log at that time (log-server.ts). */
  readonly mark: string;
  readonly creations: readonly string[];
  /** If there were more, the last creation that is listed. */
  readonly upTo: string | null;
}

export interface PagePlan {
  /** Names of the indexes over entities and their states. */
  readonly indexes: readonly string[];
  /** Whether a whole table is scanned. */
  readonly readsTable: boolean;
}

/** A page as JSON text. */
export interface TextPage {
  /** The entities' JSON, separated by commas; null for none. */
  readonly items: string | null;
  /** Whether there are more rows after it. */
  readonly more: boolean;
  /** Whether the page is too large for the database to serialise: then there are no items here. */
  readonly isLarge: boolean;
  /** JSON text of the last shown entity's order keys, if there are more rows. */
  readonly lastKeys: string | null;
}

export interface PageRow extends EntityRow {
  /** JSON text of the order keys' values, as a cursor contains it. */
  readonly order_keys: string;
}
