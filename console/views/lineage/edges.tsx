// The curves of the part in sight, on one canvas that moves with the boxes. As elements of the page each would be as
// wide as the picture, and whatever it passes would be drawn anew with each that comes or goes.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useScheme } from '../../frame/color-scheme.ts';
import type { Change } from './known.ts';
import type { Edge } from './graph.ts';
import { bendOf, type Layout, type Rect } from './layout.ts';

interface Pen {
  /** A colour of the style sheet. */
  readonly colour: string;
  readonly width: number;
  readonly dashes: readonly number[];
}

const PLAIN: Pen = { colour: '--strong-line', width: 1.4, dashes: [] };
const CHANGED: Readonly<Record<Change, Pen>> = {
  added: { colour: '--good', width: 2, dashes: [] },
  removed: { colour: '--alarm', width: 1.4, dashes: [5, 4] },
};

interface Props {
  readonly edges: readonly Edge[];
  readonly layout: Layout;
  readonly sight: Rect;
}

/** Sizes a canvas anew only where it differs: its memory is given and taken each time. */
function sized(canvas: HTMLCanvasElement, width: number, height: number): void {
  const ratio = devicePixelRatio;
  const [w, h] = [Math.floor(width * ratio), Math.floor(height * ratio)];
  if (canvas.width === w && canvas.height === h) return;
  canvas.width = w;
  canvas.height = h;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

const PENS = [PLAIN, CHANGED.added, CHANGED.removed] as const;
const penOf = ({ change }: Edge): Pen => (change === undefined ? PLAIN : CHANGED[change]);

function draw(
  canvas: HTMLCanvasElement,
  { edges, layout, sight }: Props,
  colours: ReadonlyMap<Pen, string>,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  // beyond the picture it would make it larger
  const left = Math.max(0, sight.left);
  const top = Math.max(0, sight.top);
  const width = Math.max(0, Math.min(layout.width, sight.right) - left);
  const height = Math.max(0, Math.min(layout.height, sight.bottom) - top);
  sized(canvas, width, height);
  canvas.style.transform = `translate(${left}px, ${top}px)`;
  const ratio = devicePixelRatio;
  context.setTransform(ratio, 0, 0, ratio, -left * ratio, -top * ratio);
  context.clearRect(left, top, width, height);
  for (const pen of PENS) {
    context.beginPath(); // one stroke for all of a kind
    for (const edge of edges) {
      if (penOf(edge) !== pen) continue;
      const { from, to } = edge;
      const [start, end] = [layout.placed.get(from), layout.placed.get(to)];
      if (start === undefined || end === undefined) continue;
      const { x1, y1, x2, y2, middle } = bendOf(start, end);
      context.moveTo(x1, y1);
      context.bezierCurveTo(middle, y1, middle, y2, x2, y2);
    }
    context.strokeStyle = colours.get(pen) ?? '';
    context.lineWidth = pen.width;
    context.setLineDash([...pen.dashes]);
    context.stroke();
  }
}

export function Edges({ edges, layout, sight }: Props): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useScheme();
  const known = useRef<{ readonly scheme: string; readonly colours: ReadonlyMap<Pen, string> }>();
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    if (known.current?.scheme !== scheme) {
      // to read a style has the page laid out
      const style = getComputedStyle(canvas.current);
      known.current = {
        scheme,
        colours: new Map(PENS.map((pen) => [pen, style.getPropertyValue(pen.colour)])),
      };
    }
    draw(canvas.current, { edges, layout, sight }, known.current.colours);
  }, [edges, layout, sight, scheme]);
  return <canvas className="edges" aria-hidden="true" ref={canvas} />;
}
