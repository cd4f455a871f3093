// Defines the exceptions of docs/reference/metadata.md#client-exceptions: one for each case that a caller may
// want to handle separately.
import { type ErrorInfo, MetadataError } from './metadata-error.ts';

/** The client's configuration is invalid: its URL, its credential, its options. */
export class ConfigError extends MetadataError {
  override name = 'ConfigError';
  constructor(message: string, info: ErrorInfo = {}) {
    super(message, { code: 'CONFIG', ...info });
  }
}

/** A schema that does not exist or cannot be registered, or a type without a schema. */
export class SchemaError extends MetadataError {
  override name = 'SchemaError';
}

/**
 * The request is invalid: a filter that is not CEL, a limit out of range, a value that JSON cannot represent.
 */
export class ValidationError extends MetadataError {
  override name = 'ValidationError';
}

/** The entity does not exist or is not visible to the caller. */
export class EntityNotFoundError extends MetadataError {
  override name = 'EntityNotFoundError';
  /** Null where the operation does not name a type. */
  readonly entityType: string | null;
  readonly entityId: string;

  constructor(entityType: string | null, entityId: string, info: ErrorInfo = {}) {
    super(`${entityType ?? 'entity'} not found: ${entityId}`, { code: 'NOT_FOUND', ...info });
    this.entityType = entityType;
    this.entityId = entityId;
  }
}

/** The response does not come from the platform, or does not follow its protocol. */
export class AdapterError extends MetadataError {
  override name = 'AdapterError';
  constructor(message: string, info: ErrorInfo = {}) {
    super(message, { code: 'ADAPTER', ...info });
  }
}

/** An operation failed because a relationship exists or does not exist. */
class RelationshipError extends MetadataError {
  readonly relationshipId: string | null;

  constructor(message: string, relationshipId: string | null, info: ErrorInfo = {}) {
    super(message, info);
    this.relationshipId = relationshipId;
  }
}

/** The relationship already exists. */
export class RelationshipExistsError extends RelationshipError {
  override name = 'RelationshipExistsError';
}

/** The relationship does not exist or is not visible to the caller. */
export class RelationshipNotFoundError extends RelationshipError {
  override name = 'RelationshipNotFoundError';
}

/** No entity that the caller may see has the external id. */
export class ExternalIdNotFoundError extends MetadataError {
  override name = 'ExternalIdNotFoundError';
  readonly externalId: string;

  constructor(externalId: string, info: ErrorInfo = {}) {
    super(`external id not found: ${externalId}`, { code: 'NOT_FOUND', ...info });
    this.externalId = externalId;
  }
}
