// Creates exceptions that name the missing entity, where the server does not name it.
import { EntityNotFoundError, SchemaError } from './errors.ts';
import type { Fault } from './map-fault.ts';
import type { MetadataError } from './metadata-error.ts';

/** Maps a fault before the general table does; returns undefined to leave it to that table. */
export type Explain = (fault: Fault) => MetadataError | undefined;

/** Maps `NOT_FOUND` to one of these entities: the one that the server names, else the first. */
export const absentEntity =
  (entityType: string | null, ...ids: readonly [string, ...string[]]): Explain =>
  ({ code, details, message, requestId }) => {
    if (code !== 'NOT_FOUND' || (details['reason'] ?? 'entity_not_found') !== 'entity_not_found')
      return undefined;
    const named =
      ids.find((id) => details['entity_id'] === id) ?? ids.find((id) => message.endsWith(`: ${id}`));
    return new EntityNotFoundError(entityType, named ?? ids[0], { requestId, details });
  };

/** Maps faults of an operation on schemas to SchemaError. */
export const aboutSchemas: Explain = ({ code, message, details, requestId }) =>
  code === 'NOT_FOUND' || code === 'VALIDATION_FAILED'
    ? new SchemaError(message, { code, details, requestId })
    : undefined;

/**
 * Maps only `NOT_FOUND`: a call that names a type and many entities reports single entities in its result, so
 * the type is missing.
 */
export const absentType: Explain = (fault) => (fault.code === 'NOT_FOUND' ? aboutSchemas(fault) : undefined);
