// Entities as a caller sees them now, with their data.
import type { Caller } from '../../../platform/identity.ts';
import { foundByIds } from '../in-filters.ts';
import type { StoredEntity } from '../planning/entities.ts';
import { type AskPlatform, question } from '../platform-port.ts';

const PRESENT = `query StalenessInputs($filter: String!, $limit: Int!) {
  entities(filter: $filter, limit: $limit, includeUnavailable: true, count: NONE) { items { id entityType data version isAvailable } }
}`;

/** The entities as they are now; null for those that the caller does not see. */
export async function presentOf(
  ask: AskPlatform,
  caller: Caller,
  ids: readonly string[],
): Promise<(StoredEntity | null)[]> {
  const present = await foundByIds<StoredEntity>(ids, (wanted) =>
    question(ask, PRESENT, 'entities', wanted, caller),
  );
  const found = new Map(present.map((entity) => [entity.id, entity]));
  return ids.map((id) => found.get(id) ?? null);
}
