// Validates a write without making it: with the client's validators, then the server's
// (docs/reference/metadata.md#client-validators, docs/reference/metadata.md#asking-without-writing).
import type { CallOptions } from '../call-options.ts';
import type { Core } from '../core.ts';
import { absentEntity, absentType } from '../errors/absent-entity.ts';
import type { FailureReport } from '../errors/validation-failure.ts';
import { assertFields } from '../json-data.ts';
import type { Operation } from '../transport/transport.ts';
import type { Validator, WriteOperation } from './pipeline.ts';

export interface ValidateOptions extends CallOptions {
  /** The entity that would be written; without it, a new one. */
  readonly entityId?: string | undefined;
  /** Default: `ingest`, which updates the entity where it exists and else creates it. */
  readonly operation?: WriteOperation | undefined;
  /** True (default) reports every failure; false stops at the first, as a write does. */
  readonly all?: boolean | undefined;
}

/** The result of validating a write. */
export interface ValidationReport {
  readonly valid: boolean;
  /** In the order of the validators: the client's, then the server's. */
  readonly failures: readonly FailureReport[];
}

export interface Validation {
  /**
   * Adds a validator that create, update, delete and ingest call before they send a request. Validators are
   * called in the order in which they were added.
   */
  addValidator(validator: Validator): void;
  /**
   * Reports what would prevent a write, including an unknown type. Nothing is written. A later write may
   * still fail, because others write meanwhile.
   * @throws EntityNotFoundError for an update or delete of an entity that does not exist
   */
  validate<Data extends object>(
    entityType: string,
    data: Data,
    options?: ValidateOptions,
  ): Promise<ValidationReport>;
}

const DOCUMENT = `query ValidateEntity($entityType: String!, $id: ID, $data: JSON, $all: Boolean, $operation: ValidatedOperation) {
  validateEntity(entityType: $entityType, id: $id, data: $data, all: $all, operation: $operation) { valid failures { message ruleId inputContext entityType entityId } } }`;

const explain = (entityType: string, entityId: string | undefined): Operation['explain'] =>
  entityId === undefined ? absentType : absentEntity(entityType, entityId);

export const validationOf = ({ transport, validators }: Core): Validation => ({
  addValidator(validator) {
    validators.add(validator);
  },
  async validate(entityType, data, { entityId, operation = 'ingest', all = true, ...options } = {}) {
    assertFields(data, 'data');
    const own = await validators.failures({
      operation,
      entityType,
      entityId: entityId ?? null,
      data: Object.fromEntries(Object.entries(data)),
    });
    if (!all && own[0]) return { valid: false, failures: [own[0]] };
    const { validateEntity: report } = await transport.send<{ validateEntity: ValidationReport }>(
      { document: DOCUMENT, safety: 'read', explain: explain(entityType, entityId) },
      {
        entityType,
        id: entityId,
        data: operation === 'delete' ? undefined : data,
        all,
        operation: operation === 'ingest' ? undefined : operation.toUpperCase(),
      },
      options,
    );
    return { valid: own.length === 0 && report.valid, failures: [...own, ...report.failures] };
  },
});
