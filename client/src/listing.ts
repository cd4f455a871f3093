// Reads lists that are longer than a page: item by item, page by page, or as a whole.

export interface PageRequest {
  /** 1 to 1000. */
  readonly limit: number;
  /** `nextCursor` of the previous page; undefined for the first page. */
  readonly cursor: string | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

const PAGE_SIZE = 200;

/** Requests are sent only when the list is read. Each iteration sends new requests. */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #read: (request: PageRequest) => Promise<Page<Item>>;
  readonly #pageSize: number;

  constructor(read: (request: PageRequest) => Promise<Page<Item>>, pageSize: number = PAGE_SIZE) {
    this.#read = read;
    this.#pageSize = pageSize;
  }

  /** Reads one page. Its `nextCursor` leads to the next page, also in another process. */
  page({
    limit = this.#pageSize,
    cursor,
  }: { readonly limit?: number | undefined; readonly cursor?: string | null | undefined } = {}): Promise<
    Page<Item>
  > {
    return this.#read({ limit, cursor: cursor ?? undefined });
  }

  /** Returns the first item; null where there is none. */
  async first(): Promise<Item | null> {
    const {
      items: [item],
    } = await this.page({ limit: 1 });
    return item ?? null;
  }

  /** Reads all items into memory. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  /** Reads page by page; requests a page when the previous one was consumed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.page({ cursor });
      yield* page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
