// Compares what few changes may have made stale, and marks it, before anything is noted
// (docs/decisions/0191-few-changes-are-compared-at-once.md).
import { randomUUID } from 'node:crypto';
import { keepChanged, listMadeWith } from './changed-results.store.ts';
import { isMetadataAway } from './compare-due.ts';
import { type CompareDeps, everything, examine, remember } from './examine.ts';
import type { ChangedEntities } from './follow-entities.ts';
import type { StaleBasis } from './stale-results.store.ts';

/** Productions that are compared at once; more of them are noted, and compared one batch after the other. */
const MAX_MADE = 200;

/**
 * @param state of the look that has found them
 * @returns whether anything is due after it; null where nothing was written, and what has changed must be noted
 * @throws DomainError `component_unavailable`
 */
export async function compareChanged(
  deps: CompareDeps,
  { state }: Pick<StaleBasis, 'state'>,
  changed: ChangedEntities,
): Promise<boolean | null> {
  const ids = [...changed.values()].flat().map(({ id }) => id);
  const now = everything(deps);
  // of many entities only what something was made of is read: their data may be large
  if (ids.length === 1) now.foresee(ids);
  const made = await listMadeWith(deps.db, ids, MAX_MADE);
  if (made === null) return null;
  try {
    const examined = await Promise.all(
      made.map(async (one) => ({ id: one.production.id, ...(await examine(now, one, deps.revision)) })),
    );
    const to = Object.fromEntries([...changed].map(([type, all]) => [type, all.at(-1)?.updatedAt ?? '']));
    const comparison = randomUUID();
    const isDue = await keepChanged(deps.db, { from: state, to }, comparison, examined);
    if (isDue !== null) remember(deps.compared, comparison, examined);
    return isDue;
  } catch (fault) {
    if (isMetadataAway(fault)) throw fault;
    deps.log.debug({ err: fault }, 'what has changed is compared one by one');
    return null;
  }
}
