// The rows of a listing, read page by page as they are looked at: after a page that has been read by its cursor,
// elsewhere by offset. Pages far from what is looked at are dropped, so that a million rows need no more memory.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { useQuery } from '../../api/use-api.ts';
import type { Listing } from './listing.ts';
import {
  type Asked,
  askedOf,
  ENTITIES,
  FOUND,
  HITS,
  type Page,
  type Read,
  readFirst,
  readOf,
  readPage,
  type Row,
  SIZE,
} from './read-rows.ts';

/** Pages that are kept. */
const KEPT = 30;
/** Rows that are scrolled through at once: browsers end at about 17 million pixels. */
export const STRETCH = 250_000;

/** What has been read after the first page; belongs to that one, and is forgotten with it. */
interface More {
  readonly first: Read | undefined;
  readonly pages: ReadonlyMap<number, Page>;
  /** The cursor after each page that has ever been read. */
  readonly cursors: ReadonlyMap<number, string>;
  readonly fault?: ApiError;
}

const nothingAfter = (first: Read | undefined): More => ({
  first,
  pages: new Map(first === undefined ? [] : [[0, first]]),
  cursors: new Map(first?.next ? [[0, first.next]] : []),
});

function added({ first, pages, cursors }: More, index: number, page: Page): More {
  const near = [...pages, [index, page] as const]
    .filter(([other]) => other === 0 || Math.abs(other - index) < KEPT)
    .sort(([one], [other]) => Math.abs(one - index) - Math.abs(other - index));
  return {
    first,
    pages: new Map(near),
    cursors: page.next === null ? cursors : new Map(cursors).set(index, page.next),
  };
}

export interface Rows {
  /** Tells the listing from others. */
  readonly key: string;
  /** Whether the first ones are there. */
  readonly isRead: boolean;
  /** Rows that can be scrolled to. */
  readonly count: number;
  /** How many can be read; undefined for what is ranked, which ends somewhere. */
  readonly total: number | undefined;
  /** How many there are in all. */
  readonly found: number | undefined;
  /** Whether the best matches come first. */
  readonly isRanked: boolean;
  /** Whether those that can be scrolled to are all that there are, as far as is known. */
  readonly isWhole: boolean;
  /** What has been read, and is kept. */
  readonly pages: ReadonlyMap<number, Page>;
  /** Undefined for one that is not read. */
  readonly at: (index: number) => Row | undefined;
  /** Reads what is missing of the rows from one to another. */
  readonly need: (from: number, to: number) => void;
  /** Reads the first rows, apart from what is looked at. */
  readonly readFirst: (most: number, signal: AbortSignal) => Promise<readonly Row[]>;
  readonly error: ApiError | undefined;
  /** Those of an earlier listing, while this one is read. */
  readonly isStale: boolean;
  readonly reload: () => void;
}

/** The first page, which "Copy request" shows; that of an earlier listing while another is read. */
function useFirst({ isSearch, list, search }: Asked, offset: number) {
  const listed = useQuery(ENTITIES, { ...list, offset, count: 'EXACT' }, { skip: isSearch });
  const found = useQuery(FOUND, { ...search, cursor: null }, { skip: !isSearch });
  const { limit: _, ...counted } = search;
  const hits = useQuery(HITS, counted, { skip: !isSearch });
  const answer = isSearch ? found : listed;
  const { data } = answer;
  const first = useMemo<Read | undefined>(() => {
    if (data === undefined) return undefined;
    if (!('searchPage' in data)) return readOf(data.entities);
    return { rows: data.searchPage.items, next: data.searchPage.nextCursor, total: null };
  }, [data]);
  const reload = (): void => {
    answer.reload();
    hits.reload();
  };
  return {
    answer: { ...answer, error: answer.error ?? hits.error, reload },
    first,
    hits: hits.isLoading ? undefined : hits.data?.aggregate.groups[0]?.count,
  };
}

interface Work {
  readonly first: Read | undefined;
  readonly gone: AbortController;
  readonly underWay: Set<number>;
}
const workAfter = (first: Read | undefined): Work => ({
  first,
  gone: new AbortController(),
  underWay: new Set(),
});

/** The pages after the first, and a function that reads one of them. */
function useMore(asked: Asked, first: Read | undefined, start: number) {
  const [state, setState] = useState<More>(() => nothingAfter(first));
  const more = useMemo(() => (state.first === first ? state : nothingAfter(first)), [state, first]);
  const now = useRef({ more, asked, start });
  now.current = { more, asked, start };
  const work = useRef(workAfter(first));
  useEffect(
    () => () => {
      work.current.gone.abort();
    },
    [],
  );
  const read = useCallback((index: number) => {
    const { more: known, asked: what, start: begin } = now.current;
    if (work.current.first !== known.first) {
      work.current.gone.abort();
      work.current = workAfter(known.first);
    }
    const { gone, underWay } = work.current;
    const cursor = known.cursors.get(index - 1);
    if (known.pages.has(index) || underWay.has(index) || (what.isSearch && cursor === undefined)) return;
    underWay.add(index);
    const change = (to: (before: More) => More): void => {
      if (!gone.signal.aborted) setState((before) => to(before.first === known.first ? before : known));
    };
    readPage(what, begin + index * SIZE, cursor, gone.signal)
      .then(
        (page) => {
          change((before) => added(before, index, page));
        },
        (thrown: unknown) => {
          change((before) => ({ ...before, fault: asApiError(thrown) }));
        },
      )
      .finally(() => underWay.delete(index));
  }, []);
  return { more, read };
}

export function useRows(listing: Listing): Rows {
  const { at } = useAddress();
  const asked = askedOf(listing, at);
  const start = asked.isSearch ? 0 : (listing.page - 1) * STRETCH;
  const { answer, first, hits } = useFirst(asked, start);
  const { more, read } = useMore(asked, first, start);
  const need = useCallback(
    (from: number, to: number) => {
      for (let index = Math.floor(from / SIZE); index <= Math.floor(to / SIZE); index++) read(index);
    },
    [read],
  );
  const last = Math.max(...more.pages.keys(), 0);
  const end = more.pages.get(last);
  const known = last * SIZE + (end?.rows.length ?? 0) + (end?.next ? 1 : 0);
  const total = asked.isSearch ? undefined : (first?.total ?? undefined);
  const count = total === undefined ? known : Math.min(STRETCH, Math.max(0, total - start));
  return {
    key: JSON.stringify([asked, start]),
    isRead: first !== undefined,
    count,
    total,
    found: asked.isSearch ? hits : total,
    isRanked: asked.isSearch,
    isWhole: total === undefined ? !end?.next : total <= count,
    pages: more.pages,
    at: (index) => more.pages.get(Math.floor(index / SIZE))?.rows[index % SIZE],
    need,
    readFirst: (most, signal) => readFirst(asked, start, most, signal),
    error: answer.error ?? more.fault,
    isStale: answer.isLoading,
    reload: answer.reload,
  };
}
