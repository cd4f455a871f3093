// What was done to an entity, by whom, when (spec 2, `history`).
import { type CallOptions, instantOf, type Timestamp } from './call-options.ts';
import type { Core } from './core.ts';
import { byOffset, Listing } from './listing.ts';
import { assertOfType } from './read-entities.ts';

export const EVENT_TYPES = [
  'EntityCreated', 'EntityUpdated', 'AvailabilityChanged', 'EntitySuperseded', 'RelationshipCreated', 'RelationshipRemoved',
  'ExternalIdAdded', 'ExternalIdSuperseded', 'MigrationApplied', 'ReferenceDataInstalled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A record of the log: written once, never changed (spec 2 «Provenance event»). */
export interface ProvenanceEvent {
  readonly id: string;
  readonly eventType: EventType;
  /** Null for events of the whole instance, like `entityType`. */
  readonly entityId: string | null;
  readonly entityType: string | null;
  readonly actor: string;
  readonly timestamp: string;
  readonly schemaVersion: string;
  /** As the writer supplied it. */
  readonly context: unknown;
  /** By event type, with the names of spec 2. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export const EVENT = 'id eventType entityId entityType actor timestamp schemaVersion context payload';

export interface HistoryOptions extends CallOptions {
  /** Only events of these types. */
  readonly eventTypes?: readonly EventType[] | undefined;
  /** As far as it went at that time. */
  readonly asOf?: Timestamp | undefined;
  /** Events a request, 1 to 1000, default 200. */
  readonly pageSize?: number | undefined;
}

export interface Histories {
  /** Provenance of an entity, oldest first. @throws EntityNotFoundError when it is read */
  history(entityType: string, entityId: string, options?: HistoryOptions): Listing<ProvenanceEvent>;
}

const HISTORY = `query History($id: ID!, $eventTypes: [String!], $limit: Int, $offset: Int, $asOf: DateTime) {
  entity(id: $id) { entityType } entityHistory(entityId: $id, eventTypes: $eventTypes, limit: $limit, offset: $offset, asOf: $asOf) { ${EVENT} } }`;

export const historiesOf = ({ transport }: Core): Histories => ({
  history(entityType, entityId, { eventTypes, asOf, pageSize, ...options } = {}) {
    const read = async (limit: number, offset: number): Promise<readonly ProvenanceEvent[]> => {
      const { entity, entityHistory } = await transport.send<{ entity: { entityType: string } | null; entityHistory: ProvenanceEvent[] | null }>(
        { document: HISTORY, safety: 'read' }, { id: entityId, eventTypes, limit, offset, asOf: instantOf(asOf) }, options,
      );
      if (offset === 0) await assertOfType(transport, entityType, entityId, entity?.entityType, options);
      return entityHistory ?? []; // null at a time before its creation
    };
    return new Listing(byOffset(read), pageSize);
  },
});
