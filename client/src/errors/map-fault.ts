// Converts an error response to an exception, by its `extensions.code` and `details`
// (docs/reference/metadata.md#client-exceptions).
import {
  EntityNotFoundError,
  RelationshipExistsError,
  RelationshipNotFoundError,
  ExternalIdNotFoundError,
  SchemaError,
  ValidationError,
} from './errors.ts';
import { type ErrorInfo, MetadataError } from './metadata-error.ts';
import {
  ConflictError,
  ForbiddenError,
  PreconditionFailedError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
} from './transport-errors.ts';
import { type FailureReport, ValidationFailure } from './validation-failure.ts';

/** An error of a response in any of its formats. */
export interface Fault {
  readonly message: string;
  /** In capitals, as in GraphQL's `extensions.code`. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

type Details = Fault['details'];

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function failureOf(written: unknown): FailureReport[] {
  if (!isRecord(written)) return [];
  const {
    message,
    rule_id: ruleId,
    input_context: seen,
    entity_type: entityType,
    entity_id: entityId,
  } = written;
  return [
    {
      message: textOf(message) ?? '',
      ruleId: textOf(ruleId),
      inputContext: isRecord(seen) ? seen : {},
      entityType: textOf(entityType) ?? '',
      entityId: textOf(entityId),
    },
  ];
}

/**
 * Converts a rejected write. Details with `failures` come from a validator
 * (docs/reference/metadata.md#validation-failures); details with only a type's name mean an unknown type.
 */
function refusal(message: string, details: Details, info: ErrorInfo): MetadataError {
  const { failures, reason, relationship_id: relationshipId } = details;
  if (reason === 'relationship_exists')
    return new RelationshipExistsError(message, textOf(relationshipId), info);
  const reports = Array.isArray(failures) ? failures.flatMap(failureOf) : [];
  if (reports[0]) return new ValidationFailure(reports[0], { ...info, failures: reports });
  if (typeof details['entity_type'] === 'string' && Object.keys(details).length === 1)
    return new SchemaError(message, info);
  return new ValidationError(message, info);
}

function absence(message: string, details: Details, info: ErrorInfo): MetadataError {
  if (details['reason'] === 'relationship_not_found')
    return new RelationshipNotFoundError(message, textOf(details['relationship_id']), info);
  if (details['reason'] === 'external_id_not_found')
    return new ExternalIdNotFoundError(textOf(details['external_id']) ?? '', info);
  if (details['reason'] === 'entity_not_found')
    return new EntityNotFoundError(textOf(details['entity_type']), textOf(details['entity_id']) ?? '', info);
  return new MetadataError(message, info);
}

/**
 * Returns the exception for a fault. The operation itself creates exceptions that name an entity
 * (`absent-entity.ts`).
 */
export function errorOf({ message, code, details, requestId, retryAfterSeconds }: Fault): MetadataError {
  const info = { code, details, requestId };
  switch (code) {
    case 'MISSING_TOKEN':
    case 'INVALID_TOKEN':
    case 'EXPIRED_TOKEN':
    case 'REVOKED_TOKEN':
      return new UnauthorizedError(message, info);
    case 'INSUFFICIENT_ROLE':
    case 'PROJECT_SCOPE_DENIED':
    case 'SIGNATURE_INVALID':
      return new ForbiddenError(message, info);
    case 'NOT_FOUND':
      return absence(message, details, info);
    case 'CONFLICT':
      return new ConflictError(message, info);
    case 'PRECONDITION_FAILED':
      return new PreconditionFailedError(message, info);
    case 'VALIDATION_FAILED':
      return refusal(message, details, info);
    case 'INVALID_REQUEST':
    case 'PAYLOAD_TOO_LARGE':
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new ValidationError(message, info);
    case 'RATE_LIMIT_EXCEEDED':
      return new RateLimitedError(message, retryAfterSeconds, info);
    case 'COMPONENT_UNAVAILABLE':
    case 'RUNNER_UNAVAILABLE':
    case 'UPSTREAM_TIMEOUT':
      return new UnavailableError(message, 'unknown', info);
    default:
      return new MetadataError(message, info);
  }
}
