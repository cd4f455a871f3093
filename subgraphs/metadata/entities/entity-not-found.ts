// The error for an entity that does not exist or is invisible to the caller.
import { DomainError } from '../../../platform/errors.ts';

/** `not_found` with reason `entity_not_found`; names the type if the caller did. */
export const entityNotFound = (id: string, entityType: string | null = null): DomainError =>
  new DomainError('not_found', `entity not found: ${id}`, {
    reason: 'entity_not_found',
    entity_id: id,
    ...(entityType === null ? {} : { entity_type: entityType }),
  });
