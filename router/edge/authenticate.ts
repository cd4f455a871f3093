// Stage 2: who is asking (spec 1 «Authentication» 1–3). Routes that are public take a valid credential and ignore any other.
import { DomainError } from '../../platform/errors.ts';
import type { Edge } from './edge-options.ts';
import { identify } from './identify.ts';
import type { Passage } from './passage.ts';

function admit(passage: Passage): void {
  if (passage.identity !== undefined) return passage.actAs(passage.identity);
  if (passage.match?.access === 'public') return;
  throw passage.refusal ?? new DomainError('missing_token', 'a credential is required: Authorization: Bearer <token> or X-Api-Key: <key>');
}

/** @throws DomainError `missing_token`, `invalid_token`, `expired_token`, `revoked_token` */
export function authenticate(passage: Passage, edge: Edge): void | Promise<void> {
  const identified = identify(passage, edge.credentials);
  return identified === undefined ? admit(passage) : identified.then(() => admit(passage));
}
