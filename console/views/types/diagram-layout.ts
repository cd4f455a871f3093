// Where the boxes and arrows of a diagram of types are: an arrow for each field that refers, and for each parent.
import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import type { TypesQuery } from '../../generated/api.ts';

export type TypeEntry = TypesQuery['schemas'][number];
export type TypeField = TypeEntry['fields'][number];

export const WIDTH = 250;
const ROW = 22;
const HEAD = 46;
/** The line that says how many fields more there are. */
const MORE = 28;
const FOOT = 6;
const MARGIN = 24;
/** Fields of a box that is not shown whole. */
const FIRST = 12;
/** Fields of all types up to which boxes show theirs at first. */
const FEW = 200;

/** How much a box shows of its fields. */
export type Extent = 'none' | 'first' | 'whole';

/** What is shown at first: of many fields the names of the types, which can be opened. */
export const usualExtent = (types: readonly TypeEntry[]): Extent =>
  types.reduce((sum, { fields }) => sum + fields.length, 0) > FEW ? 'none' : 'first';

export function shownFields({ fields }: TypeEntry, extent: Extent): readonly TypeField[] {
  if (extent === 'none') return [];
  return extent === 'whole' || fields.length <= FIRST + 1 ? fields : fields.slice(0, FIRST);
}

export function heightOf(type: TypeEntry, extent: Extent): number {
  if (extent === 'none') return HEAD;
  const shown = shownFields(type, extent).length;
  return HEAD + shown * ROW + (shown < type.fields.length ? MORE : 0) + FOOT;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Arrow {
  readonly key: string;
  /** Undefined where the field that it begins at says it. */
  readonly text: string | undefined;
  readonly isParent: boolean;
  readonly path: string;
  readonly at: Place;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The upper left corners of the boxes. */
  readonly places: ReadonlyMap<string, Place>;
  readonly arrows: readonly Arrow[];
}

interface Line {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly isParent: boolean;
}

/** References as each type declares them: an inherited one belongs to the parent; one to its own type is in its box. */
function linesOf(types: readonly TypeEntry[]): readonly Line[] {
  const known = new Set(types.map(({ name }) => name));
  return types
    .flatMap(({ name, parent, fields }): readonly Line[] => [
      ...(parent === null ? [] : [{ from: name, to: parent, text: 'is a', isParent: true }]),
      ...fields.flatMap((field) =>
        field.references === null
          ? []
          : [{ from: name, to: field.references, text: field.name, isParent: false }],
      ),
    ])
    .filter(({ from, to }) => known.has(to) && from !== to);
}

export function pictureOf(types: readonly TypeEntry[], extentOf: (type: TypeEntry) => Extent): Picture {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 22, edgesep: 14, ranksep: 90, marginx: MARGIN, marginy: MARGIN });
  for (const type of types)
    graph.setNode(type.name, { width: WIDTH, height: heightOf(type, extentOf(type)) });
  const rowOf = ({ from, text, isParent }: Line): number => {
    const type = types.find(({ name }) => name === from);
    if (type === undefined || isParent) return -1;
    return shownFields(type, extentOf(type)).findIndex(({ name }) => name === text);
  };
  const lines = linesOf(types).map((line) => ({ ...line, row: rowOf(line) }));
  lines.forEach(({ from, to, text, row }, i) => {
    const width = row < 0 ? text.length * 6 : 1;
    graph.setEdge(from, to, { width, height: 14, labelpos: 'c' }, String(i));
  });
  layout(graph);
  const cornerOf = (name: string): Place => {
    const { x = 0, y = 0, height = 0 } = graph.node(name);
    return { x: x - WIDTH / 2, y: y - height / 2 };
  };
  const arrows = lines.map(({ from, to, text, isParent, row }, i): Arrow => {
    const { points = [], x = 0, y = 0 } = graph.edge(from, to, String(i));
    const corner = cornerOf(from);
    const isRight = (points[1]?.x ?? 0) > corner.x + WIDTH / 2;
    const begin = { x: corner.x + (isRight ? WIDTH : 0), y: corner.y + HEAD + (row + 0.5) * ROW };
    const way = row < 0 ? points : [begin, ...points.slice(1)];
    const path = way.map((point, j) => `${j === 0 ? 'M' : 'L'}${point.x},${point.y}`).join(' ');
    return { key: String(i), text: row < 0 ? text : undefined, isParent, path, at: { x, y } };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, places: new Map(types.map(({ name }) => [name, cornerOf(name)])), arrows };
}
