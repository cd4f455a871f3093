// What differs between two definitions of a type.
import { schemaDifferences } from '../platform/schema-differences.ts';
import type { Json } from './api.ts';
import { type Paint, printable } from './output.ts';

export interface Difference {
  readonly change: 'added' | 'removed' | 'changed';
  /** A property of the definition, or `fields.` or `rules.` and a name. */
  readonly what: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const CHANGES = { ADDED: 'added', REMOVED: 'removed', CHANGED: 'changed' } as const;

/** What differs between two definitions: properties of the type, its fields and its rules. */
export const definitionDifferences = (before: Json, after: Json): readonly Difference[] =>
  schemaDifferences(before, after, 'name').map(({ path, kind, before: was, after: is }) => ({
    change: CHANGES[kind],
    what: path.join('.'),
    ...(kind === 'ADDED' ? {} : { before: was }),
    ...(kind === 'REMOVED' ? {} : { after: is }),
  }));

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
const COLOURS = { added: 'green', removed: 'red', changed: 'yellow' } as const;

/** One difference as a line for people. */
export function differenceLine(paint: Paint, { change, what, before, after }: Difference): string {
  const text = (value: unknown): string => printable(JSON.stringify(value));
  const values = [before, after].filter((value) => value !== undefined).map(text);
  return `${paint[COLOURS[change]](`${SIGNS[change]} ${printable(what)}`)}  ${values.join(' → ')}`;
}
