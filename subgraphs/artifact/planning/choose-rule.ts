// Chooses the rule that makes an entity: the most specific one that matches
// (docs/reference/artifact.md#choosing-a-rule).
import { DomainError } from '../../../platform/errors.ts';
import { outputFields } from '../registration/output-fields.ts';
import { outputsOf } from '../rules/rule-definition.ts';
import { ruleReference } from '../rules/rule-reference.ts';
import type { Candidate } from './candidates.store.ts';
import { type Criteria, showCriteria } from './criteria.ts';
import { matchOutput, type RuleMatch } from './match-rule.ts';
import type { RuleVerdict } from './plan.ts';

export interface Choice {
  /** Null if none matches. */
  readonly chosen: {
    readonly candidate: Candidate;
    readonly bindings: ReadonlyMap<string, string>;
    readonly fixed: number;
  } | null;
  readonly verdicts: readonly RuleVerdict[];
}

/** Maximum number listed, so that a plan stays readable. */
const MAX_VERDICTS = 50;

/** How well the rule's best output of the type matches the criteria. */
function matchRule(
  { definition, workflow }: Candidate,
  types: readonly string[],
  criteria: Criteria,
): RuleMatch {
  const items = outputsOf(definition);
  const tries = items
    .filter((item) => types.includes(item.entity_type))
    .map((item) => {
      const made = workflow === null ? null : outputFields(item, items, workflow.outputs);
      return matchOutput(item, criteria, made && 'fields' in made ? made.fields : null);
    });
  const best = tries.filter((one) => one.matches).sort((a, b) => b.fixed - a.fixed)[0];
  return best ?? tries[0] ?? { matches: false, reason: `it does not produce ${types[0] ?? 'this type'}` };
}

/**
 * The best matching rules, all that match equally well: what one of them says of its results applies to
 * stored entities.
 */
export function bestRules(
  candidates: readonly Candidate[],
  types: readonly string[],
  criteria: Criteria,
): readonly Candidate[] {
  const matching = candidates.flatMap((candidate) => {
    const match = matchRule(candidate, types, criteria);
    return match.matches ? [{ candidate, fixed: match.fixed }] : [];
  });
  const most = Math.max(...matching.map(({ fixed }) => fixed));
  return matching.filter(({ fixed }) => fixed === most).map(({ candidate }) => candidate);
}

/**
 * @param types the requested type, and its subtypes
 * @throws DomainError `conflict` naming rules that match equally well
 */
export function chooseRule(
  candidates: readonly Candidate[],
  types: readonly string[],
  criteria: Criteria,
): Choice {
  const [entityType = ''] = types;
  const matched = candidates.map((candidate) => ({
    candidate,
    reference: ruleReference(candidate.name, candidate.version),
    match: matchRule(candidate, types, criteria),
  }));
  const matching = matched
    .flatMap(({ match, ...rest }) => (match.matches ? [{ ...rest, ...match }] : []))
    .sort((a, b) => b.fixed - a.fixed);
  const [first] = matching;
  const ties = matching.filter(({ fixed }) => fixed === first?.fixed).map(({ reference }) => reference);
  if (ties.length > 1) {
    throw new DomainError(
      'conflict',
      `several rules match ${entityType} (${showCriteria(criteria)}) equally well: ${ties.join(', ')}; name one of them in rule`,
      { entity_type: entityType, rules: ties },
    );
  }
  const reasonOf = (reference: string, match: RuleMatch): string => {
    if (!match.matches) return match.reason;
    return reference === first?.reference
      ? `matches with ${match.fixed} fixed identity fields`
      : `matches, but fixes ${match.fixed} identity fields where ${first?.reference} fixes ${first?.fixed}`;
  };
  const verdicts = matched.map(({ reference, match }) => ({
    rule: reference,
    chosen: reference === first?.reference,
    reason: reasonOf(reference, match),
  }));
  verdicts.sort((a, b) => Number(b.chosen) - Number(a.chosen));
  return { chosen: first ?? null, verdicts: verdicts.slice(0, MAX_VERDICTS) };
}
