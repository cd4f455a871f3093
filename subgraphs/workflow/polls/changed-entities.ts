// Queries the metadata for entities of a type that have changed since a moment, in the order of their
// changes.
import { eventKey, versionKey } from '../../../platform/causal-links.ts';
import { BOUND_ENTITY, type BoundEntity } from '../../../platform/cel/bindings.ts';
import { tellsAvailability } from '../observation-log/judge.ts';
import type { PollFinding, Look, MetadataPoll } from './poll-trigger.ts';

const CHANGED = `query ChangedEntities($type: String!, $filter: String!, $cursor: String, $unavailable: Boolean!) {
  entities(entityType: $type, filter: $filter, orderBy: "updated_at", limit: 500, cursor: $cursor, includeUnavailable: $unavailable) {
    items { ${BOUND_ENTITY} } nextCursor
  }
}`;

interface Page {
  readonly items: readonly BoundEntity[];
  readonly nextCursor: string | null;
}

/** No two changes have the same time, and none becomes visible before an earlier one (docs/decisions/0007). */
export const changedEntities: Look<MetadataPoll> = async function* ({ poll }, execute, after, signal) {
  const filter = `updated_at > timestamp("${after}")`;
  const unavailable = tellsAvailability(poll.filter);
  for (let cursor: string | null = null; ;) {
    const answer = await execute(CHANGED, { type: poll.entityType, filter, cursor, unavailable }, signal);
    const page = answer['entities'] as Page; // The document selects it.
    for (const entity of page.items) {
      const { id, version, updated_at: updatedAt } = entity;
      const subject = { entity: { id, version, updated_at: updatedAt } };
      yield {
        entity,
        at: updatedAt,
        once: id, // it may change again while the pages are read
        firingKey: `${id}@${updatedAt}`,
        cause: subject,
        causedBy: versionKey({ id, version }),
        foundBy: { causedBy: eventKey(updatedAt), cursor: after },
        observed: { kind: 'entity', subject, project: entity.project ?? null },
        actsIn: entity.project ?? null,
      } satisfies PollFinding;
    }
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
};
