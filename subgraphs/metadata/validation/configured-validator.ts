// A validator from the configuration (`metadata.validators`): a CEL rule for one type and its subtypes, or
// for all.
import { DomainError } from '../../../platform/errors.ts';
import { CelRule, type RuleText } from './cel-rule.ts';
import type { ValidatedOperation, Validator } from '../schema-model/validator.ts';

export interface ConfiguredRule extends RuleText {
  /** Absent for every type. */
  readonly entityType?: string | undefined;
  readonly on: readonly ValidatedOperation[];
}

/** @throws DomainError `validation_failed` that names the rule, with line and column of the error */
export function configuredValidator(rule: ConfiguredRule): Validator {
  const { entityType, on } = rule;
  const cel = compiled(rule);
  return {
    mayBypass: true,
    validate(write) {
      if (
        !on.includes(write.operation) ||
        (entityType !== undefined && !write.type.selfAndAncestors.includes(entityType))
      )
        return [];
      const failure = cel.failure(write);
      return failure ? [failure] : [];
    },
  };
}

function compiled(rule: ConfiguredRule): CelRule {
  try {
    return new CelRule(rule);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(
      error.code,
      `metadata.validators: rule ${rule.ruleId}: ${error.message}`,
      error.details,
      { cause: error },
    );
  }
}
