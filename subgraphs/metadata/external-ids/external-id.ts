// The rules for external ids, and the errors that only external ids have.
import { DomainError, invalid } from '../../../platform/errors.ts';

/**
 * The type of an external id that is registered without one (docs/reference/metadata.md#external-id-records).
 */
export const DEFAULT_TYPE = 'default';

/** It is part of a path, so it has no `/`. */
const ID_TYPE = /^[^/\s\p{Cc}\p{Cs}]{1,200}$/u;
const VALUE = /^[^\p{Cc}\p{Cs}]{1,1000}$/u;

/** @throws DomainError `validation_failed` */
export function checkIdType(idType: string): void {
  if (!ID_TYPE.test(idType))
    throw invalid('id_type must be 1 to 200 visible characters without `/`', { field: 'id_type' });
}

/** @throws DomainError `validation_failed` */
export function checkExternalId(value: string, field = 'external_id'): void {
  if (!VALUE.test(value) || value.trim() === '')
    throw invalid(`${field} must be 1 to 1000 characters, without control characters`, { field });
}

export const externalIdNotFound = (value: string): DomainError =>
  new DomainError('not_found', `external id not found: ${value}`, {
    reason: 'external_id_not_found',
    external_id: value,
  });
export const externalIdTaken = (idType: string, value: string): DomainError =>
  invalid(`external id ${value} of type ${idType} belongs to another entity`, {
    reason: 'external_id_taken',
    id_type: idType,
    external_id: value,
  });
