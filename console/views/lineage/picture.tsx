// The lineage as a picture: boxes that lead to their entities, and steps that show more. Of a large one, only
// what is in sight is in the page; a small map of all of it shows where that is.
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link } from '../../address/address.tsx';
import { fit, numberText } from '../../parts/text.ts';
import { Edges } from './edges.tsx';
import type { Edge, Graph, Node } from './graph.ts';
import { BOX, inSight, type Layout, layoutOf, type Placed, type Rect } from './layout.ts';
import { SmallMap } from './small-map.tsx';

/** Pixels beside those in sight that are drawn as well. */
const BESIDE = 120;
/** Pixels after which the drawing follows: few, so that little is new each time. */
const STEP = 100;

const Label = memo(function Label({
  edge,
  layout,
}: {
  readonly edge: Edge;
  readonly layout: Layout;
}): ReactNode {
  const to = layout.placed.get(edge.to);
  if (to === undefined) return null;
  return (
    <g className={edge.change ?? ''}>
      <text className="edge-label" x={to.x - 6} y={to.y + BOX.height / 2 - 6} textAnchor="end">
        {fit(edge.by, 16)}
      </text>
    </g>
  );
});

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
      aria-label={`Show what ${side < 0 ? `${node.name ?? node.id} comes from` : `comes from ${node.name ?? node.id}`}`}
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

interface BoxProps {
  readonly placed: Placed;
  readonly isRoot: boolean;
  readonly onOpen: (id: string) => void;
}

const Box = memo(function Box({ placed: { node, x, y }, isRoot, onOpen }: BoxProps): ReactNode {
  const { id, type, name = id, place, count, column, isOpen } = node;
  const text = (
    <>
      <rect width={BOX.width} height={BOX.height} rx="8" />
      <text className="type" x="12" y="18">
        {`${fit(type, 26)} `}
      </text>
      <text x="12" y="35">
        {count === undefined ? fit(name, 21) : `${numberText(count)} entities`}
      </text>
    </>
  );
  return (
    <g transform={`translate(${x},${y})`} className={`box${isRoot ? ' root' : ''}`}>
      {count === undefined ? <Link {...(place ?? { to: 'entity', params: { id } })}>{text}</Link> : text}
      {!isOpen && (
        <More
          node={node}
          side={column < 0 ? -1 : 1}
          onOpen={() => {
            onOpen(id);
          }}
        />
      )}
    </g>
  );
});

const sightOf = ({ scrollLeft, scrollTop, clientWidth, clientHeight }: HTMLElement): Rect => {
  const [left, top] = [scrollLeft, scrollTop].map((at) => Math.floor(at / STEP) * STEP) as [number, number]; // as many as before
  return {
    left: left - BESIDE,
    top: top - BESIDE,
    right: left + clientWidth + STEP + BESIDE,
    bottom: top + clientHeight + STEP + BESIDE,
  };
};

const START: Rect = { left: 0, top: 0, right: 1500, bottom: 1000 };

/** The part in sight; the first box is in the middle at first, and stays where it is when others come. */
function useSight(layout: Layout, root: string): readonly [RefObject<HTMLDivElement>, Rect] {
  const box = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState(START);
  const before = useRef<{ readonly root: string; readonly x: number; readonly y: number }>();
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const follow = (): void => {
      const next = sightOf(element);
      setSight((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
    };
    follow();
    element.addEventListener('scroll', follow, { passive: true });
    addEventListener('resize', follow);
    return () => {
      element.removeEventListener('scroll', follow);
      removeEventListener('resize', follow);
    };
  }, [layout]);
  useLayoutEffect(() => {
    const [element, place] = [box.current, layout.placed.get(root)];
    if (element === null || place === undefined) return;
    const { x, y } = place;
    if (before.current?.root === root) element.scrollBy(x - before.current.x, y - before.current.y);
    else
      element.scrollTo(
        x + BOX.width / 2 - element.clientWidth / 2,
        y + BOX.height / 2 - element.clientHeight / 2,
      );
    before.current = { root, x, y };
  }, [layout, root]);
  return [box, sight];
}

/** Whoever drags the background moves the picture. */
function useDrag(box: RefObject<HTMLDivElement>) {
  const at = useRef<readonly [number, number]>();
  const end = (): void => {
    at.current = undefined;
  };
  return {
    onPointerDown: (event: PointerEvent): void => {
      // links and buttons are what they are, and a finger scrolls by itself
      const isTaken = event.target instanceof Element && event.target.closest('a, [role=button]') !== null;
      if (event.button !== 0 || isTaken || event.pointerType === 'touch') return;
      at.current = [event.clientX, event.clientY];
      box.current?.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent): void => {
      if (at.current === undefined) return;
      const [x, y] = at.current;
      box.current?.scrollBy(x - event.clientX, y - event.clientY);
      at.current = [event.clientX, event.clientY];
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

interface Props {
  readonly label: string;
  readonly graph: Graph;
  readonly root: string;
  readonly onOpen: (id: string) => void;
}

export function Picture({ label, graph, root, onOpen }: Props): ReactNode {
  const layout = useMemo(() => layoutOf(graph), [graph]);
  const [box, sight] = useSight(layout, root);
  const drag = useDrag(box);
  const { boxes, edges } = useMemo(() => inSight(layout, sight), [layout, sight]);
  const open = useRef(onOpen);
  open.current = onOpen;
  const [openNow] = useState(() => (id: string) => {
    open.current(id);
  });
  return (
    <div className="lineage">
      <div className="diagram" role="region" aria-label={label} tabIndex={0} ref={box} {...drag}>
        <Edges edges={edges} layout={layout} sight={sight} />
        <svg width={layout.width} height={layout.height} viewBox={`0 0 ${layout.width} ${layout.height}`}>
          {edges.map((edge) => (
            <Label key={`${edge.from} ${edge.to} ${edge.by}`} edge={edge} layout={layout} />
          ))}
          {boxes.map((placed) => (
            <Box key={placed.node.id} placed={placed} isRoot={placed.node.id === root} onOpen={openNow} />
          ))}
        </svg>
      </div>
      <SmallMap layout={layout} root={root} box={box} />
    </div>
  );
}
