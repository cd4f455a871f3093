// Faults of a rule found at registration (docs/reference/artifact.md#registration-validation,
// docs/reference/artifact.md#violations).

/** The checks, in the specification's order; `definition` is the rule's own shape, before all others. */
export type Check =
  | 'definition'
  | 'cwl'
  | 'image'
  | 'limit'
  | 'network'
  | 'software'
  | 'entity_type'
  | 'output'
  | 'field_type'
  | 'file_uri'
  | 'match'
  | 'name';

export interface Violation {
  readonly check: Check;
  readonly output: string | null;
  readonly output_type: string | null;
  readonly entity_type: string | null;
  readonly field: string | null;
  readonly expected_type: string | null;
  readonly message: string;
}

export const violation = (
  check: Check,
  message: string,
  about: Partial<Omit<Violation, 'check' | 'message'>> = {},
): Violation => ({
  check,
  output: null,
  output_type: null,
  entity_type: null,
  field: null,
  expected_type: null,
  ...about,
  message,
});
