// The types of a write: what it needs to see, what it decides, and the one object through which it may change
// anything.
import type { EntityState, GivenState } from '../../../platform/entity-columns.ts';
import type { Identity } from '../../../platform/identity.ts';
import { jsonSize } from '../../../platform/json-size.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import type { ValidatedWrite } from '../schema-model/validator.ts';
import type { UniqueKey } from '../schema-model/unique-key.ts';

/** The entity-level event types of docs/reference/metadata.md#event-types. */
export type EntityEventType =
  | 'EntityCreated'
  | 'EntityUpdated'
  | 'AvailabilityChanged'
  | 'EntitySuperseded'
  | 'RelationshipCreated'
  | 'RelationshipRemoved'
  | 'ExternalIdAdded'
  | 'ExternalIdSuperseded';

/** Instance-level events have no entity. */
export type InstanceEventType = 'MigrationApplied' | 'ReferenceDataInstalled';

/** An entity as a write sees it. */
export type { EntityState };

export interface RelationshipKey {
  readonly sourceId: string;
  readonly targetId: string;
  readonly type: string;
}
/** docs/reference/metadata.md#relationship-fields: the id by which callers name a relationship. */
export const relationshipId = ({ sourceId, targetId, type }: RelationshipKey): string =>
  `${sourceId}->${targetId}:${type}`;

/** The type of the relationship from an entity to its successor. */
export const SUPERSEDED_BY = 'superseded_by';

export interface ExternalIdKey {
  readonly idType: string;
  readonly value: string;
}
export interface ExternalIdState extends ExternalIdKey {
  readonly recordId: string;
  readonly entityId: string;
}

/** The data that a write needs for its decision; all of it is read under the log's lock. */
export interface Needs {
  readonly entities?: readonly string[];
  /** Entities that are needed without their data. */
  readonly heads?: readonly string[];
  readonly relationships?: readonly RelationshipKey[];
  readonly externalIds?: readonly ExternalIdKey[];
  readonly uniques?: readonly UniqueKey[];
  /** Entities whose successors are needed, and the successors of those. */
  readonly superseded?: readonly string[];
}

/** The author of a write, and what should be recorded with it. */
export interface Author extends Identity {
  /**
   * Provenance context as JSON text, stored verbatim (docs/reference/metadata.md#context-keys); null for
   * none.
   */
  readonly contextText: string | null;
  /** The request that asks for the write; absent where none does. */
  readonly requestId?: string;
  /** Skips rules and configured validators; only validation/bypass.ts sets it. */
  readonly bypassValidation?: boolean;
}

/**
 * The view of a write: what it sees and changes. Everything on it is synchronous: nothing can happen between
 * check and decision.
 */
export interface WriteView {
  readonly catalogue: SchemaCatalogue;
  entity(id: string): EntityState | undefined;
  relationship(key: RelationshipKey): { readonly metadata: unknown } | undefined;
  /**
   * The successor of an entity, by relationships, for entities in {@link Needs.superseded} and their
   * successors.
   */
  successors(id: string): readonly string[];
  externalId(key: ExternalIdKey): ExternalIdState | undefined;
  /** Id of the entity that holds a unique value. */
  holder(key: UniqueKey): string | undefined;

  /** Runs the validators. @throws ValidationFailed */
  validate(write: ValidatedWrite): void;
  create(entity: GivenState, searchText: string): EntityState;
  /** Changes data; writes EntityUpdated with the changed fields; the version goes up by one. */
  update(
    id: string,
    next: { data: EntityData; project: string | null; searchText: string; changedFields: readonly string[] },
  ): EntityState;
  /** Making an entity unavailable counts as a delete for the validators. @throws ValidationFailed */
  setAvailability(id: string, current: boolean, reason: string | null): EntityState;
  /** Writes an event about an entity that changes neither its data nor its version. */
  record(type: EntityEventType, entityId: string, payload: Readonly<Record<string, unknown>>): void;
  /** Writes an instance-level event. */
  recordInstance(type: InstanceEventType, payload: Readonly<Record<string, unknown>>): void;
  relate(key: RelationshipKey, metadata: unknown): void;
  unrelate(key: RelationshipKey, reason: string | null): void;
  /** Returns the new record's id. */
  addExternalId(entityId: string, key: ExternalIdKey): string;
  /**
   * The replacement becomes a new record of the same entity, or is its existing record of that value; returns
   * its id.
   */
  supersedeExternalId(old: ExternalIdKey, replacement: ExternalIdKey, reason: string | null): string;
  takeUnique(key: UniqueKey, entityId: string): void;
  freeUnique(key: UniqueKey): void;
}

/** A write: queued, decided under the lock together with others; fails or succeeds alone. */
export interface Write<Result> {
  readonly author: Author;
  /** Approximate number of characters of its data: see {@link sizeOf}. */
  readonly size?: number;
  /** The data that it writes: of a large write it is made text before the log's lock is taken. */
  readonly data?: EntityData;
  /** Called again if the schemas have changed since. @throws DomainError, as the write's own outcome */
  needs(catalogue: SchemaCatalogue): Needs;
  /** Decides on the data of the view. Throwing undoes this write alone. */
  decide(view: WriteView): Result;
  /** As {@link decide}, for a write of many: others run meanwhile, though none of them writes. */
  readonly decideInTurns?: (view: WriteView) => Promise<Result>;
}

/**
 * From this many characters on a write is large: it does not share transactions with small ones, and waits
 * for its turn.
 */
export const LARGE_WRITE = 128 * 1024;
/** The size of a write with this data; counting stops when it is large. */
export const sizeOf = (data: unknown): number => jsonSize(data, LARGE_WRITE);

/**
 * The outcome of a write: its result and the last event's position and time of every entity that it touched.
 */
export interface Written<Result> {
  readonly result: Result;
  readonly times: ReadonlyMap<string, { readonly createdAt: string; readonly updatedAt: string }>;
}
