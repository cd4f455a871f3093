// What registering definitions would do, as the server judges it.
import { type Api, type Json, member, rows } from '../api.ts';
import { askGraphql } from '../graphql.ts';
import { type Paint, printable } from '../output.ts';

const CHECK = `query CliCheckSchema($definition: JSON!) { checkSchema(definition: $definition) {
  changes contradictions { message entity_id: entityId field rule_id: ruleId } is_complete: isComplete } }`;

/** A definition, each against what is registered now. */
export interface CheckedDefinition {
  readonly name: string;
  readonly changes: readonly string[];
  readonly contradictions: readonly Json[];
  readonly is_complete: boolean;
}

/** @throws ApiFailure for a definition that is faulty in itself */
export async function checkDefinition(
  api: Api,
  definition: Json & { readonly name: string },
): Promise<CheckedDefinition> {
  const check = member(await askGraphql(api, CHECK, { definition }), 'checkSchema');
  const changes = member(check, 'changes');
  return {
    name: definition.name,
    changes: Array.isArray(changes) ? changes.map(String) : [],
    contradictions: rows(check, 'contradictions'),
    is_complete: member(check, 'is_complete') === true,
  };
}

const HIDDEN = 'stored entities of other projects contradict it';

/** A line for each change, and for each entity that contradicts it. */
export function checkText(paint: Paint, checked: CheckedDefinition): string {
  const { name, changes, contradictions, is_complete: isComplete } = checked;
  if (changes.length === 0) return `${name} is registered like this`;
  return [
    ...changes.map((change) => printable(change)),
    ...contradictions.map((one) =>
      paint.red(printable(`${String(one['entity_id'])}: ${String(one['message'])}`)),
    ),
    ...(isComplete ? [] : [paint.dim(contradictions.length > 0 ? 'and further entities' : HIDDEN)]),
  ].join('\n');
}
