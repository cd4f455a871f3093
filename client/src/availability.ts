// Reads and changes the availability of entities, one or many at once
// (docs/reference/metadata.md#availability).
import type { CallOptions, WriteOptions } from './call-options.ts';
import type { Core } from './core.ts';
import { absentEntity, absentType } from './errors/absent-entity.ts';
import { EntityNotFoundError } from './errors/errors.ts';

export interface AvailabilityState {
  readonly entityId: string;
  readonly isAvailable: boolean;
}

export interface AvailabilityOptions extends WriteOptions {
  /** Recorded with the event. Default, where an entity is made unavailable: `not given`. */
  readonly reason?: string | undefined;
}

/** The result of changing many entities. */
export interface BulkAvailability {
  /** Number of entities that have the availability now, including those that had it before. */
  readonly updated: number;
  /**
   * The entities that could not be changed; `code` is the HTTP status of the same change to the single
   * entity.
   */
  readonly errors: readonly { readonly entityId: string; readonly code: number; readonly message: string }[];
}

export interface Availability {
  /** @throws EntityNotFoundError */
  get(entityId: string, options?: CallOptions): Promise<AvailabilityState>;
  /** @throws EntityNotFoundError */
  set(entityId: string, isAvailable: boolean, options?: AvailabilityOptions): Promise<AvailabilityState>;
}

export interface AvailabilityOperations {
  readonly availability: Availability;
  /**
   * Changes many entities of one type. A failure of one does not stop the others.
   * @throws SchemaError for an unknown type
   */
  setAvailabilityBulk(
    entityType: string,
    entityIds: readonly string[],
    available: boolean,
    options?: AvailabilityOptions,
  ): Promise<BulkAvailability>;
}

const STATE = 'entityId: id isAvailable';
const GET = `query GetAvailability($id: ID!) { entity(id: $id) { ${STATE} } }`;
const SET = `mutation SetAvailability($id: ID!, $isAvailable: Boolean!, $reason: String, $context: ProvenanceContext) {
  entity: setAvailability(id: $id, isAvailable: $isAvailable, reason: $reason, context: $context) { ${STATE} } }`;
const BULK = `mutation SetAvailabilityBulk($entityType: String!, $entityIds: [ID!]!, $available: Boolean!, $reason: String, $context: ProvenanceContext) {
  outcome: setAvailabilityBulk(entityType: $entityType, entityIds: $entityIds, available: $available, reason: $reason, context: $context) { updated errors { entityId code message } } }`;

export const availabilityOf = ({ transport }: Core): AvailabilityOperations => ({
  availability: {
    async get(entityId, options = {}) {
      const { entity } = await transport.send<{ entity: AvailabilityState | null }>(
        { document: GET, safety: 'read' },
        { id: entityId },
        options,
      );
      if (entity === null) throw new EntityNotFoundError(null, entityId);
      return entity;
    },
    async set(id, isAvailable, { reason, provenanceContext: context, ...options } = {}) {
      const { entity } = await transport.send<{ entity: AvailabilityState }>(
        { document: SET, safety: 'idempotent', explain: absentEntity(null, id) },
        { id, isAvailable, reason, context },
        options,
      );
      return entity;
    },
  },
  async setAvailabilityBulk(
    entityType,
    entityIds,
    available,
    { reason, provenanceContext: context, ...options } = {},
  ) {
    const { outcome } = await transport.send<{ outcome: BulkAvailability }>(
      { document: BULK, safety: 'idempotent', explain: absentType },
      { entityType, entityIds, available, reason, context },
      options,
    );
    return outcome;
  },
});
