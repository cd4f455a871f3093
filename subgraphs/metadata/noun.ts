// What a noun of the metadata subgraph is, and what its services are made from.
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import type { SubgraphModule } from '../../platform/subgraph-module.ts';
import type { EntityService } from './entities/entities.service.ts';
import type { Resolvers } from './generated/resolvers.ts';
import type { FieldUses } from './index-advisor/field-uses.ts';
import type { Log } from './provenance/log.service.ts';
import type { SchemaCatalogue } from './schemas/schema-catalogue.ts';
import type { SchemaRegistry } from './schemas/schema-registry.ts';
import type { TypedSchema } from './typed/typed-api.ts';
import type { ValidationPipeline } from './validation/pipeline.ts';

export interface MetadataDeps {
  readonly database: Database;
  readonly log: Logger;
  /** Most entities in one expanded list. */
  readonly expandLimit: number;
  /** How far ahead of this process's clock an event may be stamped. */
  readonly clockAheadSeconds: number;
  /** Path of the interactive documentation, where it is served. */
  readonly docs: string | null;
  readonly registry: SchemaRegistry;
  /** The schemas as they are now. */
  readonly catalogue: () => SchemaCatalogue;
  readonly pipeline: ValidationPipeline;
  /** Which fields filters name. */
  readonly uses: FieldUses;
  /** Through which everything is written. */
  readonly door: Log;
  /** Entities as somebody sees them: many nouns ask for those that they are about. */
  readonly entities: EntityService;
  /** The typed part of the graph as it is now. */
  readonly typedSchema: () => TypedSchema;
}

/** `Slice` is what the noun adds to the context, `Context` what its resolvers find there. */
export interface MetadataNoun<
  Slice extends object,
  Context extends OperationContext = OperationContext & Slice,
> extends SubgraphModule<MetadataDeps, Slice, Context> {
  readonly resolvers: Resolvers<Context>;
}
