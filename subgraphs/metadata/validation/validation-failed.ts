// The error of a write that validators refuse: the first failure's details at the top, and the list of all.
import { DomainError } from '../../../platform/errors.ts';
import type { ValidationFailure } from '../schema-model/validator.ts';

/** A failure with the names of docs/reference/metadata.md#validation-failures. */
const written = ({
  message,
  ruleId,
  inputContext,
  entityType,
  entityId,
}: ValidationFailure): Record<string, unknown> => ({
  message,
  rule_id: ruleId,
  input_context: inputContext,
  entity_type: entityType,
  entity_id: entityId,
});

/**
 * `validation_failed`; `details` are the first failure's `message`, `rule_id`, `input_context`,
 * `entity_type`, `entity_id`, and all under `failures`.
 */
export class ValidationFailed extends DomainError {
  override name = 'ValidationFailed';
  readonly failures: readonly [ValidationFailure, ...ValidationFailure[]];

  constructor(failures: readonly [ValidationFailure, ...ValidationFailure[]]) {
    super('validation_failed', failures.map((f) => f.message).join('; '), {
      ...written(failures[0]),
      failures: failures.map(written),
    });
    this.failures = failures;
  }
}

/** @throws ValidationFailed if there are failures */
export function refuse([first, ...others]: readonly ValidationFailure[]): void {
  if (first) throw new ValidationFailed([first, ...others]);
}
