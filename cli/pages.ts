// Reads lists page by page, in the three shapes in which the API answers them.
import { isObject } from '../platform/json-object.ts';
import { type Api, type ApiRequest, type Json, rows } from './api.ts';

/** Where an answer has its items, and the cursor of the next page. */
export interface PageShape {
  readonly items: (answer: unknown) => readonly Json[];
  readonly next: (answer: unknown) => unknown;
  /** What is printed as JSON: an answer with these items and this cursor. */
  readonly result: (answer: unknown, items: readonly Json[], next: string | null) => unknown;
}

const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** `{<name>: [...], next_cursor}`, as gateway, workflow and artifact answer. */
export const namedPage = (name: string): PageShape => ({
  items: (answer) => rows(answer, name),
  next: (answer) => fieldOf(answer, 'next_cursor'),
  result: (answer, items, next) => ({
    ...(isObject(answer) ? answer : {}),
    [name]: items,
    ...(fieldOf(answer, 'next_cursor') === undefined ? {} : { next_cursor: next }),
  }),
});

const inData = ({ items, next, result }: PageShape): PageShape => ({
  items: (answer) => items(fieldOf(answer, 'data')),
  next: (answer) => next(fieldOf(answer, 'data')),
  result: (answer, ...rest) => result(fieldOf(answer, 'data'), ...rest),
});

/** Metadata's envelope around `{items, next_cursor, …}`. */
export const ITEMS: PageShape = inData(namedPage('items'));

/** Metadata's envelope around a list. */
export const LIST: PageShape = {
  items: (answer) => rows(fieldOf(answer, 'data')),
  next: (answer) => fieldOf(fieldOf(answer, 'meta'), 'next_cursor'),
  result: (_, items) => items,
};

export interface Pages {
  /** For `-o json`: the last answer, with the items of all pages that were read. */
  readonly answer: unknown;
  readonly items: readonly Json[];
  /** The cursor of the page after the last one that was read; null where there is none. */
  readonly next: string | null;
}

/** Reads the first page, or with `--all` every page. */
export async function readPages(
  api: Api,
  request: ApiRequest,
  shape: PageShape,
  { all = false }: { readonly all?: boolean },
): Promise<Pages> {
  const items: Json[] = [];
  for (let query = request.query ?? {}; ;) {
    const page = await api.call({ ...request, query });
    items.push(...shape.items(page));
    const cursor = shape.next(page);
    const next = typeof cursor === 'string' ? cursor : null;
    if (!all || next === null) return { answer: shape.result(page, items, next), items, next };
    query = { ...request.query, offset: undefined, cursor: next };
  }
}

/** The line below a page that has a successor. */
export const moreBelow = ({ next }: Pages): string | undefined =>
  next === null ? undefined : `more: --all, or --cursor ${next}`;
