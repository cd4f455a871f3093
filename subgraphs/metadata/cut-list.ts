// Truncated lists: the shown part and the cursor of the rest.
import type { ComponentExtensions } from '../../platform/component.ts';
import { warnOnce } from '../../platform/warnings.ts';

/** A part of a list, in order. */
export interface Cut<Item> {
  readonly items: readonly Item[];
  /** Null at the end of the list. */
  readonly nextCursor: string | null;
}

/** Splits rows that were read with a limit of one more. */
export function cut<Item>(
  rows: readonly Item[],
  limit: number,
  cursorAfter: (last: Item) => string,
): Cut<Item> {
  const items = rows.length > limit ? rows.slice(0, limit) : rows;
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorAfter(last) : null };
}

interface CutList {
  readonly name: string;
  /** The field that continues the list. */
  readonly page: string;
  /** Whether the caller chose no limit. */
  readonly isUsual: boolean;
}

/** Warns of a list that was truncated although the caller chose no limit. */
export function warnCut(
  extensions: ComponentExtensions,
  { items, nextCursor }: Cut<unknown>,
  { name, page, isUsual }: CutList,
): void {
  if (nextCursor !== null && isUsual)
    warnOnce(extensions, `${name} is cut at ${items.length}: use ${page} to get the rest by cursor`);
}

/** Reports the cursor of a plain list, which has no field for it: REST shows it in `meta`. Warns as well. */
export function tellCut(extensions: ComponentExtensions, found: Cut<unknown>, list: CutList): void {
  extensions.nextCursor = found.nextCursor;
  warnCut(extensions, found, list);
}

export const NOTHING = { items: [], nextCursor: null } as const;
