// The reasons for which a production ends without a result, as recorded and as answered to waiting callers.
import { DomainError, isErrorCode } from '../../../platform/errors.ts';
import { isObject } from '../../../platform/json-object.ts';
import { isStoreAway } from '../../../platform/store-away.ts';
import type { Check, Violation } from '../registration/violation.ts';

export type FailureCode =
  | 'inputs_missing'
  | 'source_unavailable'
  | 'source_changed'
  | 'workflow_failed'
  | 'limit_exceeded'
  | 'image_not_allowed'
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
  | 'rights_lost'
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

/** It cannot be made as its refresh was planned; without its pin it is made otherwise. */
export class PlanDeparted extends ProductionFailed {
  override name = 'PlanDeparted';

  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super('conflict', message, { ...details, departed_from_plan: true });
  }
}

/** Whether a recorded error is of that. */
export const hasDeparted = (error: unknown): boolean =>
  isObject(error) && isObject(error['details']) && error['details']['departed_from_plan'] === true;

/** Demands of a workflow that are refused at run time; the runner does not support others. */
const REFUSED: Readonly<Partial<Record<Check, FailureCode>>> = {
  limit: 'limit_exceeded',
  image: 'image_not_allowed',
};

export const refusedDemand = ({ check, message }: Violation): ProductionFailed =>
  new ProductionFailed(REFUSED[check] ?? 'unsupported', message);

/** The requester's rights are reduced: the production begins again with the remaining ones. */
export class RightsChangedError extends Error {
  override name = 'RightsChangedError';
}

/** The database or metadata does not answer now: the production itself has not failed. */
export const isAway = (fault: unknown): boolean =>
  isStoreAway(fault) || (fault instanceof DomainError && fault.code === 'component_unavailable');

/** The recorded error of a failed production. */
export function errorOf(fault: unknown): {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
} {
  if (fault instanceof ProductionFailed)
    return { code: fault.code, message: fault.message, details: fault.details };
  if (fault instanceof DomainError && isErrorCode(fault.code) && fault.code !== 'internal_error')
    return { code: fault.code, message: fault.message, details: fault.details };
  return { code: 'internal_error', message: 'internal error', details: {} };
}
