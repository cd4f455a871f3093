// Queries the metadata for entities of a type that have changed since a moment, in the order of their
// changes.
import { BOUND_ENTITY, type BoundEntity } from '../../../platform/cel/bindings.ts';
import type { Execute } from '../deps.ts';

const CHANGED = `query ChangedEntities($type: String!, $filter: String!, $cursor: String, $unavailable: Boolean!) {
  entities(entityType: $type, filter: $filter, orderBy: "updated_at", limit: 500, cursor: $cursor, includeUnavailable: $unavailable) {
    items { ${BOUND_ENTITY} } nextCursor
  }
}`;

interface Page {
  readonly items: readonly BoundEntity[];
  readonly nextCursor: string | null;
}

export interface ChangesWanted {
  readonly entityType: string;
  /**
   * Changes after this moment; no two changes have the same time, and none becomes visible before an earlier
   * one (docs/decisions/0007).
   */
  readonly after: string;
  readonly includeUnavailable: boolean;
}

export async function* changedEntities(
  execute: Execute,
  { entityType, after, includeUnavailable }: ChangesWanted,
  signal: AbortSignal,
): AsyncGenerator<BoundEntity> {
  const filter = `updated_at > timestamp("${after}")`;
  for (let cursor: string | null = null; ;) {
    const answer = await execute(
      CHANGED,
      { type: entityType, filter, cursor, unavailable: includeUnavailable },
      signal,
    );
    const page = answer['entities'] as Page; // The document selects it.
    yield* page.items;
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
}
