// Reads the history of an entity: its provenance events (docs/reference/metadata.md#history).
import { type CallOptions, instantOf, type Timestamp } from './call-options.ts';
import type { Core } from './core.ts';
import { Listing, type Page, type PageRequest } from './listing.ts';
import { assertOfType } from './read-entities.ts';

export const EVENT_TYPES = [
  'EntityCreated',
  'EntityUpdated',
  'AvailabilityChanged',
  'EntitySuperseded',
  'RelationshipCreated',
  'RelationshipRemoved',
  'ExternalIdAdded',
  'ExternalIdSuperseded',
  'MigrationApplied',
  'ReferenceDataInstalled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An immutable record of the log (docs/reference/metadata.md#provenance-event). */
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
  /** Depends on the event type (docs/reference/metadata.md#event-types). */
  readonly payload: Readonly<Record<string, unknown>>;
}

export const EVENT = 'id eventType entityId entityType actor timestamp schemaVersion context payload';

export interface HistoryOptions extends CallOptions {
  /** Limits the result to events of these types. */
  readonly eventTypes?: readonly EventType[] | undefined;
  /** Limits the result to events up to this time. */
  readonly asOf?: Timestamp | undefined;
  /** Events per request, 1 to 1000, default 200. */
  readonly pageSize?: number | undefined;
}

export interface Histories {
  /** Returns the provenance of an entity, oldest first. @throws EntityNotFoundError when it is read */
  history(entityType: string, entityId: string, options?: HistoryOptions): Listing<ProvenanceEvent>;
}

const HISTORY = `query History($id: ID!, $eventTypes: [String!], $limit: Int, $cursor: String, $asOf: DateTime) {
  entity(id: $id) { entityType } page: entityHistoryPage(entityId: $id, eventTypes: $eventTypes, limit: $limit, cursor: $cursor, asOf: $asOf) { items { ${EVENT} } nextCursor } }`;

export const historiesOf = ({ transport }: Core): Histories => ({
  history(entityType, entityId, { eventTypes, asOf, pageSize, ...options } = {}) {
    return new Listing(async (request: PageRequest) => {
      const { entity, page } = await transport.send<{
        entity: { entityType: string } | null;
        page: Page<ProvenanceEvent> | null;
      }>(
        { document: HISTORY, safety: 'read' },
        { id: entityId, eventTypes, ...request, asOf: instantOf(asOf) },
        options,
      );
      if (request.cursor === undefined)
        await assertOfType(transport, entityType, entityId, entity?.entityType, options);
      return page ?? { items: [], nextCursor: null }; // null at a time before the entity's creation
    }, pageSize);
  },
});
