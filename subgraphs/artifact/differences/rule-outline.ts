// A rule as what of it is compared: by names, without what is the default or differs between any two versions.
import { isObject } from '../../../platform/json-object.ts';
import { givenMembers } from '../../../platform/part-differences.ts';
import { addressOf } from '../cwl-source/workflow-identity.ts';
import { outputsOf } from '../rules/rule-definition.ts';
import type { Rule } from '../rules/rules.store.ts';

type Outline = Readonly<Record<string, unknown>>;

/** By their names; those after the first of a name with their numbers. */
export function numbered<Part>(
  parts: readonly Part[],
  nameOf: (part: Part) => string,
): readonly (readonly [string, Part])[] {
  const seen = new Map<string, number>();
  return parts.map((part) => {
    const name = nameOf(part);
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return [n === 1 ? name : `${name} ${n}`, part] as const;
  });
}

/** What was registered, and the process of the workflow that it names. */
export function ruleOutline({ definition, workflowHash, cwlHash }: Rule): Outline {
  const { produces: _, requires, execute, tags, reuse, ...rest } = definition;
  return {
    ...givenMembers(rest),
    reuse: reuse ?? 'any',
    tags: [...(tags ?? [])].sort(),
    produces: Object.fromEntries(
      numbered(outputsOf(definition), (output) => output.entity_type).map(([name, output]) => [
        name,
        givenMembers(isObject(output) ? output : {}),
      ]),
    ),
    requires: Object.fromEntries((requires ?? []).map((required) => [required.ref, required])),
    process: addressOf(execute).fragment,
    cwl_hash: cwlHash,
    ...givenMembers({ workflow_hash: workflowHash }),
  };
}
