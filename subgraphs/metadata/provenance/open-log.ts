// What the door asks of its store: a transaction in which nobody else writes.
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import type { Loaded, WorkingSet } from './working-set.ts';
import type { Needs } from './write.ts';

/** A transaction that holds the log's lock; the store implements it. */
export interface OpenLog {
  /** The schema revision as it stands under the lock. */
  readonly revision: number;
  /** The schemas of that revision, read in this transaction. */
  catalogue(): Promise<SchemaCatalogue>;
  load(needs: readonly Needs[]): Promise<Loaded>;
  flush(set: WorkingSet): Promise<string[]>;
}

/** Runs `work` in a transaction that holds the lock; commits when it resolves, rolls back when it rejects. */
export type WithOpenLog = <T>(work: (log: OpenLog) => Promise<T>) => Promise<T>;
