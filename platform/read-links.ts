// Checks what a component is asked of causal chains, the same in each of them.
import { type CausalLinks, isNodeKey, type LinkQuestion, MAX_KEYS, MAX_LINKS } from './causal-links.ts';
import { badRequest } from './errors.ts';
import { canonicalInstant } from './instant.ts';

/** As the SDL has it. */
export interface AskedLinks extends Pick<LinkQuestion, 'keys' | 'direction' | 'limit'> {
  readonly asOf?: string | null | undefined;
}

/** @throws DomainError `invalid_request` */
export function readAsOf(asOf: string | null | undefined): string | null {
  if (asOf === null || asOf === undefined) return null;
  const instant = canonicalInstant(asOf);
  if (instant === null) throw badRequest('asOf must be an instant, for example 2026-01-31T09:30:00Z');
  return instant;
}

/**
 * Keys that name no node are left out, as those of nodes that there are not.
 * @throws DomainError `invalid_request` for bounds and instants
 */
export function readLinks(
  { keys, direction, limit, asOf }: AskedLinks,
  answer: (question: LinkQuestion) => Promise<CausalLinks>,
): Promise<CausalLinks> {
  if (keys.length > MAX_KEYS) throw badRequest(`keys must be at most ${MAX_KEYS}`);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LINKS)
    throw badRequest(`limit must be an integer from 1 to ${MAX_LINKS}`);
  return answer({ keys: keys.filter(isNodeKey), direction, limit, asOf: readAsOf(asOf) });
}
