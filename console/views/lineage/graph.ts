// The part of the lineage that is shown: which nodes, in which columns, with which edges.
import type { Known, Neighbours } from './neighbours.ts';

export interface Node extends Known {
  /** 0 for the entity that was asked for; below it what it comes from, above it what comes from it. */
  readonly column: number;
  /** Whether the neighbours on its far side are shown. */
  readonly isOpen: boolean;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly by: string;
}

export interface Graph {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly edges: readonly Edge[];
}

export const EMPTY: Graph = { nodes: new Map(), edges: [] };

const edgeKey = ({ from, to, by }: Edge): string => JSON.stringify([from, to, by]);

/**
 * The graph with an entity's neighbours: both sides of the first, otherwise the side that leads away from it. A
 * node that is there stays where it is.
 */
export function opened(graph: Graph, id: string, { self, up, down }: Neighbours): Graph {
  if (self === undefined) return graph;
  const nodes = new Map(graph.nodes);
  const known = nodes.get(id);
  const column = known?.column ?? 0;
  nodes.set(id, { ...self, column, isOpen: true });
  const edges = new Map(graph.edges.map((edge) => [edgeKey(edge), edge]));
  const add = (other: Known & { readonly by: string }, step: number, edge: Edge): void => {
    if (!nodes.has(other.id))
      nodes.set(other.id, { id: other.id, type: other.type, column: column + step, isOpen: false });
    edges.set(edgeKey(edge), edge);
  };
  if (column <= 0) for (const one of up) add(one, -1, { from: one.id, to: id, by: one.by });
  if (column >= 0) for (const one of down) add(one, 1, { from: id, to: one.id, by: one.by });
  return { nodes, edges: [...edges.values()] };
}

export const BOX = { width: 196, height: 46 } as const;
const GAP = { x: 110, y: 16 } as const;
const MARGIN = 28;

export interface Placed {
  readonly node: Node;
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly placed: ReadonlyMap<string, Placed>;
}

/** Columns beside each other, each in the middle of the height. */
export function layoutOf({ nodes }: Graph): Layout {
  const columns = new Map<number, Node[]>();
  for (const node of nodes.values()) columns.set(node.column, [...(columns.get(node.column) ?? []), node]);
  const order = [...columns.keys()].sort((a, b) => a - b);
  const tallest = Math.max(1, ...[...columns.values()].map(({ length }) => length));
  const height = tallest * (BOX.height + GAP.y) - GAP.y + 2 * MARGIN;
  const placed = new Map<string, Placed>();
  order.forEach((column, i) => {
    const members = columns.get(column) ?? [];
    const top = (height - (members.length * (BOX.height + GAP.y) - GAP.y)) / 2;
    members.forEach((node, row) => {
      placed.set(node.id, {
        node,
        x: MARGIN + i * (BOX.width + GAP.x),
        y: top + row * (BOX.height + GAP.y),
      });
    });
  });
  return { width: order.length * (BOX.width + GAP.x) - GAP.x + 2 * MARGIN, height, placed };
}
