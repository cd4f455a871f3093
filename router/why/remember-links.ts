// What a component has answered in a walk already: it follows links through its own nodes before the walk gets there.
import {
  type CausalLink,
  type CausalLinks,
  type CausalNode,
  concerns,
  endsOf,
  type FollowedLinks,
  type LinkComponent,
  type LinkQuestion,
  NO_LINKS,
} from '../../platform/causal-links.ts';
import type { Caller } from '../../platform/identity.ts';
import type { Permission } from '../../platform/permissions.ts';

/** A component's part of chains, for callers with the permission. */
export interface LinkSource {
  readonly component: LinkComponent;
  readonly permission: Permission;
  /** @param question with `levels`, the links to follow through nodes of the component */
  links(question: LinkQuestion & { readonly levels: number }, caller: Caller): Promise<FollowedLinks>;
}

/** Asks a component for what it has not answered yet. */
export function rememberLinks(
  source: LinkSource,
  bounds: Omit<LinkQuestion, 'keys'>,
  caller: Caller,
): (keys: readonly string[], levels: number) => Promise<CausalLinks> {
  const answered = new Set<string>();
  const nodes = new Map<string, CausalNode>();
  const links = new Map<string, CausalLink[]>();
  const note = (answer: FollowedLinks): void => {
    // of what was answered before, the links are known
    const fresh = new Set(answer.answered.filter((key) => !answered.has(key)));
    for (const node of answer.nodes) nodes.set(node.key, node);
    for (const link of answer.links) {
      const { near } = endsOf(link, bounds.direction);
      if (!fresh.has(near)) continue;
      const known = links.get(near);
      if (known === undefined) links.set(near, [link]);
      else known.push(link);
    }
    for (const key of fresh) answered.add(key);
  };
  return async (keys, levels) => {
    const asked = keys.filter((key) => concerns(source.component, key, bounds.direction));
    const unknown = asked.filter((key) => !answered.has(key));
    if (asked.length === 0) return NO_LINKS;
    if (unknown.length > 0) note(await source.links({ ...bounds, keys: unknown, levels }, caller));
    return {
      nodes: asked.flatMap((key) => nodes.get(key) ?? []),
      links: asked.flatMap((key) => links.get(key) ?? []),
    };
  };
}
