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

/**
 * Reports the cursor of a plain list, which has no field for it: REST shows it in `meta`. If the caller chose
 * no limit, the truncation is a warning, too.
 */
export function tellCut(
  extensions: ComponentExtensions,
  { items, nextCursor }: Cut<unknown>,
  list: { readonly name: string; readonly page: string; readonly isUsual: boolean },
): void {
  extensions.nextCursor = nextCursor;
  if (nextCursor !== null && list.isUsual)
    warnOnce(extensions, `${list.name} is cut at ${items.length}: ${list.page} goes on by cursor`);
}

export const NOTHING = { items: [], nextCursor: null } as const;
