// Whether a rule is still the one that a production ran: a name, a version, a comment makes no difference.
import { canonicalJson } from '../../../platform/canonical-json.ts';
import { oncePer } from '../../../platform/once-per.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { addressOf } from '../cwl-source/workflow-identity.ts';
import type { ActiveRule } from '../planning/candidates.store.ts';
import type { RulesOfType } from '../planning/rule-book.ts';
import { outputsOf } from '../rules/rule-definition.ts';
import { ruleReference } from '../rules/rule-reference.ts';
import type { RuleService } from '../rules/rules.service.ts';
import type { Rule } from '../rules/rules.store.ts';
import { type Meanings, readMeaning } from './read-meaning.ts';
import { workflowChanges } from './workflow-meaning.ts';

export interface RuleChange {
  readonly kind: 'RULE_CHANGED' | 'RULE_WITHDRAWN';
  readonly message: string;
  readonly fromRule: string;
  readonly toRule: string | null;
}

const nameOf = ({ name, version }: Pick<Rule, 'name' | 'version'>): string => ruleReference(name, version);
const process = ({ definition }: Rule): string => addressOf(definition.execute).fragment;
/** Once for each of the rules, which are kept: many may be compared with many. */
const outputs = oncePer(({ definition }: Pick<ActiveRule, 'definition'>): string =>
  canonicalJson(outputsOf(definition)),
);
const isOfSame = (one: Pick<Rule, 'workflowHash'>, { workflowHash }: Rule): boolean =>
  one.workflowHash === workflowHash;
const requirements = ({ definition }: Pick<ActiveRule, 'definition'>): string =>
  canonicalJson((definition.requires ?? []).map(({ ref }) => ref));

export interface RuleChangesDeps {
  readonly db: Queryable;
  readonly rules: RuleService;
  /** The caller's active rules, now or as of the instant of the operation. */
  readonly active: RulesOfType;
  readonly meanings: Meanings;
}

/** Compares rules as one caller sees them. */
export class RuleChanges {
  readonly #deps: RuleChangesDeps;
  readonly #known = new Map<string, Promise<RuleChange | null>>();

  constructor(deps: RuleChangesDeps) {
    this.#deps = deps;
  }

  async isActive(reference: string): Promise<boolean> {
    return (await this.#deps.rules.version(reference))?.status === 'active';
  }

  /** How the rule has changed since; null where it has not, or is another user's. */
  async since(reference: string): Promise<RuleChange | null> {
    let known = this.#known.get(reference);
    if (known === undefined) this.#known.set(reference, (known = this.#compare(reference)));
    return known;
  }

  async #compare(reference: string): Promise<RuleChange | null> {
    const { rules } = this.#deps;
    const rule = await rules.version(reference);
    if (rule === null || rule.status === 'active') return null;
    const current = await rules.get(rule.name);
    const successor = current?.status === 'active' ? current : null;
    const differing = successor === null ? [] : await this.#differences(rule, successor);
    if (successor !== null && differing.length === 0) return null;
    if (await this.#hasAnotherName(rule)) return null;
    if (successor !== null)
      return {
        kind: 'RULE_CHANGED',
        message: `rule ${reference} was superseded by ${nameOf(successor)}: ${differing.join(', ')}`,
        fromRule: reference,
        toRule: nameOf(successor),
      };
    const reason = rule.deprecationNote ?? current?.deprecationNote ?? null;
    const note = reason === null ? '' : ` (${reason})`;
    return {
      kind: 'RULE_WITHDRAWN',
      message: `rule ${reference} is no longer active${note}, and no active rule does the same`,
      fromRule: reference,
      toRule: null,
    };
  }

  /** Whether an active rule of another name does the same, whatever type was asked for: what does makes each of the rule's own. */
  async #hasAnotherName(rule: Rule): Promise<boolean> {
    const { active, rules } = this.#deps;
    const [made] = outputsOf(rule.definition);
    const alike = (made === undefined ? [] : await active(made.entity_type)).filter(
      (other) =>
        other.name !== rule.name &&
        outputs(other) === outputs(rule) &&
        requirements(other) === requirements(rule),
    );
    // those of the same workflow first: mostly no other has to be read
    alike.sort((a, b) => Number(isOfSame(b, rule)) - Number(isOfSame(a, rule)));
    for (const { name, version } of alike) {
      const other = await rules.version(ruleReference(name, version));
      if (other !== null && (await this.#differences(rule, other)).length === 0) return true;
    }
    return false;
  }

  async #differences(before: Rule, after: Rule): Promise<readonly string[]> {
    const own = [
      ...(outputs(before) === outputs(after) ? [] : ['what it produces differs']),
      ...(requirements(before) === requirements(after) ? [] : ['what it requires differs']),
    ];
    if (before.workflowHash === after.workflowHash) return own;
    const { db, meanings } = this.#deps;
    const [a, b] = [
      await readMeaning(db, meanings, before.workflowHash),
      await readMeaning(db, meanings, after.workflowHash),
    ];
    if (a === null || b === null) return [...own, 'its workflow differs'];
    return [
      ...own,
      ...(process(before) === process(after) ? [] : ['the process of the workflow differs']),
      ...workflowChanges(a, b),
    ];
  }
}
