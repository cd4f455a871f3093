// What metadata's resolvers have at hand: the services, and look-ups that one operation batches.
import { keyedLoader } from '../../platform/keyed-loader.ts';
import type { ComponentExtensions } from '../../platform/component.ts';
import type { OperationContext } from '../../platform/subgraph.ts';
import type { Caller } from '../../platform/identity.ts';
import type { Moment, Timeline } from './as-of/timeline.ts';
import type { AvailabilityService } from './availability/availability.service.ts';
import type { BulkIngestService } from './bulk-ingest/bulk-ingest.service.ts';
import type { ChangeFeedService } from './change-feed/change-feed.service.ts';
import type { Cut } from './cut-list.ts';
import type { DrsService } from './drs/drs.service.ts';
import type { EntityService, Listing } from './entities/entities.service.ts';
import { EntityRecord } from './entities/entity-record.ts';
import type { ExpandService, ExpandSource } from './expand/expand.service.ts';
import { expandTogether } from './expand/expand-together.ts';
import type { ExternalIdService } from './external-ids/external-ids.service.ts';
import { ResidueAllowance } from './filters/check-residue.ts';
import type { ExternalIdRecord, Standing } from './external-ids/external-ids.store.ts';
import type { ProvJsonService } from './prov-json/prov-json.service.ts';
import type { HistoryBounds, ProvenanceService } from './provenance/provenance.service.ts';
import type { EventRow } from './provenance/provenance.store.ts';
import type { PresenceService } from './presence/presence.service.ts';
import type { Author } from './provenance/write.ts';
import type { ReferenceDataService } from './reference-data/reference-data.service.ts';
import type { ReferenceService } from './references/references.service.ts';
import type { Relationship } from './relationships/relationship.ts';
import type { OfEntity, RelationshipService } from './relationships/relationships.service.ts';
import type { SchemaService } from './schemas/schemas.service.ts';
import type { SearchService } from './search/search.service.ts';
import type { StatusService } from './status/status.service.ts';
import type { SupersessionService } from './supersession/supersession.service.ts';
import type { TypedSchema } from './typed/typed-api.ts';
import { bypassing } from './validation/bypass.ts';
import type { ValidationService } from './validation/validation.service.ts';

export interface MetadataServices {
  readonly timeline: Timeline;
  readonly entities: EntityService;
  readonly expand: ExpandService;
  readonly search: SearchService;
  readonly schemas: SchemaService;
  readonly provenance: ProvenanceService;
  readonly availability: AvailabilityService;
  readonly relationships: RelationshipService;
  readonly externalIds: ExternalIdService;
  readonly supersession: SupersessionService;
  readonly referenceData: ReferenceDataService;
  readonly references: ReferenceService;
  readonly drs: DrsService;
  readonly status: StatusService;
  readonly presence: PresenceService;
  readonly validation: ValidationService;
  readonly bulkIngest: BulkIngestService;
  readonly provJson: ProvJsonService;
  readonly changeFeed: ChangeFeedService;
  readonly typedSchema: () => TypedSchema;
}

type BatchedWith<Args, Value> = (id: string, args: Args) => Promise<Value>;

export interface MetadataContext extends OperationContext, MetadataServices {
  /** Histories of entities that the operation has shown, batched; so are the next two. */
  readonly histories: BatchedWith<HistoryBounds, Cut<EventRow>>;
  readonly relationshipsOf: BatchedWith<OfEntity, Cut<Relationship>>;
  readonly externalIdsOf: BatchedWith<
    { readonly standing: Standing; readonly at: Moment },
    ExternalIdRecord[]
  >;
  /** How this operation lists: until when, and what all its filters together may cost. */
  readonly listing: Pick<Listing, 'signal' | 'allowance'>;
  /** Entities as the caller sees them, batched; null where there is none. */
  readonly entityById: BatchedWith<Moment, EntityRecord | null>;
  /** What surrounds an entity, batched. */
  readonly expandedOf: (source: ExpandSource, paths: string) => Promise<unknown>;
}

const NOTHING = { items: [], nextCursor: null } as const;

/** Makes the contexts of operations over the same services: cheap to make, batching only what is asked for. */
export function contextsOver(
  services: MetadataServices,
): (caller: Caller, schemaVersion: string) => MetadataContext {
  class Operation {
    readonly caller: Caller;
    readonly extensions: ComponentExtensions;
    #listing: MetadataContext['listing'] | undefined;
    #histories: MetadataContext['histories'] | undefined;
    #relationshipsOf: MetadataContext['relationshipsOf'] | undefined;
    #externalIdsOf: MetadataContext['externalIdsOf'] | undefined;
    #entityById: MetadataContext['entityById'] | undefined;
    #expandedOf: MetadataContext['expandedOf'] | undefined;

    constructor(caller: Caller, schemaVersion: string) {
      this.caller = caller;
      this.extensions = { schemaVersion };
    }

    get listing(): MetadataContext['listing'] {
      return (this.#listing ??= { signal: this.caller.signal, allowance: new ResidueAllowance() });
    }

    get histories(): MetadataContext['histories'] {
      return (this.#histories ??= keyedLoader(
        (ids, bounds) => services.provenance.histories(ids, bounds, this.caller),
        NOTHING,
      ));
    }

    get relationshipsOf(): MetadataContext['relationshipsOf'] {
      return (this.#relationshipsOf ??= keyedLoader(
        (ids, bounds) => services.relationships.ofMany(ids, bounds, this.caller),
        NOTHING,
      ));
    }

    get externalIdsOf(): MetadataContext['externalIdsOf'] {
      return (this.#externalIdsOf ??= keyedLoader(
        (ids, { standing, at }) => services.externalIds.ofMany(ids, standing, at),
        [],
      ));
    }

    get entityById(): MetadataContext['entityById'] {
      return (this.#entityById ??= keyedLoader(
        (ids, at) => entitiesById(services.entities, ids, this.caller, at),
        null,
      ));
    }

    get expandedOf(): MetadataContext['expandedOf'] {
      return (this.#expandedOf ??= expandTogether(
        (sources, paths, at) => services.expand.expand(sources, paths, at, this.caller),
        (warnings) => {
          if (warnings.length > 0) (this.extensions.warnings ??= []).push(...warnings);
        },
      ));
    }
  }
  Object.assign(Operation.prototype, services);
  return (caller, schemaVersion) => new Operation(caller, schemaVersion) as Operation & MetadataServices; // the services stand on the prototype
}

async function entitiesById(
  entities: EntityService,
  ids: readonly string[],
  caller: Caller,
  at: Moment,
): Promise<ReadonlyMap<string, EntityRecord>> {
  const found = new Map<string, EntityRecord>();
  for (const row of await entities.getMany(ids, caller, at))
    if (row) found.set(row.id, new EntityRecord(row, at));
  return found;
}

/** The caller as the author of a write. @throws DomainError `insufficient_role` for a bypass that the caller may not have */
export function authorOf(
  { actor, roles, projects }: Caller,
  contextText: string | null,
  bypassValidation: boolean | null = false,
): Author {
  const author = { actor, roles, projects, contextText };
  return bypassValidation ? bypassing(author) : author;
}
