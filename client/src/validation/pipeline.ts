// Runs the client's own validators in the order in which they were added
// (docs/reference/metadata.md#client-validators).
import { ValidationError } from '../errors/errors.ts';
import { type FailureReport, ValidationFailure } from '../errors/validation-failure.ts';

export type WriteOperation = 'create' | 'update' | 'delete' | 'ingest';

/** A write that is about to be sent. */
export interface ProposedWrite {
  readonly operation: WriteOperation;
  readonly entityType: string;
  /** Null where the entity has no id yet. */
  readonly entityId: string | null;
  /** The supplied fields; empty for a delete. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A validator's objection. A string is the same as an objection with that message. */
export interface Objection {
  readonly message: string;
  readonly ruleId?: string | undefined;
  /** The data that was checked; default: the supplied data. */
  readonly inputContext?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns nothing where the write is valid, else the objection. It may be asynchronous. */
export type Validator = (write: ProposedWrite) => Verdict | Promise<Verdict>;
export type Verdict = undefined | null | void | string | Objection;

function reportOf(write: ProposedWrite, verdict: string | Objection): FailureReport {
  const {
    message,
    ruleId = null,
    inputContext = { operation: write.operation, ...write.data },
  } = typeof verdict === 'string' ? { message: verdict } : verdict;
  return { message, ruleId, inputContext, entityType: write.entityType, entityId: write.entityId };
}

const isRefusal = (verdict: Verdict): verdict is string | Objection =>
  verdict !== undefined && verdict !== null;

export class ValidationPipeline {
  readonly #validators: Validator[] = [];

  /** Adds a validator, which is called after all existing ones. */
  add(validator: Validator): this {
    this.#validators.push(validator);
    return this;
  }

  /** Stops at the first validator that objects. @throws ValidationFailure */
  async execute(write: ProposedWrite): Promise<void> {
    for (const validator of [...this.#validators]) {
      const verdict = await validator(write);
      if (isRefusal(verdict)) throw new ValidationFailure(reportOf(write, verdict));
    }
  }

  /** Calls all validators. @throws ValidationError with every failure in `failures` */
  async executeAll(write: ProposedWrite): Promise<void> {
    const failures = await this.failures(write);
    if (failures.length > 0) throw new AggregatedValidationError(failures);
  }

  /** Returns all objections, in the order of the validators. */
  async failures(write: ProposedWrite): Promise<readonly FailureReport[]> {
    const found: FailureReport[] = [];
    for (const validator of [...this.#validators]) {
      const verdict = await validator(write);
      if (isRefusal(verdict)) found.push(reportOf(write, verdict));
    }
    return found;
  }
}

/** The objections of several validators. */
export class AggregatedValidationError extends ValidationError {
  override name = 'AggregatedValidationError';
  readonly failures: readonly ValidationFailure[];

  constructor(reports: readonly FailureReport[]) {
    super(reports.map(({ message }) => message).join('; '), { code: 'LOCAL_VALIDATION' });
    this.failures = reports.map((report) => new ValidationFailure(report));
  }
}
