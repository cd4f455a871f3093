// The words of a write: what it needs to see, what it decides, and the one object through which it may change
// anything.
import type { EntityState, GivenState } from '../../../platform/entity-columns.ts';
import type { Identity } from '../../../platform/identity.ts';
import { jsonSize } from '../../../platform/json-size.ts';
import type { EntityData } from '../schemas/entity-type.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import type { ValidatedWrite } from '../validation/validator.ts';
import type { UniqueKey } from '../schemas/unique-key.ts';

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

/** Those of the whole instance: they have no entity. */
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

/** The type of the relationship from an entity to what has taken its place. */
export const SUPERSEDED_BY = 'superseded_by';

export interface ExternalIdKey {
  readonly idType: string;
  readonly value: string;
}
export interface ExternalIdState extends ExternalIdKey {
  readonly recordId: string;
  readonly entityId: string;
}

/** What a write has to see before it can decide; all of it is read under the log's lock. */
export interface Needs {
  readonly entities?: readonly string[];
  /** Entities of which it is enough to know all but their data. */
  readonly heads?: readonly string[];
  readonly relationships?: readonly RelationshipKey[];
  readonly externalIds?: readonly ExternalIdKey[];
  readonly uniques?: readonly UniqueKey[];
  /**
   * Entities of which it has to be known what has taken their place, and what has taken the place of that.
   */
  readonly superseded?: readonly string[];
}

/** Who writes, and what they want remembered with it. */
export interface Author extends Identity {
  /**
   * Provenance context as JSON text, stored as it is (docs/reference/metadata.md#context-keys); null for
   * none.
   */
  readonly contextText: string | null;
  /** Leaves out rules and configured validators; see validation/bypass.ts, which alone sets it. */
  readonly bypassValidation?: boolean;
}

/**
 * What a write sees and changes. Everything on it is synchronous: nothing can come between look and decision.
 */
export interface WriteView {
  readonly catalogue: SchemaCatalogue;
  entity(id: string): EntityState | undefined;
  relationship(key: RelationshipKey): { readonly metadata: unknown } | undefined;
  /**
   * What has taken the place of an entity, by relationships; of those named in {@link Needs.superseded}, and
   * onwards.
   */
  successors(id: string): readonly string[];
  externalId(key: ExternalIdKey): ExternalIdState | undefined;
  /** Id of the entity that holds a unique value. */
  holder(key: UniqueKey): string | undefined;

  /** Asks the validators. @throws ValidationFailed */
  validate(write: ValidatedWrite): void;
  create(entity: GivenState, searchText: string): EntityState;
  /** Changes data; writes EntityUpdated with the changed fields; the version goes up by one. */
  update(
    id: string,
    next: { data: EntityData; project: string | null; searchText: string; changedFields: readonly string[] },
  ): EntityState;
  /** To make unavailable is to delete: the validators are asked. @throws ValidationFailed */
  setAvailability(id: string, current: boolean, reason: string | null): EntityState;
  /** Writes an event about an entity that changes neither its data nor its version. */
  record(type: EntityEventType, entityId: string, payload: Readonly<Record<string, unknown>>): void;
  /** Writes an event of the whole instance. */
  recordInstance(type: InstanceEventType, payload: Readonly<Record<string, unknown>>): void;
  relate(key: RelationshipKey, metadata: unknown): void;
  unrelate(key: RelationshipKey, reason: string | null): void;
  /** Answers the new record's id. */
  addExternalId(entityId: string, key: ExternalIdKey): string;
  /**
   * The replacement becomes a new record of the same entity, or is the record that it has of that value
   * already; answers its id.
   */
  supersedeExternalId(old: ExternalIdKey, replacement: ExternalIdKey, reason: string | null): string;
  takeUnique(key: UniqueKey, entityId: string): void;
  freeUnique(key: UniqueKey): void;
}

/** A write: waits in line, is decided under the lock together with others, and fails or succeeds alone. */
export interface Write<Result> {
  readonly author: Author;
  /** About how many characters of data it brings: see {@link sizeOf}. */
  readonly size?: number;
  /** Called again when the schemas have changed since. @throws DomainError, as the write's own outcome */
  needs(catalogue: SchemaCatalogue): Needs;
  /** Decides on what the view shows. Throwing undoes this write alone. */
  decide(view: WriteView): Result;
}

/**
 * From so many characters on a write is a large one: small ones do not travel with it, and it waits for its
 * turn.
 */
export const LARGE_WRITE = 128 * 1024;
/** The size of a write that brings the data; what is large is looked at no further. */
export const sizeOf = (data: unknown): number => jsonSize(data, LARGE_WRITE);

/**
 * What became of a write: its result and the last event's position and time of every entity that it touched.
 */
export interface Written<Result> {
  readonly result: Result;
  readonly times: ReadonlyMap<string, { readonly createdAt: string; readonly updatedAt: string }>;
}
