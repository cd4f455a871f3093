// Protects against DNS rebinding where no credential is needed, or where a browser's session is one.
import { carriesSession } from '../../../platform/session-cookie.ts';
import { isEverybody } from '../identity/credentials.ts';
import type { Edge } from './edge-options.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

/**
 * docs/reference/gateway.md#allowed-hosts: pages with sessions check it themselves.
 * @throws DomainError `misdirected_request`
 */
export function checkHost({ req }: EdgeRequestContext, { credentials, checkHost: check }: Edge): void {
  if (isEverybody(credentials)) check(req);
  if (carriesSession(req.headers)) check(req);
}
