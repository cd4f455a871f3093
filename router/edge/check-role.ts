// Stage 3: whether any of the caller's roles has the permission that the route names (contract 1.2).
import { assertAllowed } from '../../platform/permissions.ts';
import type { Passage } from './passage.ts';

/** @throws DomainError `insufficient_role`, naming role and operation */
export function checkRole({ match, caller }: Passage): void {
  if (match !== undefined && match.access !== 'public') assertAllowed(caller, match.access);
}
