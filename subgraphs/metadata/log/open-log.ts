// The interface between the door and its store: a transaction in which nobody else writes.
import { DomainError } from '../../../platform/errors.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { Loaded } from './pending.ts';
import type { WorkingSet } from './working-set.ts';
import type { Needs } from './write.ts';

/** A revision of the schemas, as the server has it that is named: {@link SchemaCatalogue}. */
export interface SchemaMark {
  readonly revision: number;
  readonly server: string;
}

/** One snapshot of the stored data. */
export interface LogView {
  /** The schema revision of that snapshot. */
  readonly mark: SchemaMark;
  /** The schemas of that revision; those already known are not read again. */
  catalogue(known?: SchemaCatalogue): Promise<SchemaCatalogue>;
  load(needs: readonly Needs[], large?: LargeData): Promise<Loaded>;
}

/**
 * Data of large entities that was read before, with the id of the event that made each state: valid while
 * that is still the current one.
 */
export type LargeStates = ReadonlyMap<string, { readonly data: EntityData; readonly mark: string }>;

/**
 * How data of large entities is handled: read by default; `left out`; or, if it is known already, compared.
 */
export type LargeData = 'read' | 'left out' | LargeStates;

/** A transaction that holds the log's lock; implemented by the store. */
export interface OpenLog extends LogView {
  /** Makes ready what {@link flush} sends of a large set, in turns with others. The set does not change any more. */
  ready(set: WorkingSet): Promise<void>;
  /**
   * Returns the events' timestamps by ordinal − 1. `also` sends what belongs behind it; `isLast`: nothing else
   * follows, so the commit is sent along.
   */
  flush(set: WorkingSet, isLast: boolean, also?: () => Promise<unknown>): Promise<string[]>;
}

export interface OpenLogOptions {
  /** The schema revision that the writer used. */
  readonly expected?: SchemaMark | undefined;
  /**
   * What is loaded is read before the lock is taken, and compared under it: the lock is not held while this process
   * decides. Nothing may be loaded that depends on what was flushed.
   */
  readonly isAhead?: boolean | undefined;
}

/** What a batch has read ahead of the lock was changed before it had the lock: nothing of it was written. */
export class Overtaken extends Error {}

/**
 * The schemas are not those that the writer used, or it waited for the lock so long that it has to begin
 * again.
 */
export class SchemasChanged extends Error {}

/** This process sent nothing for so long while it held the lock that the server has ended the transaction. */
export class StoodStill extends DomainError {
  constructor(cause: unknown) {
    super(
      'component_unavailable',
      'this process stood still while it was writing: nothing was written, try again',
      { component: 'store', upstream_status: null },
      { cause },
    );
  }
}

/**
 * Runs `work` in a transaction that holds the lock; commits when it resolves, rolls back when it rejects.
 * With an expected revision, its query is saved.
 * @throws SchemasChanged if there is another revision, or another server answers; Overtaken; StoodStill
 */
export type WithOpenLog = <T>(work: (log: OpenLog) => Promise<T>, options?: OpenLogOptions) => Promise<T>;

/** Runs `work` on a snapshot, concurrently with writes. */
export type WithLogView = <T>(work: (log: LogView) => Promise<T>) => Promise<T>;
