// Registering and superseding external ids, as decisions under the log's lock: each type and value belongs to
// one entity.
import { invalid } from '../../../platform/errors.ts';
import { presentEntity } from '../entities/entity-writes.ts';
import type { Author, ExternalIdKey, Write } from '../log/write.ts';
import { externalIdNotFound, externalIdTaken } from './external-id.ts';

/** Returns the record's id; that of the existing record if the entity already has it. */
export function register({
  entityId,
  key,
  author,
}: {
  entityId: string;
  key: ExternalIdKey;
  author: Author;
}): Write<string> {
  return {
    author,
    needs: () => ({ heads: [entityId], externalIds: [key] }),
    decide(view) {
      presentEntity(view, author, entityId, null);
      const present = view.externalId(key);
      if (present === undefined) return view.addExternalId(entityId, key);
      if (present.entityId !== entityId) throw externalIdTaken(key.idType, key.value);
      return present.recordId;
    },
  };
}

export interface ExternalIdSupersession {
  readonly entityId: string;
  readonly old: ExternalIdKey;
  readonly replacement: ExternalIdKey;
  readonly reason: string | null;
  readonly author: Author;
}

/** Returns the id of the replacement's record. */
export function supersede({
  entityId,
  old,
  replacement,
  reason,
  author,
}: ExternalIdSupersession): Write<string> {
  return {
    author,
    needs: () => ({ heads: [entityId], externalIds: [old, replacement] }),
    decide(view) {
      presentEntity(view, author, entityId, null);
      if (view.externalId(old)?.entityId !== entityId) throw externalIdNotFound(old.value);
      if (old.value === replacement.value)
        throw invalid('new_external_id must differ from old_external_id', { field: 'new_external_id' });
      const owner = view.externalId(replacement)?.entityId;
      if (owner !== undefined && owner !== entityId)
        throw externalIdTaken(replacement.idType, replacement.value);
      return view.supersedeExternalId(old, replacement, reason);
    },
  };
}
