// What metadata's resolvers have at hand.
import type { OperationContext } from '../../platform/subgraph.ts';
import type { Caller } from '../../platform/identity.ts';
import type { EntityService } from './entities/entities.service.ts';
import type { HistoryBounds, ProvenanceService } from './provenance/provenance.service.ts';
import type { EventRow } from './provenance/provenance.store.ts';
import type { Author } from './provenance/write.ts';
import type { SchemaService } from './schemas/schemas.service.ts';

export interface MetadataContext extends OperationContext {
  readonly entities: EntityService;
  readonly schemas: SchemaService;
  readonly provenance: ProvenanceService;
  /** Histories of the operation's entities, batched. */
  readonly histories: (entityId: string, bounds: HistoryBounds) => Promise<EventRow[]>;
}

/** The caller as the author of a write. */
export const authorOf = ({ actor, roles, projects }: Caller, contextText: string | null): Author => ({ actor, roles, projects, contextText });
