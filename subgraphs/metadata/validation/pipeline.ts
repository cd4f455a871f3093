// The validators of every write, in the order in which they were registered
// (docs/reference/metadata.md#validation-pipeline).
import type { ValidatedWrite, ValidationFailure, Validator } from './validator.ts';

const NONE: readonly ValidationFailure[] = [];

export class ValidationPipeline {
  readonly #validators: Validator[];

  constructor(validators: readonly Validator[] = []) {
    this.#validators = [...validators];
  }

  /** The client library's `add_validator`: asked after all that were there before. */
  add(validator: Validator): void {
    this.#validators.push(validator);
  }

  /**
   * Stops at the first validator that has something to say: what it says; nothing where the write may pass.
   */
  execute(write: ValidatedWrite, bypass = false): readonly ValidationFailure[] {
    for (const validator of this.#validators) {
      const failures = bypass && validator.mayBypass ? NONE : validator.validate(write, false);
      if (failures.length > 0) return failures;
    }
    return NONE;
  }

  /** Asks all of them; what they say together, in their order. */
  executeAll(write: ValidatedWrite, bypass = false): readonly ValidationFailure[] {
    return this.#validators.flatMap((validator) =>
      bypass && validator.mayBypass ? NONE : validator.validate(write, true),
    );
  }
}
