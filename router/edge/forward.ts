// Stages 4 and 5: finds what the path leads to, and hands the request over. An identity travels as
// `ctx.caller`; where a component is another HTTP service, router/pass-through turns it into headers.
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
