// Compares what few changes may have made stale, and marks it, before anything is noted
// (docs/decisions/0191-few-changes-are-compared-at-once.md).
import { randomUUID } from 'node:crypto';
import { keepChanged, listMadeWith, type Written } from './changed-results.store.ts';
import { isMetadataAway } from './compare-due.ts';
import { type CompareDeps, everything, examine, remember } from './examine.ts';
import type { ChangedEntities } from './follow-entities.ts';
import type { RememberedRules } from './remembered-rules.ts';
import type { StaleBasis } from './stale-results.store.ts';

/** Productions that are compared at once; more of them are noted, and compared one batch after the other. */
const MAX_MADE = 200;

export interface CompareChangedDeps extends CompareDeps {
  /** At the revision of the look. */
  readonly rules: RememberedRules;
}

/**
 * @param basis of the look that has found them
 * @param until when all that has changed was looked at, if this is
 * @returns null where nothing was written, and what has changed must be noted
 * @throws DomainError `component_unavailable`
 */
export async function compareChanged(
  deps: CompareChangedDeps,
  { state: from }: Pick<StaleBasis, 'state'>,
  changed: ChangedEntities,
  until: string,
): Promise<Written | null> {
  const ids = [...changed.values()].flat().map(({ id }) => id);
  const now = everything(deps, deps.rules);
  // of many entities only what something was made of is read: their data may be large
  if (ids.length === 1) now.foresee(ids);
  const made = await listMadeWith(deps.db, ids, MAX_MADE);
  if (made === null) return null;
  try {
    const examined = await Promise.all(
      made.map(async (one) => {
        const { id, rule } = one.production;
        return { id, rule, ...(await examine(now, one, deps.revision)) };
      }),
    );
    const to = Object.fromEntries([...changed].map(([type, all]) => [type, all.at(-1)?.updatedAt ?? '']));
    const comparison = randomUUID();
    const written = await keepChanged(deps.db, { from, to, until }, comparison, examined);
    if (written !== null) remember(deps.compared, comparison, examined);
    return written;
  } catch (fault) {
    if (isMetadataAway(fault)) throw fault;
    deps.log.debug({ err: fault }, 'what has changed is compared one by one');
    return null;
  }
}
