// Where the boxes of a lineage are, and which of them are in sight.
import type { Edge, Graph, Node } from './graph.ts';

export const BOX = { width: 196, height: 46 } as const;
const GAP = { x: 110, y: 16, within: 24 } as const;
const MARGIN = 28;
/** Boxes below each other, from which on a column becomes several. */
const TALL = 40;

export interface Placed {
  readonly node: Node;
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly placed: ReadonlyMap<string, Placed>;
  /** The boxes below each other, from the left. */
  readonly stacks: readonly (readonly Placed[])[];
  /** The edges of each node. */
  readonly edgesOf: ReadonlyMap<string, readonly Edge[]>;
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const rowsFor = (count: number): number =>
  count <= TALL ? count : Math.max(TALL, Math.ceil(Math.sqrt(count) * 2));

/** Columns beside each other, each in the middle of the height; long ones are several columns wide. */
export function layoutOf({ nodes, edges }: Graph): Layout {
  const columns = new Map<number, Node[]>();
  for (const node of nodes.values()) {
    const members = columns.get(node.column);
    if (members === undefined) columns.set(node.column, [node]);
    else members.push(node);
  }
  const order = [...columns.keys()].sort((a, b) => a - b);
  const tallest = Math.max(1, ...[...columns.values()].map(({ length }) => rowsFor(length)));
  const step = BOX.height + GAP.y;
  const height = tallest * step - GAP.y + 2 * MARGIN;
  const placed = new Map<string, Placed>();
  const stacks: Placed[][] = [];
  let left = MARGIN;
  for (const column of order) {
    const members = columns.get(column) ?? [];
    const rows = rowsFor(members.length);
    const top = (height - (rows * step - GAP.y)) / 2;
    for (const [i, node] of members.entries()) {
      const x = left + Math.floor(i / rows) * (BOX.width + GAP.within);
      const box = { node, x, y: top + (i % rows) * step };
      placed.set(node.id, box);
      if (i % rows === 0) stacks.push([box]);
      else stacks.at(-1)?.push(box);
    }
    left += Math.ceil(members.length / rows) * (BOX.width + GAP.within) - GAP.within + GAP.x;
  }
  const edgesOf = new Map<string, Edge[]>();
  for (const edge of edges)
    for (const end of [edge.from, edge.to]) {
      const known = edgesOf.get(end);
      if (known === undefined) edgesOf.set(end, [edge]);
      else known.push(edge);
    }
  return { width: left - GAP.x + MARGIN, height, placed, stacks, edgesOf };
}

/** Edges of one box that lead out of sight: more of them are one dark area. */
const OUT_OF_SIGHT = 60;

export interface InSight {
  readonly boxes: readonly Placed[];
  readonly edges: readonly Edge[];
}

/** What has to be drawn for a part of the picture. */
export function inSight({ stacks, edgesOf }: Layout, { left, top, right, bottom }: Rect): InSight {
  const boxes = stacks
    .filter(([{ x } = { x: NaN }]) => x + BOX.width >= left && x <= right)
    .flatMap((stack) => stack.filter(({ y }) => y + BOX.height >= top && y <= bottom));
  const seen = new Set(boxes.map(({ node }) => node.id));
  const edges = new Set<Edge>();
  for (const { node } of boxes) {
    let out = 0;
    for (const edge of edgesOf.get(node.id) ?? []) {
      const isWhole = seen.has(edge.from) && seen.has(edge.to);
      if (isWhole || out++ < OUT_OF_SIGHT) edges.add(edge);
    }
  }
  return { boxes, edges: [...edges] };
}

/** Where the curve of an edge begins, ends and bends. */
export function bendOf(from: Placed, to: Placed) {
  const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2];
  const [x2, y2] = [to.x, to.y + BOX.height / 2];
  return { x1, y1, x2, y2, middle: (x1 + x2) / 2 };
}

/** The curve of an edge, as SVG writes it. */
export function curveOf(from: Placed, to: Placed): string {
  const { x1, y1, x2, y2, middle } = bendOf(from, to);
  return `M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`;
}
