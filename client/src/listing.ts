// A list that is longer than a page: read through, page by page, or as a whole.

export interface PageRequest {
  /** 1 to 1000. */
  readonly limit: number;
  /** `nextCursor` of the page before; undefined for the first. */
  readonly cursor: string | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

const PAGE_SIZE = 200;

/** Nothing is asked of the server before it is read, and each reading asks anew. */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #read: (request: PageRequest) => Promise<Page<Item>>;
  readonly #pageSize: number;

  constructor(read: (request: PageRequest) => Promise<Page<Item>>, pageSize: number = PAGE_SIZE) {
    this.#read = read;
    this.#pageSize = pageSize;
  }

  /** One page. Its `nextCursor` leads to the next, here or in another process. */
  page({
    limit = this.#pageSize,
    cursor,
  }: { readonly limit?: number | undefined; readonly cursor?: string | null | undefined } = {}): Promise<
    Page<Item>
  > {
    return this.#read({ limit, cursor: cursor ?? undefined });
  }

  /** The first item; null where there is none. */
  async first(): Promise<Item | null> {
    const {
      items: [item],
    } = await this.page({ limit: 1 });
    return item ?? null;
  }

  /** Everything, in memory. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  /** Page after page, each asked for when the one before has been read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.page({ cursor });
      yield* page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
