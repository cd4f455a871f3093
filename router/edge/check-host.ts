// Where no credential is needed, or a browser's session is one, a page could have its own name lead here and
// ask as if it were ours.
import { isEverybody } from './credentials.ts';
import type { Edge } from './edge-options.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

/**
 * docs/reference/gateway.md#allowed-hosts: pages with sessions look themselves.
 * @throws DomainError `misdirected_request`
 */
export function checkHost({ req }: EdgeRequestContext, { credentials, checkHost: check }: Edge): void {
  if (isEverybody(credentials)) check(req);
}
