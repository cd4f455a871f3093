// What the door asks of its store: a transaction in which nobody else writes.
import type { EntityData } from '../schemas/entity-type.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import type { Loaded } from './pending.ts';
import type { WorkingSet } from './working-set.ts';
import type { Needs } from './write.ts';

/** One consistent state of what is stored. */
export interface LogView {
  /** The schema revision of that state. */
  readonly revision: number;
  /** The schemas of that revision; what was known of them before is not read again. */
  catalogue(known?: SchemaCatalogue): Promise<SchemaCatalogue>;
  load(needs: readonly Needs[], large?: LargeData): Promise<Loaded>;
}

/**
 * Data of large entities that was read before, with the id of the event that made each state: it is good
 * while that is still the one.
 */
export type LargeStates = ReadonlyMap<string, { readonly data: EntityData; readonly mark: string }>;

/**
 * What is done with large entities' data: it is read, as a rule; `left out`; or, where it is known already,
 * compared.
 */
export type LargeData = 'read' | 'left out' | LargeStates;

/** A transaction that holds the log's lock; the store implements it. */
export interface OpenLog extends LogView {
  /**
   * Answers the events' timestamps by ordinal − 1. `isLast`: nothing else follows, so the commit is sent
   * along.
   */
  flush(set: WorkingSet, isLast: boolean): Promise<string[]>;
}

/**
 * The schemas are not those that a writer has decided by, or it has waited for the lock so long that it has
 * to begin anew.
 */
export class SchemasChanged extends Error {}

/**
 * Runs `work` in a transaction that holds the lock; commits when it resolves, rolls back when it rejects.
 * Whoever knows the schemas of a revision and expects no other saves the time of asking.
 * @throws SchemasChanged where there is another
 */
export type WithOpenLog = <T>(work: (log: OpenLog) => Promise<T>, expected?: number) => Promise<T>;

/** Runs `work` over a state that others may be changing meanwhile. */
export type WithLogView = <T>(work: (log: LogView) => Promise<T>) => Promise<T>;
