// Compares what is due, and marks what is stale (docs/decisions/0163-stale-results-are-marked.md).
import { randomUUID } from 'node:crypto';
import { DomainError } from '../../../platform/errors.ts';
import { type CompareDeps, everything, examine, remember } from './examine.ts';
import { keepRuleStates, listAffectedRules } from './rule-staleness.store.ts';
import {
  type Due,
  keepCompared,
  listDue,
  lockPositions,
  makeMadeByDue,
  settleDue,
} from './stale-results.store.ts';

/** Compared together, with a few statements. */
const BATCH = 200;

/**
 * Compares what has been due for longest. What cannot be compared stays due for another time, and holds nothing else up.
 * @param putOff the stamps of what could not be compared: it is added to
 * @returns false if nothing else is due
 */
export async function compareDue(deps: CompareDeps, putOff: Set<string>): Promise<boolean> {
  const due = await listDue(deps.db, [...putOff], BATCH);
  if (due.length === 0) return false;
  const ofKind = (kind: Due['kind']): readonly Due[] => due.filter((one) => one.kind === kind);
  const [rules, productions] = [ofKind('rule'), ofKind('production')];
  let mayBeDue = rules.length > 0;
  if (rules.length > 0) await compareOrPutOff(deps, rules, compareRules, putOff);
  if (productions.length > 0)
    mayBeDue = (await compareOrPutOff(deps, productions, compareProductions, putOff)) || mayBeDue;
  return mayBeDue;
}

export const isMetadataAway = (fault: unknown): boolean =>
  fault instanceof DomainError && fault.code === 'component_unavailable';

/**
 * One by one where they cannot be compared together.
 * @returns false if nothing else is due
 * @throws DomainError `component_unavailable`
 */
async function compareOrPutOff(
  deps: CompareDeps,
  due: readonly Due[],
  compareAll: (deps: CompareDeps, due: readonly Due[]) => Promise<boolean>,
  putOff: Set<string>,
): Promise<boolean> {
  try {
    return await compareAll(deps, due);
  } catch (err) {
    if (isMetadataAway(err)) throw err;
    const [one, ...others] = due;
    if (one === undefined) return true;
    if (others.length > 0) {
      for (const each of due) await compareOrPutOff(deps, [each], compareAll, putOff);
      return true;
    }
    putOff.add(one.stamp);
    deps.log.warn({ err, kind: one.kind, id: one.id }, 'whether it is stale could not be found out');
    return true;
  }
}

async function compareRules(deps: CompareDeps, due: readonly Due[]): Promise<boolean> {
  const affected = await listAffectedRules(
    deps.db,
    due.map(({ id }) => id),
  );
  const now = everything(deps);
  const states = await Promise.all(
    affected.map(async (one) => ({ ...one, isChanged: await now.hasRuleChanged(one.rule) })),
  );
  await deps
    .transact(async (db) => {
      await lockPositions(db);
      if ((await settleDue(db, due)).size < due.length) throw new DueAgain();
      await makeMadeByDue(db, await keepRuleStates(db, states));
    })
    .catch(ignoreDueAgain);
  return true;
}

/** A rule has changed meanwhile: nothing is written, and it is compared again. */
class DueAgain extends Error {}
function ignoreDueAgain(fault: unknown): void {
  if (!(fault instanceof DueAgain)) throw fault;
}

async function compareProductions(deps: CompareDeps, due: readonly Due[]): Promise<boolean> {
  const now = everything(deps);
  const examined = await Promise.all(
    due.map(async (one) => ({ due: one, id: one.id, ...(await examine(now, one.recorded, deps.revision)) })),
  );
  const comparison = randomUUID();
  const isDue = await keepCompared(deps.db, comparison, examined);
  remember(deps.compared, comparison, examined);
  return isDue;
}
