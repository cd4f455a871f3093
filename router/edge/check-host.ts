// Where no credential is needed, or a browser's session is one, a page could have its own name lead here and ask as if it were ours.
import { isEverybody } from './credentials.ts';
import type { Edge } from './edge-options.ts';
import type { Passage } from './passage.ts';

/** Contract 6 «Allowed hosts»: pages with sessions look themselves. @throws DomainError `misdirected_request` */
export function checkHost({ req }: Passage, { credentials, checkHost: check }: Edge): void {
  if (isEverybody(credentials)) check(req);
}
