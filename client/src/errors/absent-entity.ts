// Says which entity is not there, where the server says only that one is not.
import { EntityNotFoundError, SchemaError } from './errors.ts';
import type { Fault } from './map-fault.ts';
import type { MetadataError } from './metadata-error.ts';

/** Looks at a fault before the general table does; undefined leaves it to that. */
export type Explain = (fault: Fault) => MetadataError | undefined;

/** A `NOT_FOUND` of entities means one of these entities: the one the server names, else the first. */
export const absentEntity =
  (entityType: string | null, ...ids: readonly [string, ...string[]]): Explain =>
  ({ code, details, message, requestId }) => {
    if (code !== 'NOT_FOUND' || (details['reason'] ?? 'entity_not_found') !== 'entity_not_found')
      return undefined;
    const named =
      ids.find((id) => details['entity_id'] === id) ?? ids.find((id) => message.endsWith(`: ${id}`));
    return new EntityNotFoundError(entityType, named ?? ids[0], { requestId, details });
  };

/** What an operation about a schema refuses, or cannot find, concerns the schema. */
export const aboutSchemas: Explain = ({ code, message, details, requestId }) =>
  code === 'NOT_FOUND' || code === 'VALIDATION_FAILED'
    ? new SchemaError(message, { code, details, requestId })
    : undefined;

/** Only what is not found: of a call that names a type and many entities, it is the type. */
export const absentType: Explain = (fault) => (fault.code === 'NOT_FOUND' ? aboutSchemas(fault) : undefined);
