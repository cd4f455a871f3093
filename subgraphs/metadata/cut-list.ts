// Lists that are cut say so: the cursor of what comes next, beside what is shown.
import type { ComponentExtensions } from '../../platform/component.ts';
import { warnOnce } from '../../platform/warnings.ts';

/** Some of a list, in order. */
export interface Cut<Item> {
  readonly items: readonly Item[];
  /** Null where nothing comes after them. */
  readonly nextCursor: string | null;
}

/** What is shown of rows that were asked for with a limit of one more. */
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
 * Says of a bare list, which has no room for it, what comes next: REST has it in `meta`. Where nobody chose
 * the limit, that it is cut is a warning, too.
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
