// What a batch of writes loads and is about to write: entities, events, relationships, external ids.
import type { EntityValues } from '../../../platform/entity-columns.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import type { UniqueKey } from '../schema-model/unique-key.ts';
import type {
  Author,
  EntityEventType,
  EntityState,
  ExternalIdState,
  InstanceEventType,
  RelationshipKey,
} from './write.ts';

/** An event to be written; its index in the list + 1 is its ordinal. */
export interface PendingEvent {
  readonly type: EntityEventType | InstanceEventType;
  /** Null, like the type, for instance-level events. */
  readonly entityId: string | null;
  readonly entityType: string | null;
  readonly author: Author;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A point of the log: a written position, or the ordinal of an event of this batch. */
export type LogPoint = { readonly position: string } | { readonly ordinal: number };

export interface LoadedEntity extends EntityValues {
  readonly firstEvent: string;
  /** The event that made its state; later events, up to the last, changed nothing of it. */
  readonly stateEvent: string;
  readonly lastEvent: string;
}

/** A state that ended within this batch. The database itself copies the loaded state. */
export interface ClosedState {
  readonly state: EntityState;
  readonly first: LogPoint;
  readonly from: LogPoint;
  readonly to: number;
  readonly isLoaded: boolean;
}

export interface EntityWork {
  readonly loaded: LoadedEntity | null;
  current: EntityState;
  first: LogPoint;
  /** The event that made the current state. */
  since: LogPoint;
  last: LogPoint;
  /** The data fields that differ from the loaded ones; null for none. */
  changes: EntityData | null;
  searchText: string | null;
  readonly closed: ClosedState[];
}

/** An entity as it was loaded. */
export const unchanged = (entity: LoadedEntity): EntityWork => ({
  loaded: entity,
  current: entity,
  first: { position: entity.firstEvent },
  since: { position: entity.stateEvent },
  last: { position: entity.lastEvent },
  changes: null,
  searchText: null,
  closed: [],
});

/** The data of an entity of which only the rest was read. */
export const NOT_READ: EntityData = Object.freeze({});

/**
 * Thrown by a write that must not share a statement with an earlier write of its batch: it goes into the next
 * one.
 */
export class Deferred extends Error {}

export interface NewRelationship {
  readonly key: RelationshipKey;
  readonly metadata: unknown;
  readonly createdBy: string;
  readonly ordinal: number;
}
export interface EndedRelationship {
  readonly key: RelationshipKey;
  readonly ordinal: number;
}
export interface NewExternalId extends ExternalIdState {
  readonly ordinal: number;
}
export interface EndedExternalId {
  readonly recordId: string;
  readonly successor: string;
  readonly ordinal: number;
}

export interface Loaded {
  readonly entities: readonly LoadedEntity[];
  readonly relationships: readonly (RelationshipKey & { readonly metadata: unknown })[];
  readonly externalIds: readonly ExternalIdState[];
  readonly uniques: readonly (UniqueKey & { readonly entityId: string })[];
}
