// A write that a validator does not let pass, here or at the server (spec 2 «Errors», `ValidationFailure`).
import { type ErrorInfo, MetadataError } from './metadata-error.ts';

/** What a validator has found, in plain words and values. */
export interface FailureReport {
  readonly message: string;
  /** The rule that is not met; null where the shape of the data itself is at fault. */
  readonly ruleId: string | null;
  /** What the validator looked at. */
  readonly inputContext: Readonly<Record<string, unknown>>;
  readonly entityType: string;
  /** Null where the entity has no id yet. */
  readonly entityId: string | null;
}

export class ValidationFailure extends MetadataError implements FailureReport {
  override name = 'ValidationFailure';
  readonly ruleId: string | null;
  readonly inputContext: Readonly<Record<string, unknown>>;
  readonly entityType: string;
  readonly entityId: string | null;
  /** Everything the validators have found, this first: more than one where a validator names several faults. */
  readonly failures: readonly FailureReport[];

  constructor(
    report: FailureReport,
    { failures = [report], ...info }: ErrorInfo & { readonly failures?: readonly FailureReport[] } = {},
  ) {
    super(report.message, { code: 'LOCAL_VALIDATION', ...info });
    this.ruleId = report.ruleId;
    this.inputContext = report.inputContext;
    this.entityType = report.entityType;
    this.entityId = report.entityId;
    this.failures = failures;
  }

  /** Every failure with its rule and what was looked at, over several lines, for people to read. */
  formatDetailedMessage(): string {
    return this.failures
      .map(({ message, ruleId, inputContext, entityType, entityId }) =>
        [
          `${entityType}${entityId === null ? '' : ` ${entityId}`}: ${message}`,
          ...(ruleId === null ? [] : [`  rule: ${ruleId}`]),
          ...Object.entries(inputContext).map(
            ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
          ),
        ].join('\n'),
      )
      .join('\n');
  }
}
