// The client's own validators, in the order in which they were added (spec 2 «Validation pipeline»).
import { ValidationError } from '../errors/errors.ts';
import { type FailureReport, ValidationFailure } from '../errors/validation-failure.ts';

export type WriteOperation = 'create' | 'update' | 'delete' | 'ingest';

/** A write that is about to be sent. */
export interface ProposedWrite {
  readonly operation: WriteOperation;
  readonly entityType: string;
  /** Null where the entity has no id yet. */
  readonly entityId: string | null;
  /** The fields that are supplied; none of a delete. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a validator objects to; a text alone is its message. */
export interface Objection {
  readonly message: string;
  readonly ruleId?: string | undefined;
  /** What it looked at; the supplied data where it does not say. */
  readonly inputContext?: Readonly<Record<string, unknown>> | undefined;
}

/** Answers nothing where the write may pass, or what stands against it. It may take its time. */
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

  /** Asked after all that were there before. */
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

  /** Asks all of them. @throws ValidationError with every failure in `failures` */
  async executeAll(write: ProposedWrite): Promise<void> {
    const failures = await this.failures(write);
    if (failures.length > 0) throw new AggregatedValidationError(failures);
  }

  /** Everything that they object to, in their order. */
  async failures(write: ProposedWrite): Promise<readonly FailureReport[]> {
    const found: FailureReport[] = [];
    for (const validator of [...this.#validators]) {
      const verdict = await validator(write);
      if (isRefusal(verdict)) found.push(reportOf(write, verdict));
    }
    return found;
  }
}

/** What several validators object to, together. */
export class AggregatedValidationError extends ValidationError {
  override name = 'AggregatedValidationError';
  readonly failures: readonly ValidationFailure[];

  constructor(reports: readonly FailureReport[]) {
    super(reports.map(({ message }) => message).join('; '), { code: 'LOCAL_VALIDATION' });
    this.failures = reports.map((report) => new ValidationFailure(report));
  }
}
