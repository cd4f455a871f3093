// Compares what is due, and marks what is stale: by the code that answers for one result
// (docs/decisions/0163-stale-results-are-marked.md).
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Transact } from '../../../platform/database/transaction.ts';
import { DomainError } from '../../../platform/errors.ts';
import { isList, isObject } from '../../../platform/json-object.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { asService } from '../as-service.ts';
import { type PlanNode, requiredBy } from '../planning/plan.ts';
import { ProductionService } from '../productions/productions.service.ts';
import { RuleService } from '../rules/rules.service.ts';
import type { StalenessFor } from './create-staleness.ts';
import { keepRuleStates, listAffectedRules } from './rule-staleness.store.ts';
import {
  type Compared,
  type Due,
  keepCompared,
  listDue,
  lockPositions,
  makeMadeByDue,
  type Recorded,
  type Result,
  settleDue,
} from './stale-results.store.ts';
import type { KeptComparison, StalenessService } from './staleness.service.ts';

export interface CompareDeps {
  readonly log: Logger;
  readonly db: Queryable;
  readonly transact: Transact;
  readonly staleness: StalenessFor;
  readonly compared: KeptComparisons;
  /** Of the rules, before anything of them is read. */
  readonly revision: string;
}

/** What was found of productions, by them and the comparison. */
export type KeptComparisons = LRUCache<string, KeptComparison>;
const MAX_COMPARED = 20_000;
export const rememberCompared = (): KeptComparisons => new LRUCache({ max: MAX_COMPARED });
export const comparedKey = (productionId: string, comparison: string): string =>
  `${comparison} ${productionId}`;

/** Compared together, with a few statements. */
const BATCH = 200;

/** Everything, whoever may see it: each caller's own view leaves reasons out, and adds none. */
function everything({ db, staleness }: CompareDeps): StalenessService {
  const caller = asService();
  const productions = new ProductionService(db, caller);
  const rules = new RuleService(db, { ...caller, roles: ['admin'] });
  return staleness(caller, { productions, rules });
}

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

const isAway = (fault: unknown): boolean =>
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
    if (isAway(err)) throw err;
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
    affected.map(async (one) => ({ ...one, isChanged: await now.hasRuleChanged(one.rule, one.entityType) })),
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
  const examined = await Promise.all(due.map(async (one) => examine(now, one, deps.revision)));
  const comparison = randomUUID();
  const isDue = await keepCompared(deps.db, comparison, examined);
  for (const { due: one, isStale, kept } of examined)
    if (isStale && kept !== null) deps.compared.set(comparedKey(one.id, comparison), kept);
  return isDue;
}

async function examine(
  now: StalenessService,
  due: Due,
  revision: string,
): Promise<Compared & { readonly kept: KeptComparison | null }> {
  const { recorded } = due;
  if (recorded === null || recorded.standing.length === 0)
    return { due, results: [], isStale: false, kept: null };
  const { production, stale, isOfMade } = recorded;
  const { rule, entityType } = production;
  const { changes, bound } = await now.examine(production, recorded);
  const inputs = await now.inputs(production, recorded);
  const isByChain = bound.some((id) => stale.includes(id));
  const activeAt = rule !== null && (await now.isRuleActive(rule)) ? revision : null;
  const required = requiredBy(recorded.plan as unknown as PlanNode); // as it was recorded
  const kept = { inputs, isByChain, isOfMade, required, rule, entityType, activeAt };
  return { due, isStale: changes.length > 0 || isByChain, results: standingResults(recorded), kept };
}

/** What nothing else has made again since. */
function standingResults({ production, standing }: Recorded): readonly Result[] {
  const { id: productionId, produced, entityType } = production;
  const types = new Map(
    (isList(produced) ? produced : []).flatMap((one) =>
      isObject(one) && typeof one['entity_type'] === 'string'
        ? [[one['entity_id'], one['entity_type']] as const]
        : [],
    ),
  );
  return standing.map((entityId) => ({
    entityId,
    productionId,
    entityType: types.get(entityId) ?? entityType,
  }));
}
