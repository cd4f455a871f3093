// A relationship as it is read, and the rules for its fields.
import { DomainError, invalid } from '../../../platform/errors.ts';
import type { Moment } from '../reading/timeline.ts';
import { type RelationshipKey, relationshipId } from '../log/write.ts';

export interface Relationship {
  readonly id: string;
  readonly sourceEntityId: string;
  readonly targetEntityId: string;
  readonly relationshipType: string;
  readonly metadata: unknown;
  readonly createdAt: string;
  readonly createdBy: string;
  /** The moment at which its ends are read; absent for the present. */
  readonly at?: Moment;
}

export const DIRECTIONS = ['IN', 'OUT', 'BOTH'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const relationshipOf = (
  key: RelationshipKey,
  rest: Pick<Relationship, 'metadata' | 'createdAt' | 'createdBy' | 'at'>,
): Relationship => ({
  id: relationshipId(key),
  sourceEntityId: key.sourceId,
  targetEntityId: key.targetId,
  relationshipType: key.type,
  ...rest,
});

/** Its id must fit into a path: no `/`. */
const TYPE = /^[^/\p{Cc}\p{Cs}]{1,200}$/u;

/** @throws DomainError `validation_failed` for an invalid relationship type */
export function checkRelationshipType(type: string): void {
  if (!TYPE.test(type) || type.trim() === '')
    throw invalid('relationship_type must be 1 to 200 characters without `/` and control characters', {
      field: 'relationship_type',
    });
}

/** @throws DomainError `validation_failed` for anything but an object */
export function checkMetadata(metadata: unknown): void {
  if (metadata !== null && (typeof metadata !== 'object' || Array.isArray(metadata)))
    throw invalid('metadata must be an object', { field: 'metadata' });
}

export const relationshipExists = (id: string): DomainError =>
  invalid(`relationship already exists: ${id}`, { reason: 'relationship_exists', relationship_id: id });
export const relationshipNotFound = (id: string): DomainError =>
  new DomainError('not_found', `relationship not found: ${id}`, {
    reason: 'relationship_not_found',
    relationship_id: id,
  });
