// The exceptions of spec 2 «Errors»: one for each thing that a caller may want to treat in its own way.
import { type ErrorInfo, MetadataError } from './metadata-error.ts';

/** The client was set up in a way that cannot work: its address, its credential, its options. */
export class ConfigError extends MetadataError {
  override name = 'ConfigError';
  constructor(message: string, info: ErrorInfo = {}) {
    super(message, { code: 'CONFIG', ...info });
  }
}

/** A schema that does not exist or cannot be registered, or a type that no schema defines. */
export class SchemaError extends MetadataError {
  override name = 'SchemaError';
}

/** What was sent cannot be meant: a filter that is no CEL, a limit out of range, a value that JSON cannot hold. */
export class ValidationError extends MetadataError {
  override name = 'ValidationError';
}

/** There is no such entity, or none that the caller may see. */
export class EntityNotFoundError extends MetadataError {
  override name = 'EntityNotFoundError';
  /** Null where the operation names none. */
  readonly entityType: string | null;
  readonly entityId: string;

  constructor(entityType: string | null, entityId: string, info: ErrorInfo = {}) {
    super(`${entityType ?? 'entity'} not found: ${entityId}`, { code: 'NOT_FOUND', ...info });
    this.entityType = entityType;
    this.entityId = entityId;
  }
}

/** What answers is not, or does not speak like, the platform. */
export class AdapterError extends MetadataError {
  override name = 'AdapterError';
  constructor(message: string, info: ErrorInfo = {}) {
    super(message, { code: 'ADAPTER', ...info });
  }
}

/** What stands in the way is a relationship, there or not there. */
class RelationshipError extends MetadataError {
  readonly relationshipId: string | null;

  constructor(message: string, relationshipId: string | null, info: ErrorInfo = {}) {
    super(message, info);
    this.relationshipId = relationshipId;
  }
}

/** The relationship is there already. */
export class RelationshipExistsError extends RelationshipError {
  override name = 'RelationshipExistsError';
}

/** There is no such relationship, or none that the caller may see. */
export class RelationshipNotFoundError extends RelationshipError {
  override name = 'RelationshipNotFoundError';
}

/** No entity has the external id, or none that the caller may see. */
export class ExternalIdNotFoundError extends MetadataError {
  override name = 'ExternalIdNotFoundError';
  readonly externalId: string;

  constructor(externalId: string, info: ErrorInfo = {}) {
    super(`external id not found: ${externalId}`, { code: 'NOT_FOUND', ...info });
    this.externalId = externalId;
  }
}
