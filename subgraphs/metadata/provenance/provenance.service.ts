// The history of an entity, for those who may see the entity.
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { checkPage } from '../../../platform/paging.ts';
import type { Moment } from '../as-of/timeline.ts';
import type { EventRow } from './provenance.store.ts';

/** Spec 2 «Provenance event»: the ten types there are. */
export const EVENT_TYPES = [
  'EntityCreated', 'EntityUpdated', 'AvailabilityChanged', 'EntitySuperseded', 'RelationshipCreated', 'RelationshipRemoved',
  'ExternalIdAdded', 'ExternalIdSuperseded', 'MigrationApplied', 'ReferenceDataInstalled',
] as const;

export interface HistoryBounds {
  readonly eventTypes: readonly string[] | null;
  readonly limit: number;
  readonly offset: number;
  /** Where the history ends; null for the present. */
  readonly at: Moment;
}

export interface ProvenancePorts {
  readonly isVisible: (entityId: string, identity: Identity, at: Moment) => Promise<boolean>;
  readonly historyOf: (entityIds: readonly string[], bounds: HistoryBounds, identity: Identity) => Promise<EventRow[]>;
}

export class ProvenanceService {
  readonly #ports: ProvenancePorts;
  constructor(ports: ProvenancePorts) {
    this.#ports = ports;
  }

  /** Oldest first; null where the caller can see no such entity. @throws DomainError `validation_failed` for bounds and unknown types */
  async history(entityId: string, bounds: HistoryBounds, identity: Identity): Promise<EventRow[] | null> {
    checkBounds(bounds);
    if (!await this.#ports.isVisible(entityId, identity, bounds.at)) return null;
    return this.#ports.historyOf([entityId], bounds, identity);
  }

  /** The same for many entities that the caller has been shown already, by their ids. */
  async histories(entityIds: readonly string[], bounds: HistoryBounds, identity: Identity): Promise<ReadonlyMap<string, EventRow[]>> {
    checkBounds(bounds);
    const byId = new Map(entityIds.map((id): [string, EventRow[]] => [id, []]));
    for (const row of await this.#ports.historyOf(entityIds, bounds, identity)) byId.get(row.entity_id ?? '')?.push(row);
    return byId;
  }
}

function checkBounds(bounds: HistoryBounds): void {
  checkPage(bounds, invalid);
  const unknown = bounds.eventTypes?.find((type) => !(EVENT_TYPES as readonly string[]).includes(type));
  if (unknown !== undefined) throw invalid(`unknown event type: ${unknown}`, { known: EVENT_TYPES });
}
