// One entity takes another's place: everything that this means is one write (spec 2 «Provenance event», rule 3).
import { invalid } from '../../../platform/errors.ts';
import { presentEntity } from '../entities/entity-writes.ts';
import { updatePayload } from '../provenance/event-payload.ts';
import type { Author, EntityState, Write } from '../provenance/write.ts';

export interface SupersedeRequest {
  readonly id: string;
  readonly replacementId: string;
  readonly reason: string | null;
  readonly author: Author;
}

export interface Superseded { readonly old: EntityState; readonly replacement: EntityState }

/** The type of the relationship from an old entity to its replacement. */
export const SUPERSEDED_BY = 'superseded_by';

/** @throws (as its outcome) DomainError `not_found` of either; `validation_failed` for an entity and itself, and for what is superseded by this one already */
export function supersedeEntity({ id, replacementId, reason, author }: SupersedeRequest): Write<Superseded> {
  const key = { sourceId: id, targetId: replacementId, type: SUPERSEDED_BY };
  return {
    author,
    needs: () => ({ entities: [id, replacementId], relationships: [key] }),
    decide(view) {
      const old = presentEntity(view, author, id, null);
      const replacement = presentEntity(view, author, replacementId, null);
      if (id === replacementId) throw invalid('an entity cannot supersede itself');
      const isRelated = view.relationship(key) !== undefined;
      if (isRelated && !old.isAvailable) throw invalid(`entity ${id} is superseded by ${replacementId} already`, { reason: 'relationship_exists' });
      const why = reason ?? `superseded by ${replacementId}`;
      view.record('EntitySuperseded', id, { superseded_by_id: replacementId, reason: why });
      view.record('EntityUpdated', replacementId, updatePayload({ previous: replacement.data, next: replacement.data, changedFields: [] }, { note: `supersedes entity ${id}`, supersedes: id }));
      if (!isRelated) view.relate(key, null);
      return { old: old.isAvailable ? view.setAvailability(id, false, reason ?? 'superseded') : old, replacement };
    },
  };
}
