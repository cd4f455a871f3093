// Who has taken whose place: a chain that ends, with one successor for each (contract 6 «Ids»).
import { DomainError } from '../../../platform/errors.ts';
import type { WriteView } from '../provenance/write.ts';

/** @throws DomainError `conflict` where the replacement is the entity, or the entity has taken the place of it, at whatever distance */
export function assertNoCircle(view: WriteView, id: string, replacementId: string): void {
  const seen = new Set<string>();
  for (const next of follow(view, replacementId, seen)) {
    if (next === id)
      throw new DomainError(
        'conflict',
        `entity ${id} has itself taken the place of ${replacementId}: supersession would be a circle`,
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
