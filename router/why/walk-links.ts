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
  MAX_LINKS,
} from '../../platform/causal-links.ts';

/** Everything that a walk asks for, of all components together. */
export interface WalkedLinks {
  /** For all nodes at once; of `levels` links from them all will be asked for. */
  first(keys: readonly string[], levels: number): Promise<CausalLinks>;
  /** The links of nodes behind so many that were told. */
  next(keys: readonly string[], skip: number): Promise<CausalLinks>;
  /**
   * The link from a node to what stands for deleted ones beyond it; null where nothing of then was deleted.
   * @param far what it leads to and is not shown; null before that is known
   */
  expired(near: CausalNode, far: string | null): CausalLink | null;
}

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

export interface FoundLink extends CausalLink {
  /** The number of nodes before the one with which it is told: the farther of its ends, or a later one. */
  readonly place: number;
}

export interface WalkedChain {
  /** The subject, if it is visible, and what it leads to, the nearest first. */
  readonly nodes: readonly FoundNode[];
  /** Between these nodes, each once. */
  readonly links: readonly FoundLink[];
}

/** Keys that are asked for at once. */
const AT_ONCE = 500;

/** One walk: what it has found, and where it goes on. */
class Walker {
  readonly #walk: Walk;
  readonly #asked: WalkedLinks;
  readonly #nodes = new Map<string, FoundNode>();
  /** Each with the number of nodes that were known when it was found late, behind many others of its node. */
  readonly #links = new Map<string, { readonly link: CausalLink; readonly late: number }>();
  readonly #met: Set<string>;
  /** The nodes from which links lead to a key of the next level. */
  readonly #nearOf = new Map<string, CausalNode[]>();

  constructor(walk: Walk, asked: WalkedLinks) {
    this.#walk = walk;
    this.#asked = asked;
    this.#met = new Set([walk.subject]);
  }

  async run(): Promise<WalkedChain> {
    const { subject, depth } = this.#walk;
    let [keys, open]: [readonly string[], readonly string[]] = [[subject], []];
    for (let level = 0; level <= depth && keys.length + open.length > 0; level++)
      [keys, open] = await this.#level(level, keys, open);
    const order = new Map([...this.#nodes.keys()].map((key, i) => [key, i]));
    const last = order.size - 1;
    return {
      nodes: [...this.#nodes.values()],
      links: [...this.#links.values()].flatMap(({ link, late }) => {
        const [cause, effect] = [order.get(link.cause), order.get(link.effect)];
        if (cause === undefined || effect === undefined) return [];
        return [{ ...link, place: Math.min(last, Math.max(cause, effect, late)) }];
      }),
    };
  }

  get #isEnough(): boolean {
    return this.#nodes.size >= this.#walk.enough;
  }

  /** @param open nodes of the level before that have further links; answers both for the next level */
  async #level(
    level: number,
    keys: readonly string[],
    open: readonly string[],
  ): Promise<[readonly string[], readonly string[]]> {
    const [further, opened]: [string[], string[]] = [[], []];
    await this.#visit(level, keys, further, opened);
    for (let skip = MAX_LINKS; open.length > 0 && !this.#isEnough; skip += MAX_LINKS) {
      const { links, more = [] } = await this.#asked.next(open, skip);
      const beyond: string[] = [];
      for (const link of links) this.#note(link, this.#nodes.size, beyond);
      await this.#visit(level, beyond, further, opened);
      open = [...new Set(more)];
    }
    return [further, opened];
  }

  async #visit(level: number, keys: readonly string[], further: string[], opened: string[]): Promise<void> {
    const { direction, depth } = this.#walk;
    /** What stands for those of them that have been deleted. */
    const instead: string[] = [];
    for (let at = 0; at < keys.length && !this.#isEnough; at += AT_ONCE) {
      const asked = keys.slice(at, at + AT_ONCE);
      const answer = await this.#asked.first(asked, Math.min(MAX_LEVELS, depth - level + 1));
      const shown = new Map(answer.nodes.map((node) => [node.key, node]));
      const linksOf = grouped(
        answer.links,
        (link) => endsOf(link, direction).near,
        (link) => link,
      );
      for (const key of asked) {
        const node = shown.get(key);
        if (node === undefined) {
          for (const near of this.#nearOf.get(key) ?? []) this.#expire(near, key, instead);
          continue;
        }
        this.#nearOf.delete(key);
        this.#nodes.set(key, { ...node, depth: level });
        for (const link of linksOf.get(key) ?? []) this.#note(link, 0, further);
        this.#expire(node, null, further);
      }
      opened.push(...new Set((answer.more ?? []).filter((key) => shown.has(key))));
    }
    if (instead.length > 0) await this.#visit(level, instead, further, opened);
  }

  #expire(near: CausalNode, far: string | null, further: string[]): void {
    const link = this.#asked.expired(near, far);
    if (link !== null) this.#note(link, 0, further);
  }

  #note(link: CausalLink, late: number, further: string[]): void {
    const id = JSON.stringify([link.cause, link.effect, link.kind]);
    const { near, far } = endsOf(link, this.#walk.direction);
    if (!this.#links.has(id)) this.#links.set(id, { link, late });
    const node = this.#nodes.get(near);
    if (node !== undefined && !this.#nodes.has(far)) {
      const nears = this.#nearOf.get(far);
      if (nears === undefined) this.#nearOf.set(far, [node]);
      else nears.push(node);
    }
    if (!this.#met.has(far)) further.push(far);
    this.#met.add(far);
  }
}

export const walkLinks = (walk: Walk, asked: WalkedLinks): Promise<WalkedChain> =>
  new Walker(walk, asked).run();
