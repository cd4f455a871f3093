// A validator that a deployment writes itself: a configured JavaScript or TypeScript file whose default
// export is this interface.
import path from 'node:path';
import { DomainError } from '../../../platform/errors.ts';
import { loadDefaultExport } from '../../../platform/load-module.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import {
  failureOf,
  type ValidatedOperation,
  type ValidatedWrite,
  type ValidationFailure,
  type Validator,
} from '../schema-model/validator.ts';

/** A write as a module sees it: copies, which it may keep or change. */
export interface ModuleWrite {
  readonly operation: ValidatedOperation;
  readonly entityType: string;
  readonly entityId: string;
  /** The data as it would be stored; for a delete, the current data. */
  readonly data: EntityData;
  /** Null for a new entity. */
  readonly previous: EntityData | null;
  /** `options` from the configuration. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A module's objection to the write. */
export interface Objection {
  readonly message: string;
  readonly ruleId?: string;
  readonly inputContext?: Readonly<Record<string, unknown>>;
}

/** The file's `default` export. */
export interface ValidatorModule {
  /**
   * Returns all objections to the write; none if it is valid. Synchronous, because other writes wait for it.
   * If it throws, the write is not made, and is answered with `internal_error`.
   */
  validate(write: ModuleWrite): readonly Objection[] | undefined;
}

export interface ConfiguredModule {
  readonly module: string;
  readonly entityType?: string | undefined;
  readonly on: readonly ValidatedOperation[];
  readonly options: Readonly<Record<string, unknown>>;
}

const isModule = (value: unknown): value is ValidatorModule =>
  typeof value === 'object' && value !== null && 'validate' in value && typeof value.validate === 'function';

const isObjection = (value: unknown): value is Objection => {
  if (typeof value !== 'object' || value === null) return false;
  // every member is checked
  const { message, ruleId, inputContext } = value as Partial<Record<keyof Objection, unknown>>;
  return (
    typeof message === 'string' &&
    message !== '' &&
    (ruleId === undefined || typeof ruleId === 'string') &&
    (inputContext === undefined ||
      (typeof inputContext === 'object' && inputContext !== null && !Array.isArray(inputContext)))
  );
};

async function loaded(file: string): Promise<ValidatorModule> {
  let exported: unknown;
  try {
    exported = await loadDefaultExport(file);
  } catch (cause) {
    throw new DomainError(
      'validation_failed',
      `metadata.validators: ${file} could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      {},
      { cause },
    );
  }
  if (!isModule(exported))
    throw new DomainError(
      'validation_failed',
      `metadata.validators: ${file} has no default export with a function \`validate\``,
    );
  return exported;
}

/**
 * @throws DomainError `validation_failed` that names the file, if it cannot be loaded or exports something
 * else
 */
export async function moduleValidator({
  module: file,
  entityType,
  on,
  options,
}: ConfiguredModule): Promise<Validator> {
  const module = await loaded(file);
  const name = path.basename(file).replace(/\.[cm]?[jt]s$/, '');
  return {
    mayBypass: true,
    validate(write) {
      if (
        !on.includes(write.operation) ||
        (entityType !== undefined && !write.type.selfAndAncestors.includes(entityType))
      )
        return [];
      return failuresOf(write, module.validate(seenBy(write, options)), name);
    },
  };
}

const seenBy = (
  { operation, type, entityId, data, previous }: ValidatedWrite,
  options: Readonly<Record<string, unknown>>,
): ModuleWrite => ({
  operation,
  entityType: type.name,
  entityId,
  data: structuredClone(data),
  previous: structuredClone(previous),
  options,
});

/** @throws Error for an invalid result: a write must not pass by mistake */
function failuresOf(write: ValidatedWrite, answer: unknown, name: string): ValidationFailure[] {
  if (answer === undefined || answer === null) return [];
  if (!Array.isArray(answer) || !answer.every(isObjection))
    throw new Error(`the validator ${name} must return a list of objections, or nothing`);
  return answer.map(({ message, ruleId, inputContext }: Objection) =>
    failureOf(
      write,
      ruleId ?? name,
      message,
      inputContext ?? { operation: write.operation, data: write.data, previous: write.previous },
    ),
  );
}
