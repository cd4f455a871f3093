// What looks have found of rules and of workflows, while no rule changes: most changes are of entities, made to the same few rules.
import { LRUCache } from 'lru-cache';
import { lruCache } from '../../../platform/lru-cache.ts';
import { findWorkflows } from '../cwl-source/kept-workflow.store.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import type { RuleChange, RuleChanges } from './rule-changes.ts';

const MAX_RULES = 1000;
/** Of workflows as JSON text. */
const MAX_CHARACTERS = 2 ** 24;

interface KnownRule {
  readonly change: RuleChange | null;
  readonly isActive: boolean;
}

/** What is asked of rules and of workflows. */
export interface RulesNow {
  readonly rules: Pick<RuleChanges, 'since' | 'isActive'>;
  readonly workflows: typeof findWorkflows;
}

/**
 * As they were at one revision of the rules. What is found by it counts only where this is found to be the revision still:
 * the rules themselves are read after it.
 */
export class RememberedRules {
  readonly revision: string;
  readonly #rules = lruCache<KnownRule>(MAX_RULES);
  readonly #workflows = new LRUCache<string, KnownWorkflow>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (workflow) => JSON.stringify(workflow).length,
  });

  constructor(revision: string) {
    this.revision = revision;
  }

  /** @param changes what reads those that are not known */
  over(changes: RuleChanges): RulesNow {
    const find = async (reference: string): Promise<KnownRule> => {
      const [change, isActive] = await Promise.all([changes.since(reference), changes.isActive(reference)]);
      const found = { change, isActive };
      this.#rules.set(reference, found);
      return found;
    };
    return {
      rules: {
        since: async (reference) => (this.#rules.get(reference) ?? (await find(reference))).change,
        isActive: async (reference) => this.#rules.get(reference)?.isActive ?? changes.isActive(reference),
      },
      workflows: async (db, hashes) => {
        // taken before anything is awaited: what is read meanwhile may displace it
        const found = new Map(
          hashes.flatMap((hash) => {
            const known = this.#workflows.get(hash);
            return known === undefined ? [] : [[hash, known] as const];
          }),
        );
        const missing = hashes.filter((hash) => !found.has(hash));
        if (missing.length === 0) return found;
        for (const [hash, workflow] of await findWorkflows(db, missing)) {
          this.#workflows.set(hash, workflow);
          found.set(hash, workflow);
        }
        return found;
      },
    };
  }
}
