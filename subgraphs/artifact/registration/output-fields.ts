// Maps a workflow's outputs to the fields of the entities that a rule makes
// (docs/reference/artifact.md#single-entity, docs/reference/artifact.md#several-entities,
// docs/reference/artifact.md#one-per-item).
import { type CwlType, showCwlType, withoutNull } from '../cwl/cwl-type.ts';
import type { CwlOutput } from '../cwl/validate.ts';
import type { RuleOutput } from '../rules/rule-definition.ts';

/** A field that a workflow makes, and its output. */
export interface MadeField {
  readonly name: string;
  readonly type: CwlType;
  readonly output: string;
}

export type OutputFields =
  | { readonly fields: readonly MadeField[] }
  | { readonly fault: string; readonly output: string | null; readonly type: string | null };

const listed = (outputs: readonly CwlOutput[]): string =>
  outputs.length === 0 ? 'outputs: none' : `outputs: ${outputs.map((o) => o.name).join(', ')}`;

function fieldsOf({ name, type }: CwlOutput, perItem: boolean): OutputFields {
  const value = withoutNull(type);
  const about = { output: name, type: showCwlType(type) };
  if (perItem) {
    if (value.kind !== 'array')
      return { fault: `output ${name} must be a list of records for array_mode one_per_item`, ...about };
    const item = withoutNull(value.items);
    if (item.kind !== 'record') return { fault: `the items of output ${name} must be records`, ...about };
    return { fields: item.fields.map((field) => ({ ...field, output: name })) };
  }
  if (value.kind === 'record') return { fields: value.fields.map((field) => ({ ...field, output: name })) };
  if (value.kind === 'array' && withoutNull(value.items).kind === 'record')
    return { fault: `output ${name} is a list of records, which requires array_mode one_per_item`, ...about };
  return { fields: [{ name, type, output: name }] }; // an output that is itself a field
}

/**
 * The fields of one item of `produces`. Without `from_output`, the output named like the type is used if it
 * is a record or a list of records, else the outputs themselves are the fields.
 * @param all every item of the rule: two items of one type must name their outputs
 */
export function outputFields(
  item: RuleOutput,
  all: readonly RuleOutput[],
  outputs: readonly CwlOutput[],
): OutputFields {
  const perItem = item.array_mode === 'one_per_item';
  const named = typeof item.from_output === 'string' ? item.from_output : null;
  if (named !== null) {
    const found = outputs.find((output) => output.name === named);
    return found === undefined
      ? { fault: `${named} is not an output of the workflow (${listed(outputs)})`, output: named, type: null }
      : fieldsOf(found, perItem);
  }
  if (all.filter((other) => other.entity_type === item.entity_type).length > 1) {
    return {
      fault: `from_output is required if two outputs have the type ${item.entity_type}`,
      output: null,
      type: null,
    };
  }
  const inferred = outputs.find((output) => output.name === item.entity_type);
  if (inferred !== undefined) return fieldsOf(inferred, perItem);
  if (perItem || all.length > 1)
    return {
      fault: `from_output is required: no output of the workflow is named ${item.entity_type} (${listed(outputs)})`,
      output: null,
      type: null,
    };
  return outputs.length === 0
    ? { fault: 'the workflow has no outputs', output: null, type: null }
    : { fields: outputs.map(({ name, type }) => ({ name, type, output: name })) };
}
