// Follows causal links from a node, level by level, until there are enough nodes. What is hidden ends a chain: no link of
// a node counts before its component has shown the node.
import { grouped } from '../../platform/grouped.ts';
import {
  type CausalLink,
  type CausalLinks,
  type CausalNode,
  endsOf,
  type LinkQuestion,
  MAX_LEVELS,
} from '../../platform/causal-links.ts';

/** Answers for all nodes at once, from all components together; of `levels` links from them all will be asked for. */
export type AskLinks = (keys: readonly string[], levels: number) => Promise<CausalLinks>;

export interface Walk {
  readonly subject: string;
  readonly direction: LinkQuestion['direction'];
  /** Links from the subject to the farthest node. */
  readonly depth: number;
  /** The walk ends when it has found as many nodes. */
  readonly enough: number;
}

export interface FoundNode extends CausalNode {
  readonly depth: number;
}

export interface WalkedChain {
  /** The subject, if it is visible, and what it leads to, the nearest first. */
  readonly nodes: readonly FoundNode[];
  /** Between these nodes, each once. */
  readonly links: readonly CausalLink[];
}

/** Keys that are asked for at once. */
const AT_ONCE = 500;

export async function walkLinks(
  { subject, direction, depth, enough }: Walk,
  ask: AskLinks,
): Promise<WalkedChain> {
  const nodes = new Map<string, FoundNode>();
  const links = new Map<string, CausalLink>();
  const met = new Set([subject]);
  for (let level = 0, frontier = [subject]; level <= depth && frontier.length > 0; level++) {
    const further: string[] = [];
    for (let at = 0; at < frontier.length && nodes.size < enough; at += AT_ONCE) {
      const asked = frontier.slice(at, at + AT_ONCE);
      const answer = await ask(asked, Math.min(MAX_LEVELS, depth - level + 1));
      const shown = new Map(answer.nodes.map((node) => [node.key, node]));
      const linksOf = grouped(
        answer.links,
        (link) => endsOf(link, direction).near,
        (link) => link,
      );
      for (const key of asked) {
        const node = shown.get(key);
        if (node === undefined) continue;
        nodes.set(key, { ...node, depth: level });
        for (const link of linksOf.get(key) ?? []) {
          links.set(JSON.stringify([link.cause, link.effect, link.kind]), link);
          const { far } = endsOf(link, direction);
          if (!met.has(far)) further.push(far);
          met.add(far);
        }
      }
    }
    frontier = further;
  }
  return {
    nodes: [...nodes.values()],
    links: [...links.values()].filter(({ cause, effect }) => nodes.has(cause) && nodes.has(effect)),
  };
}
