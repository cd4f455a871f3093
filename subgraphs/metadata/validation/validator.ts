// What a validator is given of a write, and what it says of one that it does not let pass
// (docs/reference/metadata.md#validation-pipeline).
import type { EntityData, EntityType } from '../schemas/entity-type.ts';

export const VALIDATED_OPERATIONS = ['create', 'update', 'delete'] as const;
/**
 * `delete` is every write that makes an entity unavailable, whichever way
 * (docs/reference/metadata.md#deletes-and-validators).
 */
export type ValidatedOperation = (typeof VALIDATED_OPERATIONS)[number];

export interface ValidatedWrite {
  readonly operation: ValidatedOperation;
  readonly type: EntityType;
  readonly entityId: string;
  /** The whole data as they would be stored; of a delete, as they are. */
  readonly data: EntityData;
  /** The data before the write; null for a new entity. */
  readonly previous: EntityData | null;
}

/** docs/reference/metadata.md#validation-failures. */
export interface ValidationFailure {
  readonly message: string;
  /** Null where no rule failed but the shape of the data itself. */
  readonly ruleId: string | null;
  /** What the validator looked at. */
  readonly inputContext: Readonly<Record<string, unknown>>;
  readonly entityType: string;
  readonly entityId: string;
}

export interface Validator {
  /**
   * Whether a write may leave it out (`bypassValidation`). What keeps stored data readable is never left out.
   */
  readonly mayBypass: boolean;
  /**
   * Synchronous, because it is asked under the log's lock; none where the write may pass.
   * @param all false: of several rules, the first that is not met is enough
   */
  validate(write: ValidatedWrite, all: boolean): readonly ValidationFailure[];
}

export const failureOf = (
  { type, entityId }: ValidatedWrite,
  ruleId: string | null,
  message: string,
  inputContext: Readonly<Record<string, unknown>>,
): ValidationFailure => ({ message, ruleId, inputContext, entityType: type.name, entityId });
