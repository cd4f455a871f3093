// Stage 3: whether one of the caller's roles has the route's permission (docs/reference/gateway.md#roles).
import { assertAllowed } from '../../../platform/permissions.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

/** @throws DomainError `insufficient_role`, naming role and operation */
export function checkRole({ match, caller }: EdgeRequestContext): void {
  if (match !== undefined && match.access !== 'public') assertAllowed(caller, match.access);
}
