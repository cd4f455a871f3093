// The data that a batch of writes loads and is about to write: entities, events, relationships, external ids.
import type { EntityData } from '../schemas/entity-type.ts';
import type {
  Author,
  EntityEventType,
  EntityState,
  ExternalIdState,
  InstanceEventType,
  RelationshipKey,
  UniqueKey,
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

export interface LoadedEntity extends EntityState {
  readonly firstEvent: string;
  /** The event that made its state; later events, up to the last, changed nothing of it. */
  readonly stateEvent: string;
  readonly lastEvent: string;
  readonly createdAt: string;
  readonly updatedAt: string;
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

export interface NewRelationship {
  readonly key: RelationshipKey;
  readonly metadata: unknown;
  readonly createdBy: string;
  readonly ordinal: number;
}
export interface NewExternalId extends ExternalIdState {
  readonly ordinal: number;
}

export interface Loaded {
  readonly entities: readonly LoadedEntity[];
  readonly relationships: readonly (RelationshipKey & { readonly metadata: unknown })[];
  readonly externalIds: readonly ExternalIdState[];
  readonly uniques: readonly (UniqueKey & { readonly entityId: string })[];
}
