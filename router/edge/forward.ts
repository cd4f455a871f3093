// Stages 4 and 5: finds what the path leads to, and hands the request over. An identity travels as `exchange.caller`;
// where a component is another HTTP service, router/pass-through turns it into headers.
import type { Edge } from './edge-options.ts';
import type { Passage } from './passage.ts';

export function findRoute(passage: Passage, edge: Edge): void {
  const match = edge.findRoute(passage.req.method ?? '', passage.path);
  passage.match = match;
  passage.template = match.template;
  if (match.bodyLimit !== undefined) passage.bodyLimit = match.bodyLimit;
}

export function forward(passage: Passage): void | Promise<void> {
  return passage.match?.handle(passage);
}
