// What metadata's resolvers have at hand: the services, and look-ups that one operation batches.
import { keyedLoader } from '../../platform/keyed-loader.ts';
import type { ComponentExtensions } from '../../platform/component.ts';
import type { OperationContext } from '../../platform/subgraph.ts';
import type { Caller } from '../../platform/identity.ts';
import type { Timeline } from './as-of/timeline.ts';
import type { AvailabilityService } from './availability/availability.service.ts';
import type { DrsService } from './drs/drs.service.ts';
import type { EntityService } from './entities/entities.service.ts';
import { EntityRecord } from './entities/entity-record.ts';
import type { ExternalIdService } from './external-ids/external-ids.service.ts';
import type { ExternalIdRecord, Standing } from './external-ids/external-ids.store.ts';
import type { HistoryBounds, ProvenanceService } from './provenance/provenance.service.ts';
import type { EventRow } from './provenance/provenance.store.ts';
import type { PresenceService } from './presence/presence.service.ts';
import type { Author } from './provenance/write.ts';
import type { ReferenceDataService } from './reference-data/reference-data.service.ts';
import type { Relationship } from './relationships/relationship.ts';
import type { RelationshipService } from './relationships/relationships.service.ts';
import type { OfEntities } from './relationships/relationships.store.ts';
import type { SchemaService } from './schemas/schemas.service.ts';
import type { StatusService } from './status/status.service.ts';
import type { SupersessionService } from './supersession/supersession.service.ts';

export interface MetadataServices {
  readonly timeline: Timeline;
  readonly entities: EntityService;
  readonly schemas: SchemaService;
  readonly provenance: ProvenanceService;
  readonly availability: AvailabilityService;
  readonly relationships: RelationshipService;
  readonly externalIds: ExternalIdService;
  readonly supersession: SupersessionService;
  readonly referenceData: ReferenceDataService;
  readonly drs: DrsService;
  readonly status: StatusService;
  readonly presence: PresenceService;
}

type Batched<Value> = (id: string) => Promise<Value>;
type BatchedWith<Args, Value> = (id: string, args: Args) => Promise<Value>;

export interface MetadataContext extends OperationContext, MetadataServices {
  /** Histories of entities that the operation has shown, batched; so are the next two. */
  readonly histories: BatchedWith<HistoryBounds, EventRow[]>;
  readonly relationshipsOf: BatchedWith<OfEntities, readonly Relationship[]>;
  readonly externalIdsOf: BatchedWith<Standing, ExternalIdRecord[]>;
  /** Entities as the caller sees them, batched; null where there is none. */
  readonly entityById: Batched<EntityRecord | null>;
}

/** Makes the contexts of operations over the same services: cheap to make, batching only what is asked for. */
export function contextsOver(services: MetadataServices): (caller: Caller, schemaVersion: string) => MetadataContext {
  class Operation {
    readonly caller: Caller;
    readonly extensions: ComponentExtensions;
    #histories: MetadataContext['histories'] | undefined;
    #relationshipsOf: MetadataContext['relationshipsOf'] | undefined;
    #externalIdsOf: MetadataContext['externalIdsOf'] | undefined;
    #entityById: MetadataContext['entityById'] | undefined;

    constructor(caller: Caller, schemaVersion: string) {
      this.caller = caller;
      this.extensions = { schemaVersion };
    }

    get histories(): MetadataContext['histories'] {
      return (this.#histories ??= keyedLoader((ids, bounds) => services.provenance.histories(ids, bounds), []));
    }

    get relationshipsOf(): MetadataContext['relationshipsOf'] {
      return (this.#relationshipsOf ??= keyedLoader((ids, bounds) => services.relationships.ofMany(ids, bounds, this.caller), []));
    }

    get externalIdsOf(): MetadataContext['externalIdsOf'] {
      return (this.#externalIdsOf ??= keyedLoader((ids, standing: Standing) => services.externalIds.ofMany(ids, standing), []));
    }

    get entityById(): MetadataContext['entityById'] {
      return (this.#entityById ??= oneByOne(keyedLoader((ids) => entitiesById(services.entities, ids, this.caller), null)));
    }
  }
  Object.assign(Operation.prototype, services);
  return (caller, schemaVersion) => new Operation(caller, schemaVersion) as Operation & MetadataServices; // the services stand on the prototype
}

const oneByOne = <Value>(load: BatchedWith<null, Value>): Batched<Value> => (id) => load(id, null);

async function entitiesById(entities: EntityService, ids: readonly string[], caller: Caller): Promise<ReadonlyMap<string, EntityRecord>> {
  const found = new Map<string, EntityRecord>();
  for (const row of await entities.getMany(ids, caller)) if (row) found.set(row.id, new EntityRecord(row));
  return found;
}

/** The caller as the author of a write. */
export const authorOf = ({ actor, roles, projects }: Caller, contextText: string | null): Author => ({ actor, roles, projects, contextText });
