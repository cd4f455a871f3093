// For what the database alone computes: a filter that leaves something to be checked entity by entity is refused.
import { invalid } from '../../../platform/errors.ts';
import type { PlannedPage } from './list-request.ts';

/** @throws DomainError `validation_failed` that names the terms, and why they are left */
export function refuseResidue({ residual }: PlannedPage, asker: string): void {
  if (residual === null) return;
  const { left, reasons } = residual.explain;
  throw invalid(
    `filter: ${asker} cannot check entities one by one, as ${left.join(' and ')} requires: ${reasons.join('; ')}`,
    { field: 'filter' },
  );
}
