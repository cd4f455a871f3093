// Stages 4 and 5: finds the route and calls its handler. The identity is passed as `ctx.caller`; for another
// HTTP service, router/pass-through converts it to headers.
import type { Identity } from '../../../platform/identity.ts';
import type { Match } from '../../../platform/request-context.ts';
import { identityBy } from '../identity/credentials.ts';
import { watchIdentity } from '../identity/watch-identity.ts';
import type { Edge } from './edge-options.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

export function findRoute(ctx: EdgeRequestContext, edge: Edge): void {
  const match = edge.findRoute(ctx.req.method ?? '', ctx.path);
  ctx.match = match;
  ctx.template = match.template;
  if (match.bodyLimit !== undefined) ctx.bodyLimit = match.bodyLimit;
}

/**
 * The identity with the rights that are left of it. An access token that merely expires ends nothing that it
 * began: a file may take longer than a token lasts.
 * @throws DomainError where the credential was ended
 */
export async function identityLeft(
  { req }: EdgeRequestContext,
  identity: Identity,
  { acting, credentials }: Edge,
): Promise<Identity | undefined> {
  const { roles, projects, credential } = identity;
  return acting === undefined || credential === undefined
    ? identityBy(req.headers, credentials)
    : { ...identity, ...(await acting.standing({ roles, projects, credential })) };
}

/** While the credential stands: what has been written by then stays. */
async function whileStanding(ctx: EdgeRequestContext, edge: Edge, match: Match): Promise<void> {
  const { identity = ctx.caller } = ctx;
  const unwatch = watchIdentity({
    identity,
    verify: () => identityLeft(ctx, identity, edge),
    onEnd: (refusal) => {
      ctx.end(refusal);
    },
    onFault: (err) => {
      edge.log.warn(
        { err, requestId: ctx.requestId },
        'the credential of a request could not be checked again',
      );
    },
    onEnding: edge.onEnding,
  });
  try {
    await match.handle(ctx);
  } finally {
    unwatch();
  }
}

export function forward(ctx: EdgeRequestContext, edge: Edge): void | Promise<void> {
  const { match } = ctx;
  return match?.isLong === true ? whileStanding(ctx, edge, match) : match?.handle(ctx);
}
