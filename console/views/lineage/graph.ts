// The part of the lineage that is shown: which nodes, in which columns, with which edges.
import type { Change, Known, Neighbour } from './known.ts';
import type { Neighbours, Rest } from './neighbours.ts';

export interface Node extends Known {
  /** 0 for the entity that was asked for; below it what it comes from, above it what comes from it. */
  readonly column: number;
  /** Whether the neighbours on its far side are shown. */
  readonly isOpen: boolean;
  /** How many entities it stands for, where those of a type are one box. */
  readonly count?: number;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly change?: Change;
}

export interface Graph {
  readonly nodes: ReadonlyMap<string, Node>;
  readonly edges: readonly Edge[];
  /** What has not been read. */
  readonly rests: readonly Rest[];
  /** Nodes of which there are more productions and runs than were read. */
  readonly cut?: ReadonlySet<string>;
}

export const EMPTY: Graph = { nodes: new Map(), edges: [], rests: [] };

/** Nodes of a picture: beyond, nobody finds anything in it. */
export const MOST = 10_000;

const edgeKey = ({ from, to, by }: Edge): string => JSON.stringify([from, to, by]);
const isSame = (one: Rest, { of, type, field }: Rest): boolean =>
  one.of === of && one.type === type && one.field === field;

interface Addition {
  readonly others: readonly Neighbour[];
  readonly step: -1 | 1;
}

function added(graph: Graph, id: string, additions: readonly Addition[]): Graph {
  const nodes = new Map(graph.nodes);
  const column = nodes.get(id)?.column ?? 0;
  const edges = new Map(graph.edges.map((edge) => [edgeKey(edge), edge]));
  for (const { others, step } of additions)
    for (const { by, change, ...known } of others) {
      const other = known.id;
      if (!nodes.has(other)) nodes.set(other, { ...known, column: column + step, isOpen: false });
      const ends = step < 0 ? { from: other, to: id } : { from: id, to: other };
      const edge = { ...ends, by, ...(change === undefined ? {} : { change }) };
      edges.set(edgeKey(edge), edge);
    }
  return { ...graph, nodes, edges: [...edges.values()] };
}

/**
 * The graph with an entity's neighbours: both sides of the first, otherwise the side that leads away from it. A
 * node that is there stays where it is.
 */
export function opened(graph: Graph, id: string, { self, up, down, rests, isCut }: Neighbours): Graph {
  if (self === undefined) return graph;
  const column = graph.nodes.get(id)?.column ?? 0;
  const nodes = new Map(graph.nodes).set(id, { ...self, column, isOpen: true });
  const next = added({ ...graph, nodes }, id, [
    ...(column <= 0 ? [{ others: up, step: -1 as const }] : []),
    ...(column >= 0 ? [{ others: down, step: 1 as const }] : []),
  ]);
  const cut = isCut ? { cut: new Set(graph.cut).add(id) } : {};
  return { ...next, ...cut, rests: column < 0 ? next.rests : [...next.rests, ...rests] };
}

/** The graph with further entities that refer to one of it, and what is left of them then. */
export function extended(
  graph: Graph,
  before: Rest,
  found: readonly Neighbour[],
  rest: Rest | undefined,
): Graph {
  const next = added(graph, before.of, [{ others: found, step: 1 }]);
  return {
    ...next,
    rests: next.rests.flatMap((one) => (isSame(one, before) ? (rest ?? []) : [one])),
  };
}

/** The graph with one box for all entities of these types in a column, except the first entity. */
export function collapsed(graph: Graph, root: string, types: ReadonlySet<string>): Graph {
  if (types.size === 0) return graph;
  const boxes = new Map<string, Node>();
  const boxOf = new Map<string, string>();
  for (const node of graph.nodes.values()) {
    const isOne = node.id !== root && types.has(node.type);
    const id = isOne ? `${node.column} ${node.type}` : node.id;
    boxOf.set(node.id, id);
    const count = (boxes.get(id)?.count ?? 0) + 1;
    boxes.set(id, isOne ? { id, type: node.type, column: node.column, isOpen: true, count } : node);
  }
  const edges = new Map<string, Edge>();
  for (const edge of graph.edges) {
    const [from = edge.from, to = edge.to] = [boxOf.get(edge.from), boxOf.get(edge.to)];
    const merged = { ...edge, from, to };
    if (from !== to) edges.set(edgeKey(merged), merged);
  }
  return { ...graph, nodes: boxes, edges: [...edges.values()] };
}
