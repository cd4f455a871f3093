// Compares productions with what there is now, for marks: by the code that answers for one result
// (docs/decisions/0163-stale-results-are-marked.md).
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Transact } from '../../../platform/database/transaction.ts';
import { isList, isObject } from '../../../platform/json-object.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { asService } from '../as-service.ts';
import type { ComparedProduction } from '../productions/production.ts';
import { ProductionService } from '../productions/productions.service.ts';
import { RuleService } from '../rules/rules.service.ts';
import type { StalenessFor } from './create-staleness.ts';
import type { RememberedRules } from './remembered-rules.ts';
import type { Finding, Recorded, Result } from './stale-results.store.ts';
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
type KeptComparisons = LRUCache<string, KeptComparison>;
const MAX_COMPARED = 20_000;
export const rememberCompared = (): KeptComparisons => new LRUCache({ max: MAX_COMPARED });
export const comparedKey = (productionId: string, comparison: string): string =>
  `${comparison} ${productionId}`;

/** Of those that are stale. */
export function remember(
  compared: KeptComparisons,
  comparison: string,
  examined: readonly (ExaminedResults & { readonly id: string })[],
): void {
  for (const { id, isStale, kept } of examined)
    if (isStale && kept !== null) compared.set(comparedKey(id, comparison), kept);
}

/**
 * Everything, whoever may see it: each caller's own view leaves reasons out, and adds none.
 * @param remembered where what is found counts only at this revision of the rules
 */
export function everything(
  { db, staleness }: Pick<CompareDeps, 'db' | 'staleness'>,
  remembered: RememberedRules | null = null,
): StalenessService {
  const caller = asService();
  const productions = new ProductionService(db, caller);
  const rules = new RuleService(db, { ...caller, roles: ['admin'] });
  return staleness(caller, { productions, rules, remembered });
}

interface ExaminedResults extends Finding {
  readonly kept: KeptComparison | null;
}

/** @param recorded null where there is no such production */
export async function examine(
  now: StalenessService,
  recorded: Recorded | null,
  revision: string,
): Promise<ExaminedResults> {
  if (recorded === null || recorded.standing.length === 0) return { results: [], isStale: false, kept: null };
  const { production, stale, isOfMade } = recorded;
  const { rule } = production;
  const { changes, bound } = await now.examine(production, recorded);
  const inputs = await now.inputs(production, recorded);
  const isByChain = bound.some((id) => stale.includes(id));
  const activeAt = rule !== null && (await now.isRuleActive(rule)) ? revision : null;
  const { required } = recorded.plan;
  const kept = { inputs, isByChain, isOfMade, required, rule, activeAt };
  return {
    isStale: changes.length > 0 || isByChain,
    results: resultsOf(production, recorded.standing),
    kept,
  };
}

/** These of what a production made. */
export function resultsOf(
  { id: productionId, produced, entityType }: Pick<ComparedProduction, 'id' | 'produced' | 'entityType'>,
  entities: readonly string[],
): readonly Result[] {
  const types = new Map(
    (isList(produced) ? produced : []).flatMap((one) =>
      isObject(one) && typeof one['entity_type'] === 'string'
        ? [[one['entity_id'], one['entity_type']] as const]
        : [],
    ),
  );
  return entities.map((entityId) => ({
    entityId,
    productionId,
    entityType: types.get(entityId) ?? entityType,
  }));
}
