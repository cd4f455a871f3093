// A rule in CEL over `data` and `previous`: whether a write satisfies it, and the values it used if not
// (docs/reference/metadata.md#schema-rules, docs/reference/cel.md#rule-variables).
import { VALIDATOR_VARIABLES, validatorBindings } from '../../../platform/cel/bindings.ts';
import { type CelProgram, compileCel } from '../../../platform/cel/compile.ts';
import { type CelNode, partsOf } from '../../../platform/cel/syntax.ts';
import { type EntityData, ownValue } from '../schema-model/entity-type.ts';
import { failureOf, type ValidatedWrite, type ValidationFailure } from '../schema-model/validator.ts';

export interface RuleText {
  readonly ruleId: string;
  readonly expression: string;
  readonly message: string;
}

/** Fields of a variable that the expression accesses as `data.x`; null if it uses the whole variable. */
function fieldsOf(variable: string, node: CelNode, found: Set<string>): Set<string> | null {
  if (node.kind === 'name') return node.name === variable ? null : found;
  if (
    (node.kind === 'select' || node.kind === 'has') &&
    node.operand.kind === 'name' &&
    node.operand.name === variable
  )
    return found.add(node.field);
  for (const part of partsOf(node)) if (fieldsOf(variable, part, found) === null) return null;
  return found;
}

const seen = (data: EntityData, fields: ReadonlySet<string> | null): EntityData =>
  fields === null
    ? data
    : Object.fromEntries(
        [...fields]
          .filter((field) => Object.hasOwn(data, field))
          .map((field) => [field, ownValue(data, field)]),
      );

/** @throws CelError with line and column */
export const compileRule = (expression: string): CelProgram =>
  compileCel(expression, { variables: VALIDATOR_VARIABLES });

/**
 * Whether data satisfies a rule independently of the previous data; null for a rule that uses it.
 * @throws CelError with line and column
 */
export function stateRule(expression: string): ((data: EntityData) => boolean) | null {
  const program = compileRule(expression);
  if (program.mentions('previous')) return null;
  return (data) => {
    const outcome = program.evaluate(validatorBindings(data, null));
    return outcome.ok && outcome.value;
  };
}

export class CelRule {
  readonly #rule: RuleText;
  readonly #program: CelProgram;
  readonly #data: ReadonlySet<string> | null;
  readonly #previous: ReadonlySet<string> | null;

  /** @throws CelError with line and column */
  constructor(rule: RuleText) {
    this.#rule = rule;
    this.#program = compileRule(rule.expression);
    this.#data = fieldsOf('data', this.#program.node, new Set());
    this.#previous = fieldsOf('previous', this.#program.node, new Set());
  }

  /**
   * Null if the rule is satisfied. A rule that cannot be evaluated (a missing field, a type mismatch) is
   * violated; the message says why.
   */
  failure(write: ValidatedWrite): ValidationFailure | null {
    const { operation, data, previous } = write;
    const outcome = this.#program.evaluate(validatorBindings(data, previous));
    if (outcome.ok && outcome.value) return null;
    const { ruleId, message, expression } = this.#rule;
    const context = {
      operation,
      expression,
      data: seen(data, this.#data),
      previous: previous && seen(previous, this.#previous),
    };
    return failureOf(
      write,
      ruleId,
      outcome.ok ? message : `${message} (rule ${ruleId} could not be decided: ${outcome.error})`,
      context,
    );
  }
}
