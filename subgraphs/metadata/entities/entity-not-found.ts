// The one way to say that an entity is not there, or is not for the caller to see.
import { DomainError } from '../../../platform/errors.ts';

/** `not_found` with reason `entity_not_found`; the type is told where the caller named one. */
export const entityNotFound = (id: string, entityType: string | null = null): DomainError =>
  new DomainError('not_found', `entity not found: ${id}`, {
    reason: 'entity_not_found',
    entity_id: id,
    ...(entityType === null ? {} : { entity_type: entityType }),
  });
