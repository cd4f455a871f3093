// What a plan requires that does not exist yet, and how often it has been made for one production.
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { PlanNode } from '../planning/plan.ts';
import { ProductionFailed } from './production-failed.ts';

/** What is required may change as often while it is made. */
const MAX_TIMES = 10;

/** The deepest node that does not exist yet. */
function deepestMissing(plan: PlanNode): PlanNode | null {
  for (const node of plan.requires) {
    const found = deepestMissing(node);
    if (found) return found;
    if (node.decision !== 'reuse') return node;
  }
  return null;
}

export class MissingRequirements {
  readonly #times = new Map<string, number>();

  /**
   * What has to be made next; null if all of it exists.
   * @throws ProductionFailed for what cannot be reused however often it is made
   */
  next(plan: PlanNode): PlanNode | null {
    const node = deepestMissing(plan);
    if (node === null) return null;
    const key = canonicalJson([node.entity_type, node.criteria]);
    const times = this.#times.get(key) ?? 0;
    if (times === MAX_TIMES)
      throw new ProductionFailed(
        'conflict',
        `${node.entity_type} is not what would be reused, though it has been made ${times} times: ${node.reason}`,
      );
    this.#times.set(key, times + 1);
    return node;
  }
}
