// Stage 2: who is asking (spec 1 «Authentication» 1–3). Routes that are public take a valid credential and ignore any other.
import { ACTING_HEADER } from '../../platform/acting.ts';
import { badRequest, DomainError } from '../../platform/errors.ts';
import { actWithin } from '../acting/act-within.ts';
import { isOfOwnPage } from './answer-cors.ts';
import { isEverybody } from './credentials.ts';
import type { Edge } from './edge-options.ts';
import { identify } from './identify.ts';
import type { Passage } from './passage.ts';

function admit(passage: Passage): void {
  if (passage.identity !== undefined) return passage.actAs(passage.identity);
  if (passage.match?.access === 'public') return;
  throw (
    passage.refusal ??
    new DomainError(
      'missing_token',
      'a credential is required: Authorization: Bearer <token> or X-Api-Key: <key>',
    )
  );
}

const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers let any page send a request that it may not read the answer of: where no credential is needed, that would be enough to write. @throws DomainError `invalid_request` */
function checkOrigin({ req }: Passage, { cors }: Edge): void {
  if (!READS.has(req.method) && !isOfOwnPage(req, cors))
    throw badRequest(
      'pages of this origin may not write here while auth.mode is disabled: name it in cors.allowed_origins',
    );
}

/** Whoever acts for others has no more than they have. @throws DomainError `insufficient_role`, `revoked_token`, `invalid_request` */
async function admitActing(
  passage: Passage,
  { standing }: Edge,
  identified: Promise<void> | undefined,
): Promise<void> {
  await identified;
  admit(passage);
  const header = passage.req.headers[ACTING_HEADER];
  if (passage.identity === undefined || standing === undefined || typeof header !== 'string')
    throw badRequest(`${ACTING_HEADER} is not taken here`);
  passage.actAs(await actWithin(passage.identity, header, standing));
}

/** @throws DomainError `missing_token`, `invalid_token`, `expired_token`, `revoked_token` */
export function authenticate(passage: Passage, edge: Edge): void | Promise<void> {
  if (isEverybody(edge.credentials)) checkOrigin(passage, edge);
  const identified = identify(passage, edge.credentials);
  if (passage.req.headers[ACTING_HEADER] !== undefined) return admitActing(passage, edge, identified);
  return identified === undefined ? admit(passage) : identified.then(() => admit(passage));
}
