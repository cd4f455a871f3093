// A plan as a tree: what each entity is, and why it is reused, fetched or built.
import { isObject } from '../platform/json-object.ts';
import type { Json } from './api.ts';
import { type Paint, printable } from './output.ts';

const COLOUR = { reuse: 'green', fetch: 'yellow', build: 'yellow' } as const;

function heading(paint: Paint, node: Json): string {
  const decision = String(node['decision']);
  const name = isObject(node['criteria'])
    ? Object.entries(node['criteria'])
        .map(([field, value]) => `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(' ')
    : '';
  const what = printable(`${String(node['entity_type'])} ${name}`.trimEnd());
  const colour = Object.hasOwn(COLOUR, decision) ? COLOUR[decision as keyof typeof COLOUR] : 'bold'; // a key
  const again = node['repeated'] === true ? paint.dim(' (as above)') : '';
  return `${paint[colour](decision)} ${what}${again}`;
}

/**
 * One line for each node and one for its reason; what a node requires is below it.
 * @param plan a node of a plan (docs/reference/artifact.md#plans)
 */
export function planTree(paint: Paint, plan: unknown): string {
  const lines: string[] = [];
  const add = (node: unknown, first: string, others: string): void => {
    if (!isObject(node)) return;
    lines.push(first + heading(paint, node));
    const required = Array.isArray(node['requires']) ? node['requires'] : [];
    if (typeof node['reason'] === 'string')
      lines.push(
        `${others}${required.length > 0 ? '│ ' : '  '}${paint.dim(printable(node['reason']).replaceAll('\n', ' '))}`,
      );
    for (const [i, one] of required.entries()) {
      const isLast = i === required.length - 1;
      add(one, `${others}${isLast ? '└─ ' : '├─ '}`, `${others}${isLast ? '   ' : '│  '}`);
    }
  };
  add(plan, '', '');
  return lines.join('\n');
}
