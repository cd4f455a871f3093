// The lineage as a picture: boxes that lead to their entities, and steps that show more.
import type { KeyboardEvent, ReactNode } from 'react';
import { Link } from '../../address/address.tsx';
import { fit } from '../../parts/text.ts';
import { BOX, type Edge, type Graph, type Layout, layoutOf, type Node, type Placed } from './graph.ts';

function Line({ edge, layout }: { readonly edge: Edge; readonly layout: Layout }): ReactNode {
  const [from, to] = [layout.placed.get(edge.from), layout.placed.get(edge.to)];
  if (from === undefined || to === undefined) return null;
  const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2];
  const [x2, y2] = [to.x, to.y + BOX.height / 2];
  const middle = (x1 + x2) / 2;
  return (
    <g>
      <path className="edge" d={`M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}`} />
      <text className="edge-label" x={x2 - 6} y={y2 - 6} textAnchor="end">
        {fit(edge.by, 16)}
      </text>
    </g>
  );
}

function More({
  node,
  side,
  onOpen,
}: {
  readonly node: Node;
  readonly side: -1 | 1;
  readonly onOpen: () => void;
}): ReactNode {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onOpen();
  };
  return (
    <g
      className="more"
      role="button"
      tabIndex={0}
      aria-label={`Show what ${side < 0 ? `${node.id} comes from` : `comes from ${node.id}`}`}
      transform={`translate(${side < 0 ? 0 : BOX.width},${BOX.height / 2})`}
      onClick={onOpen}
      onKeyDown={onKeyDown}
    >
      <circle r="10" />
      <text y="5" textAnchor="middle" aria-hidden="true">
        +
      </text>
    </g>
  );
}

function Box({
  placed,
  isRoot,
  onOpen,
}: {
  readonly placed: Placed;
  readonly isRoot: boolean;
  readonly onOpen: () => void;
}): ReactNode {
  const { node, x, y } = placed;
  return (
    <g transform={`translate(${x},${y})`} className={`box${isRoot ? ' root' : ''}`}>
      <Link to="entity" params={{ id: node.id }}>
        <rect width={BOX.width} height={BOX.height} rx="8" />
        <text className="type" x="12" y="18">
          {`${fit(node.type, 26)} `}
        </text>
        <text x="12" y="35">
          {fit(node.id, 21)}
        </text>
      </Link>
      {!node.isOpen && <More node={node} side={node.column < 0 ? -1 : 1} onOpen={onOpen} />}
    </g>
  );
}

interface Props {
  readonly graph: Graph;
  readonly root: string;
  readonly onOpen: (id: string) => void;
}

export function Picture({ graph, root, onOpen }: Props): ReactNode {
  const layout = layoutOf(graph);
  return (
    <div className="diagram" role="region" aria-label="Lineage" tabIndex={0}>
      <svg width={layout.width} height={layout.height} viewBox={`0 0 ${layout.width} ${layout.height}`}>
        {graph.edges.map((edge) => (
          <Line key={`${edge.from} ${edge.to} ${edge.by}`} edge={edge} layout={layout} />
        ))}
        {[...layout.placed.values()].map((placed) => (
          <Box
            key={placed.node.id}
            placed={placed}
            isRoot={placed.node.id === root}
            onOpen={() => {
              onOpen(placed.node.id);
            }}
          />
        ))}
      </svg>
    </div>
  );
}
