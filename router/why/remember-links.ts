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

export interface RememberedLinks {
  readonly component: LinkComponent;
  /** Nodes and links; of each node the first ones. */
  first(keys: readonly string[], levels: number): Promise<CausalLinks>;
  /** Of those of the nodes that have more, the links behind so many that were told. */
  next(keys: readonly string[], skip: number): Promise<CausalLinks>;
  /** Since when all is there that the component deletes in time; undefined where nothing was deleted. */
  keptSince(): string | undefined;
}

/** Asks a component for what it has not answered yet. */
export function rememberLinks(
  source: LinkSource,
  bounds: Omit<LinkQuestion, 'keys' | 'skip'>,
  caller: Caller,
): RememberedLinks {
  const answered = new Set<string>();
  const nodes = new Map<string, CausalNode>();
  const links = new Map<string, CausalLink[]>();
  /** Nodes that may have further links. */
  const open = new Set<string>();
  let keptSince: string | undefined;
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
    for (const key of answer.more ?? []) if (fresh.has(key)) open.add(key);
    for (const key of fresh) answered.add(key);
    keptSince = answer.keptSince ?? keptSince;
  };
  return {
    component: source.component,
    keptSince: () => keptSince,
    async first(keys, levels) {
      const asked = keys.filter((key) => concerns(source.component, key, bounds.direction));
      const unknown = asked.filter((key) => !answered.has(key));
      if (asked.length === 0) return NO_LINKS;
      if (unknown.length > 0) note(await source.links({ ...bounds, keys: unknown, skip: 0, levels }, caller));
      return {
        nodes: asked.flatMap((key) => nodes.get(key) ?? []),
        links: asked.flatMap((key) => links.get(key) ?? []),
        more: asked.filter((key) => open.has(key)),
      };
    },
    async next(keys, skip) {
      const asked = keys.filter((key) => open.has(key));
      if (asked.length === 0) return NO_LINKS;
      const { links: found, more = [] } = await source.links(
        { ...bounds, keys: asked, skip, levels: 1 },
        caller,
      );
      for (const key of asked) if (!more.includes(key)) open.delete(key);
      return { nodes: [], links: found, more };
    },
  };
}
