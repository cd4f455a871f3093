// The public exports of the package.
export { type Client, createClient } from './create-client.ts';
export type { ClientOptions, Fetch, RetryOptions, TokenRequest } from './client-options.ts';
export type {
  CallOptions,
  ProvenanceContext,
  Timestamp,
  ValidatedWriteOptions,
  WriteOptions,
} from './call-options.ts';
export type { Entity, ExpandedEntity, Expansion } from './entity.ts';
export type { ExpandOptions } from './expansion.ts';
export type { GetOptions } from './read-entities.ts';
export type {
  Changes,
  CreateOptions,
  DeleteOptions,
  SupersedeOptions,
  Supersession,
  UpdateOptions,
} from './write-entities.ts';
export type { FieldFilters, FieldValue, Order, Query, QueryOptions } from './query.ts';
export type { Listing, Page } from './listing.ts';
export { EVENT_TYPES, type EventType, type HistoryOptions, type ProvenanceEvent } from './history.ts';
export type {
  Direction,
  RelateOptions,
  Relationship,
  RelationshipsOptions,
  RemovedRelationship,
  SoughtRelationships,
  Traversal,
  TraversalNode,
  TraverseOptions,
  UnrelateOptions,
} from './relationships.ts';
export type {
  Availability,
  AvailabilityOptions,
  AvailabilityState,
  BulkAvailability,
} from './availability.ts';
export type {
  ExternalId,
  ExternalIds,
  FindByExternalIdOptions,
  SupersedeExternalIdOptions,
} from './external-ids.ts';
export type {
  FieldDefinition,
  FieldType,
  RuleDefinition,
  Schema,
  SchemaDefinition,
  SchemaField,
  SchemaReference,
  Schemas,
} from './schemas.ts';
export type { SearchHit, SearchOptions } from './search.ts';
export type { IngestAllOptions, IngestProgress, IngestRun, IngestSummary } from './ingest/ingest-all.ts';
export type { IngestRow, RefusedRow, RowOutcome, WrittenRow } from './ingest/rows.ts';
export type { EventsOptions, FeedItem } from './events/feed.ts';
export type { Actor, GraphqlOptions, Role } from './graphql.ts';
export {
  AggregatedValidationError,
  type Objection,
  type ProposedWrite,
  ValidationPipeline,
  type Validator,
  type Verdict,
  type WriteOperation,
} from './validation/pipeline.ts';
export type { ValidateOptions, ValidationReport } from './validation/validation.ts';
export { MetadataError } from './errors/metadata-error.ts';
export {
  AdapterError,
  ConfigError,
  EntityNotFoundError,
  ExternalIdNotFoundError,
  RelationshipExistsError,
  RelationshipNotFoundError,
  SchemaError,
  ValidationError,
} from './errors/errors.ts';
export { type FailureReport, ValidationFailure } from './errors/validation-failure.ts';
export {
  ConflictError,
  ForbiddenError,
  PreconditionFailedError,
  RateLimitedError,
  type Reached,
  UnauthorizedError,
  UnavailableError,
} from './errors/transport-errors.ts';
