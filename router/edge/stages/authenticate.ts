// Stage 2: authentication (docs/reference/gateway.md#authentication). Public routes use a valid credential
// and ignore any other.
import { ACTING_HEADER } from '../../../platform/acting.ts';
import { badRequest, DomainError } from '../../../platform/errors.ts';
import { actWithin } from '../../acting/act-within.ts';
import { isOfOwnPage } from './answer-cors.ts';
import { isEverybody } from '../identity/credentials.ts';
import type { Edge } from './edge-options.ts';
import { identify } from './identify.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

function admit(ctx: EdgeRequestContext): void {
  if (ctx.identity !== undefined) return ctx.actAs(ctx.identity);
  if (ctx.match?.access === 'public') return;
  throw (
    ctx.refusal ??
    new DomainError(
      'missing_token',
      'a credential is required: Authorization: Bearer <token> or X-Api-Key: <key>',
    )
  );
}

const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Browsers let any page send requests whose answers it cannot read: without credentials, that suffices to
 * write.
 * @throws DomainError `invalid_request`
 */
function checkOrigin({ req }: EdgeRequestContext, { cors }: Edge): void {
  if (!READS.has(req.method) && !isOfOwnPage(req, cors))
    throw badRequest(
      'pages of this origin may not write while auth.mode is disabled: add the origin to cors.allowed_origins',
    );
}

/**
 * A caller that acts for others has at most their rights.
 * @throws DomainError `insufficient_role`, `revoked_token`, `invalid_request`
 */
async function admitActing(
  ctx: EdgeRequestContext,
  { acting }: Edge,
  identified: Promise<void> | undefined,
): Promise<void> {
  await identified;
  admit(ctx);
  const header = ctx.req.headers[ACTING_HEADER];
  if (ctx.identity === undefined || acting === undefined || typeof header !== 'string')
    throw badRequest(`${ACTING_HEADER} is not accepted here`);
  ctx.actAs(await actWithin(ctx.identity, header, acting));
}

/** @throws DomainError `missing_token`, `invalid_token`, `expired_token`, `revoked_token` */
export function authenticate(ctx: EdgeRequestContext, edge: Edge): void | Promise<void> {
  if (ctx.match?.isProbe === true) return undefined;
  if (isEverybody(edge.credentials)) checkOrigin(ctx, edge);
  const identified = identify(ctx, edge.credentials);
  if (ctx.req.headers[ACTING_HEADER] !== undefined) return admitActing(ctx, edge, identified);
  return identified === undefined ? admit(ctx) : identified.then(() => admit(ctx));
}
