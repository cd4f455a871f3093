// The input of a validator, and its failures (docs/reference/metadata.md#validation-pipeline).
import type { EntityData, EntityType } from './entity-type.ts';

export const VALIDATED_OPERATIONS = ['create', 'update', 'delete'] as const;
/**
 * `delete` is every write that makes an entity unavailable, by any operation
 * (docs/reference/metadata.md#deletes-and-validators).
 */
export type ValidatedOperation = (typeof VALIDATED_OPERATIONS)[number];

export interface ValidatedWrite {
  readonly operation: ValidatedOperation;
  readonly type: EntityType;
  readonly entityId: string;
  /** The complete data as it would be stored; for a delete, the current data. */
  readonly data: EntityData;
  /** The data before the write; null for a new entity. */
  readonly previous: EntityData | null;
}

/** docs/reference/metadata.md#validation-failures. */
export interface ValidationFailure {
  readonly message: string;
  /** Null if the failure is not of a rule but of the data's shape. */
  readonly ruleId: string | null;
  /** The values that the validator used. */
  readonly inputContext: Readonly<Record<string, unknown>>;
  readonly entityType: string;
  readonly entityId: string;
}

export interface Validator {
  /** Whether `bypassValidation` skips it. Checks that keep stored data readable are never skipped. */
  readonly mayBypass: boolean;
  /**
   * Synchronous, because it runs under the log's lock; returns no failures for a valid write.
   * @param all false: stop at the first violated rule
   */
  validate(write: ValidatedWrite, all: boolean): readonly ValidationFailure[];
}

export const failureOf = (
  { type, entityId }: ValidatedWrite,
  ruleId: string | null,
  message: string,
  inputContext: Readonly<Record<string, unknown>>,
): ValidationFailure => ({ message, ruleId, inputContext, entityType: type.name, entityId });
