// Creating and removing relationships, as decisions under the log's lock; both ends must be visible to the
// author.
import { invalid } from '../../../platform/errors.ts';
import { presentEntity } from '../entities/entity-writes.ts';
import { isVisible } from '../reading/visibility.ts';
import {
  type Author,
  type RelationshipKey,
  relationshipId,
  sizeOf,
  SUPERSEDED_BY,
  type Write,
  type WriteView,
} from '../log/write.ts';
import { assertMaySucceed } from '../supersession/succession.ts';
import { relationshipExists, relationshipNotFound } from './relationship.ts';

export interface RelateRequest {
  readonly key: RelationshipKey;
  readonly metadata: unknown;
  readonly author: Author;
}

/**
 * @throws (as its outcome) DomainError `not_found`; `validation_failed` with reason `relationship_exists`;
 * `conflict` if `superseded_by` would form a circle, or add a second successor
 */
export function relate({ key, metadata, author }: RelateRequest): Write<RelationshipKey> {
  return {
    author,
    size: sizeOf(metadata),
    needs: () => ({
      heads: [key.sourceId, key.targetId],
      relationships: [key],
      ...(key.type === SUPERSEDED_BY ? { superseded: [key.sourceId, key.targetId] } : {}),
    }),
    decide(view) {
      presentEntity(view, author, key.sourceId, null);
      presentEntity(view, author, key.targetId, null);
      if (view.relationship(key)) throw relationshipExists(relationshipId(key));
      if (key.type === SUPERSEDED_BY) assertMaySucceed(view, key.sourceId, key.targetId);
      view.relate(key, metadata);
      return key;
    },
  };
}

/**
 * @throws (as its outcome) DomainError `not_found`, for the relationship with reason `relationship_not_found`
 */
export function unrelate({
  key,
  reason,
  author,
}: {
  key: RelationshipKey;
  reason: string | null;
  author: Author;
}): Write<RelationshipKey> {
  return {
    author,
    needs: () => ({ heads: [key.sourceId, key.targetId], relationships: [key] }),
    decide(view) {
      presentEntity(view, author, key.sourceId, null);
      presentEntity(view, author, key.targetId, null);
      if (!view.relationship(key)) throw relationshipNotFound(relationshipId(key));
      view.unrelate(key, reason);
      return key;
    },
  };
}

/** Maximum length of an id: two entity ids and a type of 200 characters, which may be two code units each. */
const MAX_ID_LENGTH = 2 * (200 + 2 + 200 + 1 + 200);

/**
 * All ways to parse a relationship's id as one of this entity. Ids and types may contain `->` and `:`
 * themselves, so there can be several; the store decides which exists.
 */
export function possibleKeys(entityId: string, id: string): RelationshipKey[] {
  if (id.length > MAX_ID_LENGTH) return [];
  const keys = new Map<string, RelationshipKey>();
  const add = (key: RelationshipKey): void => {
    if (key.sourceId !== '' && key.targetId !== '' && key.type !== '')
      keys.set(JSON.stringify([key.sourceId, key.targetId, key.type]), key);
  };
  const start = `${entityId}->`;
  if (id.startsWith(start)) {
    for (let at = id.indexOf(':', start.length); at >= 0; at = id.indexOf(':', at + 1)) {
      add({ sourceId: entityId, targetId: id.slice(start.length, at), type: id.slice(at + 1) });
    }
  }
  const middle = `->${entityId}:`;
  for (let at = id.indexOf(middle); at >= 0; at = id.indexOf(middle, at + 1)) {
    add({ sourceId: id.slice(0, at), targetId: entityId, type: id.slice(at + middle.length) });
  }
  return [...keys.values()];
}

/** DELETE /entities/{entity_id}/relationships/{rel_id}. @throws (as its outcome) like {@link unrelate} */
export function unrelateById({
  entityId,
  id,
  reason,
  author,
}: {
  entityId: string;
  id: string;
  reason: string | null;
  author: Author;
}): Write<RelationshipKey> {
  const possible = possibleKeys(entityId, id);
  return {
    author,
    needs: () => ({
      heads: [entityId, ...possible.flatMap((k) => [k.sourceId, k.targetId])],
      relationships: possible,
    }),
    decide(view) {
      presentEntity(view, author, entityId, null);
      const [found, another] = possible.filter(
        (k) => view.relationship(k) && isSeen(view, author, k.sourceId) && isSeen(view, author, k.targetId),
      );
      if (!found) throw relationshipNotFound(id);
      if (another)
        throw invalid(
          `${id} is the id of two relationships of entity ${entityId}: give source, target and type instead`,
        );
      view.unrelate(found, reason);
      return found;
    },
  };
}

function isSeen(view: WriteView, author: Author, id: string): boolean {
  const entity = view.entity(id);
  return entity !== undefined && isVisible(author, entity.project);
}
