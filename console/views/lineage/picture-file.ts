// The whole picture as a file: SVG, or PNG of it.
import type { Graph } from './graph.ts';
import { BOX, curveOf, layoutOf } from './layout.ts';
import { fit, numberText } from '../../parts/text.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Signs that XML has not, and those with a meaning in it. */
const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

const COLOURS = { added: '#226a3f', removed: '#9c2b1d' } as const;

export function svgText(graph: Graph, root: string): string {
  const { width, height, placed } = layoutOf(graph);
  const lines = graph.edges.flatMap((edge) => {
    const [from, to] = [placed.get(edge.from), placed.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const colour = edge.change === undefined ? '#8a948e' : COLOURS[edge.change];
    return [
      `<path d="${curveOf(from, to)}" fill="none" stroke="${colour}"><title>${escaped(edge.by)}</title></path>`,
    ];
  });
  const boxes = [...placed.values()].map(
    ({ node: { id, type, name = id, count }, x, y }) =>
      `<g transform="translate(${x},${y})"><title>${escaped(id)}</title><rect width="${BOX.width}" height="${BOX.height}" rx="8" fill="#f6f6f3" stroke="${id === root ? '#1f6350' : '#dddfd9'}"/><text x="12" y="18" font-size="11" fill="#57615c">${escaped(fit(type, 26))}</text><text x="12" y="35" font-size="13" fill="#1b211f">${escaped(count === undefined ? fit(name, 21) : `${numberText(count)} entities`)}</text></g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif"><rect width="100%" height="100%" fill="#ffffff"/>${lines.join('')}${boxes.join('')}</svg>`;
}

/** Pixels of the longer side: browsers draw no larger pictures reliably. */
const LONGEST = 8192;

export async function pngOf(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(2, LONGEST / Math.max(image.width, image.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob === null) reject(new Error('this browser draws no picture of this size'));
        else resolve(blob);
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
