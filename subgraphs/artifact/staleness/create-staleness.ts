// Staleness for a caller: for operations, and for plans that reuse fresh results alone.
import type { Pool } from 'pg';
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { ResolutionDeps } from '../planning/resolution.service.ts';
import type { RuleBook } from '../planning/rule-book.ts';
import type { AskPlatform } from '../platform-port.ts';
import { ProductionService } from '../productions/productions.service.ts';
import { RuleService } from '../rules/rules.service.ts';
import { findWorkflows } from '../cwl-source/kept-workflow.store.ts';
import { rememberMeanings } from './read-meaning.ts';
import type { RememberedRules } from './remembered-rules.ts';
import { RuleChanges } from './rule-changes.ts';
import { StalenessService } from './staleness.service.ts';

export interface StalenessSources {
  readonly pool: Pool;
  readonly ask: AskPlatform;
  readonly book: RuleBook;
}

/** What operations have already is given, so that both read things once. */
export type StalenessFor = (
  caller: Caller,
  shared?: {
    readonly productions: ProductionService;
    readonly rules: RuleService;
    readonly remembered?: RememberedRules | null;
  },
) => StalenessService;

export function createStaleness({ pool, ask, book }: StalenessSources): StalenessFor {
  const meanings = rememberMeanings();
  return (caller, shared) => {
    const db = readingFor(pool, caller);
    const { productions, rules, remembered } = shared ?? {
      productions: new ProductionService(db, caller),
      rules: new RuleService(db, caller),
    };
    const changes = new RuleChanges({ db, rules, active: book.ofType(caller), meanings });
    const now = remembered?.over(changes) ?? { rules: changes, workflows: findWorkflows };
    return new StalenessService({ db, ask, productions, ...now }, caller);
  };
}

/** What of the reasons a plan tells: the tree of all is the answer of `staleness`. */
const MAX_REASONS = 20;

/** What planning and making ask where only fresh results may be reused. */
export const freshnessBy = (
  staleness: StalenessFor,
): Pick<ResolutionDeps, 'staleReasons' | 'isMadeOfStale'> => ({
  async staleReasons(ids, caller) {
    const now = staleness(caller);
    const found = await Promise.all(ids.map(async (id) => [id, await now.ofEntity(id)] as const));
    return new Map(
      found.flatMap(([id, stale]) =>
        stale?.isStale === true
          ? [[id, stale.reasons.slice(0, MAX_REASONS).map(({ message }) => message)] as const]
          : [],
      ),
    );
  },
  async isMadeOfStale(production, caller) {
    const stale = await staleness(caller).ofRun(production);
    return stale && stale.isStale;
  },
});
