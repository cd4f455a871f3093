// All of a large picture as a small map, with a frame around the part in sight; a click leads there.
import { type PointerEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { BOX, type Layout } from './layout.ts';

/** The map in pixels. */
const SIZE = { width: 180, height: 120 } as const;

interface Props {
  readonly layout: Layout;
  readonly root: string;
  /** What scrolls. */
  readonly box: RefObject<HTMLDivElement>;
}

const scaleOf = ({ width, height }: Layout): number => Math.min(SIZE.width / width, SIZE.height / height);

function draw(canvas: HTMLCanvasElement, layout: Layout, root: string): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const scale = scaleOf(layout);
  const ratio = devicePixelRatio;
  canvas.width = SIZE.width * ratio;
  canvas.height = SIZE.height * ratio;
  context.scale(ratio * scale, ratio * scale);
  const style = getComputedStyle(canvas);
  const least = 1 / scale; // a pixel
  for (const { node, x, y } of layout.placed.values()) {
    context.fillStyle = style.getPropertyValue(node.id === root ? '--accent' : '--strong-line');
    context.fillRect(x, y, Math.max(BOX.width, least), Math.max(BOX.height, least));
  }
}

export function SmallMap({ layout, root, box }: Props): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const map = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, layout, root);
    const [scrolls, around, whole] = [box.current, frame.current, map.current];
    if (scrolls === null || around === null || whole === null) return undefined;
    const scale = scaleOf(layout);
    const follow = (): void => {
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = scrolls;
      // a picture that is in sight as a whole needs no map
      whole.hidden = layout.width <= clientWidth * 1.5 && layout.height <= clientHeight * 1.5;
      around.style.transform = `translate(${scrollLeft * scale}px, ${scrollTop * scale}px)`;
      around.style.width = `${Math.min(layout.width, clientWidth) * scale}px`;
      around.style.height = `${Math.min(layout.height, clientHeight) * scale}px`;
    };
    follow();
    scrolls.addEventListener('scroll', follow, { passive: true });
    return () => {
      scrolls.removeEventListener('scroll', follow);
    };
  }, [layout, root, box]);
  const lead = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.buttons !== 1 || box.current === null) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const scale = scaleOf(layout);
    box.current.scrollTo(
      (event.clientX - left) / scale - box.current.clientWidth / 2,
      (event.clientY - top) / scale - box.current.clientHeight / 2,
    );
  };
  return (
    <div className="small-map" aria-hidden="true" ref={map} onPointerDown={lead} onPointerMove={lead}>
      <canvas ref={canvas} />
      <div className="frame-in-sight" ref={frame} />
    </div>
  );
}
