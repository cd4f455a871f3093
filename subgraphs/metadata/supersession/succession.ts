// Chains of supersession: no circles, and one successor for each entity
// (docs/reference/metadata.md#supersession).
import { DomainError } from '../../../platform/errors.ts';
import type { WriteView } from '../log/write.ts';

/**
 * @throws DomainError `conflict` if the entity is already superseded, if the replacement is the entity
 * itself, or if the entity supersedes it directly or indirectly
 */
export function assertMaySucceed(view: WriteView, id: string, replacementId: string): void {
  if (view.successors(id).some((other) => other !== replacementId))
    throw new DomainError('conflict', `entity ${id} is already superseded`, { reason: 'superseded' });
  const seen = new Set<string>();
  for (const next of follow(view, replacementId, seen)) {
    if (next === id)
      throw new DomainError(
        'conflict',
        `entity ${id} itself supersedes ${replacementId}: supersession would form a cycle`,
        { reason: 'supersession_cycle' },
      );
  }
}

function* follow(view: WriteView, from: string, seen: Set<string>): Generator<string> {
  const waiting = [from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    yield id;
    waiting.push(...view.successors(id));
  }
}
