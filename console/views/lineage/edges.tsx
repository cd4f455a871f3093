// The curves of the part in sight, on one canvas that moves with the boxes. As elements of the page each would be as
// wide as the picture, and whatever it passes would be drawn anew with each that comes or goes.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useScheme } from '../../frame/color-scheme.ts';
import type { Change } from './neighbours.ts';
import type { Edge } from './graph.ts';
import { curveOf, type Layout, type Rect } from './layout.ts';

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

function draw(canvas: HTMLCanvasElement, { edges, layout, sight }: Props): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  // beyond the picture it would make it larger
  const left = Math.max(0, sight.left);
  const top = Math.max(0, sight.top);
  const width = Math.max(0, Math.min(layout.width, sight.right) - left);
  const height = Math.max(0, Math.min(layout.height, sight.bottom) - top);
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.style.transform = `translate(${left}px, ${top}px)`;
  context.scale(ratio, ratio);
  context.translate(-left, -top);
  const style = getComputedStyle(canvas);
  for (const { from, to, change } of edges) {
    const [start, end] = [layout.placed.get(from), layout.placed.get(to)];
    if (start === undefined || end === undefined) continue;
    const pen = change === undefined ? PLAIN : CHANGED[change];
    context.strokeStyle = style.getPropertyValue(pen.colour);
    context.lineWidth = pen.width;
    context.setLineDash([...pen.dashes]);
    context.stroke(new Path2D(curveOf(start, end)));
  }
}

export function Edges({ edges, layout, sight }: Props): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useScheme();
  useLayoutEffect(() => {
    if (canvas.current !== null) draw(canvas.current, { edges, layout, sight });
    // colours are read when they are drawn
  }, [edges, layout, sight, scheme]);
  return <canvas className="edges" aria-hidden="true" ref={canvas} />;
}
