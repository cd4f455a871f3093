// The type of a noun of the metadata subgraph, and what its services are created from.
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { Reads } from '../../platform/database/replicas.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import type { SubgraphModule } from '../../platform/subgraph-module.ts';
import type { EntityService } from './entities/entities.service.ts';
import type { Resolvers } from './generated/resolvers.ts';
import type { Log } from './log/log.service.ts';
import type { SchemaCatalogue } from './schema-model/schema-catalogue.ts';
import type { SchemaRegistry } from './schemas/schema-registry.ts';
import type { TypedSchema } from './typed/typed-api.ts';
import type { ValidationPipeline } from './validation/pipeline.ts';

export interface MetadataDeps {
  readonly database: Database;
  /** Where lists, numbers and pages of the log are read: replicas may answer. */
  readonly reads: Reads;
  readonly log: Logger;
  /** Maximum number of entities in one expanded list. */
  readonly expandLimit: number;
  /** How far ahead of this process's clock an event may be stamped. */
  readonly clockAheadSeconds: number;
  /** Path of the interactive documentation, if it is served. */
  readonly docs: string | null;
  /** The server's public address, without a trailing slash. */
  readonly publicUrl: (() => string) | null;
  readonly registry: SchemaRegistry;
  /** The current schemas. */
  readonly catalogue: () => SchemaCatalogue;
  readonly pipeline: ValidationPipeline;
  /** Every write goes through it. */
  readonly door: Log;
  /** Reads entities as a caller may see them; used by many nouns. */
  readonly entities: EntityService;
  /** The current typed part of the graph. */
  readonly typedSchema: () => TypedSchema;
}

/** `Slice` is what the noun adds to the context, `Context` what its resolvers require. */
export interface MetadataNoun<
  Slice extends object,
  Context extends OperationContext = OperationContext & Slice,
> extends SubgraphModule<MetadataDeps, Slice, Context> {
  readonly resolvers: Resolvers<Context>;
}
