// Stale results with all stale results that they were made of (docs/reference/artifact.md#refresh).
import { DomainError } from '../../../platform/errors.ts';
import { inGroups } from '../../../platform/in-groups.ts';
import type { Staleness } from '../staleness/staleness.service.ts';

/** Results of one plan, with what they were made of. */
export const MAX_STEPS = 1000;
/** Looked at, or planned, at once. */
export const STEPS_AT_ONCE = 8;

type StaleOnes = ReadonlyMap<string, Staleness>;

/**
 * What lies between a change and a result is stale as well. Of a list there are only as many as can be planned at a time.
 * @param ofVisible of what lies between, for who asks
 * @throws DomainError `conflict` where even one of them is made of too many, or those that were named are
 */
export async function closureOf(
  found: StaleOnes,
  isList: boolean,
  ofVisible: (id: string) => Promise<Staleness | null>,
): Promise<{ readonly closure: StaleOnes; readonly isWhole: boolean }> {
  const closure = new Map<string, Staleness>();
  for (const [id, staleness] of found) {
    const between = staleness.reasons.flatMap(({ via }) => via);
    const more = [...new Set([id, ...between])].filter((one) => !closure.has(one));
    if (closure.size + more.length > MAX_STEPS) {
      if (isList && closure.size > 0) return { closure, isWhole: false };
      throw new DomainError(
        'conflict',
        `the results were made of more than ${MAX_STEPS} stale ones: refresh what they were made of first, or fewer of them at a time`,
        { limit: MAX_STEPS, entity_id: id },
      );
    }
    await inGroups(more, STEPS_AT_ONCE, async (one) => {
      const known = one === id ? staleness : (found.get(one) ?? (await ofVisible(one)));
      if (known?.isStale === true) closure.set(one, known);
    });
  }
  return { closure, isWhole: true };
}
