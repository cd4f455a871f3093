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
import { ProductionService } from '../productions/productions.service.ts';
import type { Production } from '../productions/production.ts';
import { RuleService } from '../rules/rules.service.ts';
import type { StalenessFor } from './create-staleness.ts';
import { keepRuleStates, listAffectedRules } from './rule-staleness.store.ts';
import {
  type Due,
  findStaleAmong,
  listDue,
  lockPositions,
  makeDependantsDue,
  makeMadeByDue,
  markStale,
  type Result,
  settleDue,
  unmark,
} from './stale-results.store.ts';
import type { Examined, StalenessService } from './staleness.service.ts';

export interface CompareDeps {
  readonly log: Logger;
  readonly db: Queryable;
  readonly transact: Transact;
  readonly staleness: StalenessFor;
  readonly compared: KeptComparisons;
}

/** What was found of productions, by them and the comparison. */
export type KeptComparisons = LRUCache<string, Examined>;
const MAX_COMPARED = 20_000;
export const rememberCompared = (): KeptComparisons => new LRUCache({ max: MAX_COMPARED });
export const comparedKey = (productionId: string, comparison: string): string =>
  `${comparison} ${productionId}`;

/** Compared together, with a few statements. */
const BATCH = 200;

/** What was found of a production: its results that stand, and whether they are stale. */
interface Compared {
  readonly due: Due;
  readonly isStale: boolean;
  readonly inputs: Examined | null;
  readonly results: readonly Result[];
}

/** Everything, whoever may see it: each caller's own view leaves reasons out, and adds none. */
function everything({ db, staleness }: CompareDeps): {
  readonly now: StalenessService;
  readonly productions: ProductionService;
} {
  const caller = asService();
  const productions = new ProductionService(db, caller);
  const rules = new RuleService(db, { ...caller, roles: ['admin'] });
  return { now: staleness(caller, { productions, rules }), productions };
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
  if (rules.length > 0) await compareOrPutOff(deps, rules, compareRules, putOff);
  if (productions.length > 0) await compareOrPutOff(deps, productions, compareProductions, putOff);
  return true;
}

const isAway = (fault: unknown): boolean =>
  fault instanceof DomainError && fault.code === 'component_unavailable';

/** One by one where they cannot be compared together. @throws DomainError `component_unavailable` */
async function compareOrPutOff(
  deps: CompareDeps,
  due: readonly Due[],
  compareAll: (deps: CompareDeps, due: readonly Due[]) => Promise<void>,
  putOff: Set<string>,
): Promise<void> {
  try {
    await compareAll(deps, due);
  } catch (err) {
    if (isAway(err)) throw err;
    const [one, ...others] = due;
    if (one === undefined) return;
    if (others.length > 0) {
      for (const each of due) await compareOrPutOff(deps, [each], compareAll, putOff);
      return;
    }
    putOff.add(one.stamp);
    deps.log.warn({ err, kind: one.kind, id: one.id }, 'whether it is stale could not be found out');
  }
}

async function compareRules(deps: CompareDeps, due: readonly Due[]): Promise<void> {
  const affected = await listAffectedRules(
    deps.db,
    due.map(({ id }) => id),
  );
  const { now } = everything(deps);
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
}

/** A rule has changed meanwhile: nothing is written, and it is compared again. */
class DueAgain extends Error {}
function ignoreDueAgain(fault: unknown): void {
  if (!(fault instanceof DueAgain)) throw fault;
}

async function compareProductions(deps: CompareDeps, due: readonly Due[]): Promise<void> {
  const { now, productions } = everything(deps);
  const known = await productions.several(due.map(({ id }) => id));
  const examined = await Promise.all(
    due.map(async (one) => examine(now, productions, one, known.get(one.id) ?? null)),
  );
  const stale = await findStaleAmong(deps.db, [...new Set(examined.flatMap(({ bound }) => bound))]);
  const compared = examined.map(({ due: one, hasChanged, bound, results, inputs }): Compared => {
    const isStale = hasChanged || bound.some((id) => stale.has(id));
    return { due: one, isStale, results, inputs };
  });
  const comparison = randomUUID();
  await deps.transact(async (db) => {
    await lockPositions(db);
    const settled = await settleDue(db, due);
    const standing = compared.filter((one) => settled.has(one.due.id));
    const outdated = standing.filter((one) => one.isStale);
    const fresh = standing.filter((one) => !one.isStale);
    const flipped = [
      ...(await unmark(
        db,
        fresh.map((one) => one.due.id),
        fresh.flatMap(({ results }) => results.map(({ entityId }) => entityId)),
      )),
      ...(await markStale(
        db,
        outdated.flatMap(({ results }) => results),
        comparison,
      )),
    ];
    const anew = standing.filter((one) => one.due.isNew);
    const made = anew.flatMap(({ results }) => results.map(({ entityId }) => entityId));
    await makeDependantsDue(db, [...new Set([...flipped, ...made])]);
  });
  for (const { due: one, isStale, inputs } of compared)
    if (isStale && inputs !== null) deps.compared.set(comparedKey(one.id, comparison), inputs);
}

interface ExaminedResults extends Pick<Compared, 'due' | 'results' | 'inputs'> {
  readonly hasChanged: boolean;
  /** Entities by which it is stale where they are. */
  readonly bound: readonly string[];
}

async function examine(
  now: StalenessService,
  productions: ProductionService,
  due: Due,
  production: Production | null,
): Promise<ExaminedResults> {
  const results = production === null ? [] : await standingResults(productions, production);
  if (production === null || results.length === 0)
    return { due, results, hasChanged: false, bound: [], inputs: null };
  const { changes, bound } = await now.examine(production);
  const inputs = await now.inputs(production);
  return { due, results, hasChanged: changes.length > 0, bound, inputs };
}

/** What nothing else has made again since. */
async function standingResults(
  productions: ProductionService,
  production: Production,
): Promise<readonly Result[]> {
  const { id: productionId, produced, entityIds } = production;
  const makers = await Promise.all(entityIds.map((id) => productions.ofEntity(id)));
  const types = new Map(
    (isList(produced) ? produced : []).flatMap((one) =>
      isObject(one) && typeof one['entity_type'] === 'string'
        ? [[one['entity_id'], one['entity_type']] as const]
        : [],
    ),
  );
  return entityIds.flatMap((entityId, i) =>
    makers[i]?.id === productionId
      ? [{ entityId, productionId, entityType: types.get(entityId) ?? production.entityType }]
      : [],
  );
}
