// Why a production ends without result: what its record keeps, and everybody who waits is told.

export type FailureCode =
  | 'inputs_missing'
  | 'source_unavailable'
  | 'source_changed'
  | 'workflow_failed'
  | 'limit_exceeded'
  | 'unsupported'
  | 'runner_failed'
  | 'runner_unavailable'
  | 'output_missing'
  | 'output_invalid'
  | 'ingestion_error'
  | 'not_found'
  | 'conflict'
  | 'component_unavailable'
  | 'interrupted'
  | 'internal_error';

export class ProductionFailed extends Error {
  override name = 'ProductionFailed';
  readonly code: FailureCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: FailureCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** Somebody else works on the production now, or nobody does: it is left alone. */
export class NotOurs extends Error {
  override name = 'NotOurs';
}
