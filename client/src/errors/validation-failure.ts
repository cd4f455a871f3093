// Defines the exception for a write that a validator of the client or the server rejects
// (docs/reference/metadata.md#client-exceptions).
import { type ErrorInfo, MetadataError } from './metadata-error.ts';

/** A validator's objection as plain values. */
export interface FailureReport {
  readonly message: string;
  /** The violated rule; null where the structure of the data is invalid. */
  readonly ruleId: string | null;
  /** The data that the validator checked. */
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
  /** All objections, this one first. More than one where a validator reports several faults. */
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

  /** Returns all failures with their rules and the checked data as multi-line text for people. */
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
