// Checks what a component is asked of causal chains, and follows links within it, the same in each of them.
import {
  type CausalLinks,
  concerns,
  endsOf,
  type FollowedLinks,
  isNodeKey,
  isOf,
  type LinkComponent,
  type LinkQuestion,
  MAX_LEVELS,
  MAX_KEYS,
  MAX_LINKS,
  together,
} from './causal-links.ts';
import { badRequest } from './errors.ts';
import { canonicalInstant } from './instant.ts';

/** As the SDL has it. */
export interface AskedLinks extends Pick<LinkQuestion, 'keys' | 'direction' | 'limit' | 'skip'> {
  readonly levels: number;
  readonly asOf?: string | null | undefined;
}

/** @throws DomainError `invalid_request` */
export function readAsOf(asOf: string | null | undefined): string | null {
  if (asOf === null || asOf === undefined) return null;
  const instant = canonicalInstant(asOf);
  if (instant === null) throw badRequest('asOf must be an instant, for example 2026-01-31T09:30:00Z');
  return instant;
}

/** A component follows links until it has looked at so many nodes: a page may need no more. */
const FOLLOWED = 500;

/** A chain has no more nodes. */
const MAX_SKIPPED = 10_000_000;

/** Follows links through nodes of the component: every level that it knows by itself is one less to ask for. */
async function followed(
  component: LinkComponent,
  question: LinkQuestion,
  levels: number,
  answer: (question: LinkQuestion) => Promise<CausalLinks>,
): Promise<FollowedLinks> {
  const answered = new Set(question.keys);
  const parts: CausalLinks[] = [];
  for (let [keys, level] = [question.keys, 0]; keys.length > 0 && level < levels; level++) {
    const part = await answer({ ...question, keys });
    parts.push(part);
    for (const key of part.also ?? []) answered.add(key);
    const shown = new Set(part.nodes.map(({ key }) => key));
    const ends = part.links.map((link) => endsOf(link, question.direction));
    // what is hidden is no way to something else; the nodes of others are looked at by the gateway
    const next = ends.flatMap(({ near, far }) =>
      isOf(component, far) && !answered.has(far) && (shown.has(near) || !isOf(component, near)) ? [far] : [],
    );
    keys = answered.size < FOLLOWED ? [...new Set(next)].slice(0, MAX_KEYS) : [];
    if (level + 1 < levels) for (const key of keys) answered.add(key);
  }
  return { ...together(parts), answered: [...answered] };
}

/**
 * Keys that name no node are left out, as those of nodes that there are not.
 * @throws DomainError `invalid_request` for bounds and instants
 */
export function readLinks(
  component: LinkComponent,
  { keys, direction, limit, skip, levels, asOf }: AskedLinks,
  answer: (question: LinkQuestion) => Promise<CausalLinks>,
): Promise<FollowedLinks> {
  if (keys.length > MAX_KEYS) throw badRequest(`keys must be at most ${MAX_KEYS}`);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LINKS)
    throw badRequest(`limit must be an integer from 1 to ${MAX_LINKS}`);
  if (!Number.isInteger(skip) || skip < 0 || skip > MAX_SKIPPED)
    throw badRequest(`skip must be an integer from 0 to ${MAX_SKIPPED}`);
  if (!Number.isInteger(levels) || levels < 1 || levels > MAX_LEVELS)
    throw badRequest(`levels must be an integer from 1 to ${MAX_LEVELS}`);
  const known = keys.filter((key) => isNodeKey(key) && concerns(component, key, direction));
  return followed(component, { keys: known, direction, limit, skip, asOf: readAsOf(asOf) }, levels, answer);
}
