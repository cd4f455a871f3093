// Types and how they refer to one another, as a picture: an arrow for each field that refers, and for each parent.
import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import { type ReactNode, useMemo } from 'react';
import { Link } from '../../address/address.tsx';
import type { TypesQuery } from '../../generated/api.ts';
import { ArrowHead } from '../../parts/arrow-head.tsx';
import { fit, plural } from '../../parts/text.ts';

type TypeEntry = TypesQuery['schemas'][number];

const BOX = { width: 190, height: 46 } as const;
/** A line more for what refers to its own type. */
const SELF = 16;
const MARGIN = 24;

interface Arrow {
  readonly key: string;
  readonly text: string;
  readonly isParent: boolean;
  readonly path: string;
  readonly at: { readonly x: number; readonly y: number };
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly places: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  readonly arrows: readonly Arrow[];
}

interface Line {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly isParent: boolean;
}

/** The fields by which a type refers to itself: they are in its box. */
const selfOf = ({ name, fields }: TypeEntry): readonly string[] =>
  fields.filter(({ references }) => references === name).map((field) => field.name);

const heightOf = (type: TypeEntry): number => BOX.height + (selfOf(type).length === 0 ? 0 : SELF);

/** References as each type declares them: an inherited one belongs to the parent. */
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

function pictureOf(types: readonly TypeEntry[]): Picture {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 22, edgesep: 14, ranksep: 90, marginx: MARGIN, marginy: MARGIN });
  for (const type of types) graph.setNode(type.name, { width: BOX.width, height: heightOf(type) });
  const lines = linesOf(types);
  lines.forEach(({ from, to, text }, i) => {
    graph.setEdge(from, to, { width: text.length * 6, height: 14, labelpos: 'c' }, String(i));
  });
  layout(graph);
  const places = new Map(
    types.map(({ name }) => {
      const { x = 0, y = 0 } = graph.node(name);
      return [name, { x, y }];
    }),
  );
  const arrows = lines.map(({ from, to, text, isParent }, i): Arrow => {
    const { points = [], x = 0, y = 0 } = graph.edge(from, to, String(i));
    const path = points.map((point, j) => `${j === 0 ? 'M' : 'L'}${point.x},${point.y}`).join(' ');
    return { key: String(i), text, isParent, path, at: { x, y } };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, places, arrows };
}

function Box({
  type,
  x,
  y,
}: {
  readonly type: TypeEntry;
  readonly x: number;
  readonly y: number;
}): ReactNode {
  const { name, allFields } = type;
  const [self, height] = [selfOf(type), heightOf(type)];
  return (
    <g className="box" transform={`translate(${x - BOX.width / 2},${y - height / 2})`}>
      <Link to="types" params={{ name }}>
        <rect width={BOX.width} height={height} rx="8" />
        <text x="12" y="20">
          {`${fit(name, 23)} `}
        </text>
        <text className="type" x="12" y="36">
          {`${plural(allFields.length, 'field')} `}
        </text>
        {self.length > 0 && (
          <text className="type" x="12" y="52">
            {fit(`itself: ${self.join(', ')}`, 30)}
          </text>
        )}
      </Link>
    </g>
  );
}

export default function Diagram({ types }: { readonly types: readonly TypeEntry[] }): ReactNode {
  const { width, height, places, arrows } = useMemo(() => pictureOf(types), [types]);
  return (
    <div className="diagram" role="region" aria-label="Types and their references" tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <defs>
          <ArrowHead id="arrow" />
        </defs>
        {arrows.map(({ key, text, isParent, path, at }) => (
          <g key={key}>
            <path className={`edge${isParent ? ' parent' : ''}`} d={path} markerEnd="url(#arrow)" />
            <text className="edge-label" x={at.x} y={at.y + 4} textAnchor="middle">
              {fit(text, 24)}
            </text>
          </g>
        ))}
        {types.map((type) => (
          <Box key={type.name} type={type} {...(places.get(type.name) ?? { x: 0, y: 0 })} />
        ))}
      </svg>
    </div>
  );
}
