// Creates a client: checks the options, wires the parts, and returns one object with all operations.
import { type AvailabilityOperations, availabilityOf } from './availability.ts';
import { type ClientOptions, settingsOf } from './client-options.ts';
import type { Core } from './core.ts';
import { type Events, eventsOf } from './events/feed.ts';
import { type ExternalIdOperations, externalIdsOf } from './external-ids.ts';
import { type GraphqlOperations, graphqlOf } from './graphql.ts';
import { type Histories, historiesOf } from './history.ts';
import { type Ingests, ingestsOf } from './ingest/ingest-all.ts';
import { type Queries, queriesOf } from './query.ts';
import { type EntityReads, entityReadsOf } from './read-entities.ts';
import { type Relationships, relationshipsOf } from './relationships.ts';
import { type SchemaOperations, schemasOf } from './schemas.ts';
import { type Searches, searchesOf } from './search.ts';
import { Transport } from './transport/transport.ts';
import { ValidationPipeline } from './validation/pipeline.ts';
import { type Validation, validationOf } from './validation/validation.ts';
import { type EntityWrites, entityWritesOf } from './write-entities.ts';

/** The operations of docs/reference/metadata.md#client-operations, and a few more. */
export interface Client
  extends
    EntityReads,
    EntityWrites,
    Queries,
    Histories,
    Relationships,
    AvailabilityOperations,
    Validation,
    Ingests,
    SchemaOperations,
    Searches,
    ExternalIdOperations,
    Events,
    GraphqlOperations {}

/**
 * Creates a client for the platform at a URL. It sends no request until an operation is called. @throws
 * ConfigError
 */
export function createClient(options: ClientOptions): Client {
  const core: Core = { transport: new Transport(settingsOf(options)), validators: new ValidationPipeline() };
  return {
    ...entityReadsOf(core),
    ...entityWritesOf(core),
    ...queriesOf(core),
    ...historiesOf(core),
    ...relationshipsOf(core),
    ...availabilityOf(core),
    ...validationOf(core),
    ...ingestsOf(core),
    ...schemasOf(core),
    ...searchesOf(core),
    ...externalIdsOf(core),
    ...eventsOf(core),
    ...graphqlOf(core),
  };
}
