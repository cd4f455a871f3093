// Supersedes an entity: all effects are one write (docs/reference/metadata.md#supersession).
import { DomainError, invalid } from '../../../platform/errors.ts';
import { presentEntity } from '../entities/entity-writes.ts';
import { updatePayload } from '../log/event-payload.ts';
import { type Author, type EntityState, SUPERSEDED_BY, type Write } from '../log/write.ts';
import { assertMaySucceed } from './succession.ts';

export interface SupersedeRequest {
  readonly id: string;
  readonly replacementId: string;
  readonly reason: string | null;
  readonly author: Author;
}

export interface Superseded {
  readonly old: EntityState;
  readonly replacement: EntityState;
}

/**
 * @throws (as its outcome) DomainError `not_found` for either; `validation_failed` for an entity and itself;
 * `conflict` for an entity that is already superseded, and for a circle
 */
export function supersedeEntity({ id, replacementId, reason, author }: SupersedeRequest): Write<Superseded> {
  const key = { sourceId: id, targetId: replacementId, type: SUPERSEDED_BY };
  return {
    author,
    needs: () => ({ entities: [id, replacementId], relationships: [key], superseded: [id, replacementId] }),
    decide(view) {
      const old = presentEntity(view, author, id, null);
      const replacement = presentEntity(view, author, replacementId, null);
      if (id === replacementId) throw invalid('an entity cannot supersede itself');
      // the relationship was created by hand, or the entity was made available again
      const isRelated = view.successors(id).includes(replacementId);
      if (isRelated && !old.isAvailable)
        throw new DomainError('conflict', `entity ${id} is already superseded by ${replacementId}`, {
          reason: 'superseded',
        });
      assertMaySucceed(view, id, replacementId);
      const why = reason ?? `superseded by ${replacementId}`;
      view.record('EntitySuperseded', id, { superseded_by_id: replacementId, reason: why });
      view.record(
        'EntityUpdated',
        replacementId,
        updatePayload(
          { previous: replacement.data, next: replacement.data, changedFields: [] },
          { note: `supersedes entity ${id}`, supersedes: id },
        ),
      );
      if (!isRelated) view.relate(key, null);
      return {
        old: old.isAvailable ? view.setAvailability(id, false, reason ?? 'superseded') : old,
        replacement,
      };
    },
  };
}
