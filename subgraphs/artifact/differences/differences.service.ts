// What differs between two productions, and between two versions of rules (docs/reference/artifact.md#differences-of-productions).
import { type PartDifference, partDifferences, toldParts } from '../../../platform/part-differences.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { PlanNode } from '../planning/plan.ts';
import type { ProductionService } from '../productions/productions.service.ts';
import type { Production } from '../productions/production.ts';
import type { RuleService } from '../rules/rules.service.ts';
import type { Rule } from '../rules/rules.store.ts';
import { type Meanings, readMeaning } from '../staleness/read-meaning.ts';
import { listGivenVersions } from '../staleness/staleness.store.ts';
import { workflowDifferences } from '../staleness/workflow-meaning.ts';
import { listOutputFiles } from './differences.store.ts';
import { producedIn, productionDifferences, type RecordedProduction } from './production-outline.ts';
import { ruleOutline } from './rule-outline.ts';

interface Compared<Side> {
  readonly before: Side;
  readonly after: Side;
  readonly differences: readonly PartDifference[];
  readonly isComplete: boolean;
}
export type ProductionDiff = Compared<Production>;
export type RuleDiff = Compared<Rule>;

export interface DifferenceDeps {
  readonly db: Queryable;
  readonly productions: ProductionService;
  readonly rules: RuleService;
  readonly meanings: Meanings;
}

const producedIds = ({ produced }: Production): readonly string[] => producedIn(produced).map(({ id }) => id);

/** As one operation's caller sees them. */
export class DifferenceService {
  readonly #deps: DifferenceDeps;

  constructor(deps: DifferenceDeps) {
    this.#deps = deps;
  }

  /** Null unless the caller sees both. */
  async ofProductions(id: string, toId: string): Promise<ProductionDiff | null> {
    const { productions } = this.#deps;
    const [before, after] = await Promise.all([productions.get(id), productions.get(toId)]);
    if (before === null || after === null) return null;
    const [a, b] = await this.#recorded(before, after);
    const parts = [...productionDifferences(a, b), ...(await this.#workflowsOf(a, b))];
    return { before, after, ...toldParts(parts) };
  }

  /** Null unless the caller sees both. */
  async ofRules(name: string, toName: string): Promise<RuleDiff | null> {
    const { rules } = this.#deps;
    const [before, after] = await Promise.all([rules.get(name), rules.get(toName)]);
    if (before === null || after === null) return null;
    const parts = [
      ...partDifferences(ruleOutline(before), ruleOutline(after), 3),
      ...(await this.#meant(before.workflowHash, after.workflowHash)),
    ];
    return { before, after, ...toldParts(parts) };
  }

  async #recorded(
    before: Production,
    after: Production,
  ): Promise<readonly [RecordedProduction, RecordedProduction]> {
    const { db, productions } = this.#deps;
    const ids = [before.id, after.id];
    const [versions, files] = await Promise.all([
      listGivenVersions(db, ids),
      listOutputFiles(db, ids, [...producedIds(before), ...producedIds(after)]),
    ]);
    const recorded = async (production: Production): Promise<RecordedProduction> => ({
      production,
      plan: (await productions.plan(production)) as unknown as PlanNode, // as it was recorded
      log: await productions.log(production),
      versions: versions.get(production.id) ?? [],
      files: files.filter(({ productionId }) => productionId === production.id),
    });
    return [await recorded(before), await recorded(after)];
  }

  /** What the workflows of productions mean, as far as the caller sees the rules that have them. */
  async #workflowsOf(
    ...sides: readonly [RecordedProduction, RecordedProduction]
  ): Promise<readonly PartDifference[]> {
    const rules = await Promise.all(
      sides.map(async ({ production: { rule } }) => rule && this.#deps.rules.version(rule)),
    );
    if (rules.includes(null)) return [];
    const [before, after] = sides.map(({ plan }) => plan.workflow_hash);
    return this.#meant(before ?? null, after ?? null);
  }

  async #meant(before: string | null, after: string | null): Promise<readonly PartDifference[]> {
    if (before === after) return [];
    const { db, meanings } = this.#deps;
    const [a, b] = await Promise.all([readMeaning(db, meanings, before), readMeaning(db, meanings, after)]);
    return a === null || b === null ? [] : workflowDifferences(a, b);
  }
}

/** The slice of the resolvers' context. */
export interface DifferenceSlice {
  readonly differences: DifferenceService;
}
