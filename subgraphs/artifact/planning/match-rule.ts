// Whether a rule makes the requested entity, and why not (docs/reference/artifact.md#match).
import type { MadeField } from '../registration/output-fields.ts';
import type { RuleOutput } from '../rules/rule-definition.ts';
import { type Criteria, textForm } from './criteria.ts';
import { placeholderOf } from '../registration/requirement.ts';

/** How a rule's output matches the criteria. */
export type RuleMatch =
  | { readonly matches: true; readonly fixed: number; readonly bindings: ReadonlyMap<string, string> }
  | { readonly matches: false; readonly reason: string };

/**
 * Fixed values must equal the criteria; placeholders are bound to them. Fields that are not in `match` must
 * at least be made.
 * @param made the fields that the workflow makes for this output; null if that is not known
 */
export function matchOutput(
  { match }: RuleOutput,
  criteria: Criteria,
  made: readonly MadeField[] | null,
): RuleMatch {
  const bindings = new Map<string, string>();
  const fail = (reason: string): RuleMatch => ({ matches: false, reason });
  let fixed = 0;
  for (const [field, value] of Object.entries(match ?? {})) {
    const wanted = criteria.get(field);
    const placeholder = placeholderOf(value);
    if (placeholder === null) {
      fixed++;
      if (wanted !== undefined && wanted !== textForm(value))
        return fail(`${field} is ${String(textForm(value))}, not ${wanted}`);
      continue;
    }
    if (wanted === undefined) return fail(`${field} is required for {${placeholder}} but missing`);
    const bound = bindings.get(placeholder);
    if (bound !== undefined && bound !== wanted)
      return fail(`{${placeholder}} would be ${bound} and, by ${field}, ${wanted}`);
    bindings.set(placeholder, wanted);
  }
  for (const field of criteria.keys()) {
    const isNamed = Object.hasOwn(match ?? {}, field);
    if (!isNamed && made?.some(({ name }) => name === field) !== true)
      return fail(`it does not produce ${field}`);
  }
  return { matches: true, fixed, bindings };
}
