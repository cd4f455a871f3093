// Stages 4 and 5: finds the route and calls its handler. The identity is passed as `ctx.caller`; for another
// HTTP service, router/pass-through converts it to headers.
import type { Edge } from './edge-options.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

export function findRoute(ctx: EdgeRequestContext, edge: Edge): void {
  const match = edge.findRoute(ctx.req.method ?? '', ctx.path);
  ctx.match = match;
  ctx.template = match.template;
  if (match.bodyLimit !== undefined) ctx.bodyLimit = match.bodyLimit;
}

export function forward(ctx: EdgeRequestContext): void | Promise<void> {
  return ctx.match?.handle(ctx);
}
