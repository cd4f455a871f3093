// The validators of every write, in the order in which they were registered
// (docs/reference/metadata.md#validation-pipeline).
import type { ValidatedWrite, ValidationFailure, Validator } from '../schema-model/validator.ts';

const NONE: readonly ValidationFailure[] = [];

export class ValidationPipeline {
  readonly #validators: Validator[];

  constructor(validators: readonly Validator[] = []) {
    this.#validators = [...validators];
  }

  /** The client library's `add_validator`: appends a validator. */
  add(validator: Validator): void {
    this.#validators.push(validator);
  }

  /** Stops at the first validator with failures and returns them; empty if the write is valid. */
  execute(write: ValidatedWrite, bypass = false): readonly ValidationFailure[] {
    for (const validator of this.#validators) {
      const failures = bypass && validator.mayBypass ? NONE : validator.validate(write, false);
      if (failures.length > 0) return failures;
    }
    return NONE;
  }

  /** Runs all validators and returns their failures in order. */
  executeAll(write: ValidatedWrite, bypass = false): readonly ValidationFailure[] {
    return this.#validators.flatMap((validator) =>
      bypass && validator.mayBypass ? NONE : validator.validate(write, true),
    );
  }
}
