// Stage 3: whether any of the caller's roles has the permission that the route names
// (docs/reference/gateway.md#roles).
import { assertAllowed } from '../../platform/permissions.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

/** @throws DomainError `insufficient_role`, naming role and operation */
export function checkRole({ match, caller }: EdgeRequestContext): void {
  if (match !== undefined && match.access !== 'public') assertAllowed(caller, match.access);
}
