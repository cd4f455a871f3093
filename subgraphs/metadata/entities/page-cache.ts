// Cache of pages as JSON text. It is validated with every read: the statement of the page has PostgreSQL decide, in one
// snapshot, whether anything has happened to the types of the page since it was read, and only then makes the page anew
// (docs/decisions/0187-pages-are-kept.md).
import { LRUCache } from 'lru-cache';
import type { Reads } from '../../../platform/database/replicas.ts';
import { cacheCounts } from '../../../platform/metrics/cache-metrics.ts';
import { prepared } from '../../../platform/prepared.ts';
import { type Queryable, rowsAsText } from '../../../platform/queryable.ts';
import { LOG_SERVER } from '../reading/log-server.ts';
import type { PageRequest, TextPage } from '../reading/page-request.ts';
import { place } from './page-parts.ts';

/** Maximum number of characters; each page counts with its key and overhead. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const ABOUT = 600;
/** Larger pages are not cached, because they would evict too many others. */
const MAX_PAGE_CHARACTERS = 1024 * 1024;
/** Of the primary, and of the replicas that take reads. */
const MAX_SERVERS = 4;

/** With more events than this nobody looks whether they concern the types of the page: it is read anew. */
const MAX_EVENTS = 200;

const counted = cacheCounts('pages');

interface CachedPage {
  readonly page: TextPage;
  /** The server, and the log on it, that the page was read from. */
  readonly server: string;
  /** The log position at which the page was still current. */
  position: number;
}

/** A page as one row of texts. */
export interface PageTexts {
  readonly items: string | null;
  readonly more: string;
  readonly large: string;
  readonly last_keys: string | null;
}
/** The row of {@link validatingSql}: null in all columns of the page unless `changed`. */
type PageAnswer = { readonly position: string; readonly server: string } & (
  | ({ readonly changed: 't' } & PageTexts)
  | ({ readonly changed: 'f' } & Readonly<Record<keyof PageTexts, null>>)
);

/**
 * The statement of a page that makes the page only if `changed`: none is cached from this server and log, or events that
 * may concern its types came after it. What is cached stands in subqueries: if the planner knew the values it would plan
 * anew each time (like `listed` of prepared.ts).
 */
function validatingSql(
  text: string,
  cached: readonly CachedPage[],
  types: PageRequest['types'],
  params: unknown[],
): string {
  const servers = place(
    params,
    cached.map(({ server }) => server),
    'text[]',
  );
  const positions = place(
    params,
    cached.map(({ position }) => position),
    'bigint[]',
  );
  const ofTypes =
    types === null
      ? ''
      : ` WHERE p.entity_type IS NULL OR p.entity_type = ANY((SELECT ${place(params, types, 'text[]')})::text[])`;
  return `WITH n AS MATERIALIZED (
      SELECT s.position, s.server, s.since IS NULL OR s.position - s.since > ${MAX_EVENTS}
        OR EXISTS (SELECT FROM
          (SELECT p.entity_type FROM metadata.provenance p WHERE p.position > s.since ORDER BY p.position DESC LIMIT ${MAX_EVENTS}) p${ofTypes}) AS changed
      FROM (SELECT r.*, (SELECT ${positions})[array_position((SELECT ${servers}), r.server)] AS since
        FROM (SELECT coalesce((SELECT p.position FROM metadata.provenance p ORDER BY p.position DESC LIMIT 1), 0) AS position,
          ${LOG_SERVER} AS server OFFSET 0) r OFFSET 0) s)
    SELECT n.position, n.server, n.changed, t.* FROM n LEFT JOIN (SELECT * FROM (${text}) t WHERE (SELECT changed FROM n) OFFSET 0) t ON true`;
}

/** Whether pages of the request are cached: first pages of the present, with one plan, of callers who may see everything. */
export const isCached = ({ conditions, at, after, identity }: PageRequest, isSteady: boolean): boolean =>
  // how long an answer takes tells whether anything has happened, also in projects that a caller cannot see
  isSteady && conditions.length === 0 && at === null && after === null && identity.projects === '*';

export interface PageStatement {
  readonly text: string;
  readonly values: unknown[];
  readonly types: PageRequest['types'];
}

export const textPageOf = ({ items, more, large, last_keys }: PageTexts): TextPage => ({
  items,
  more: more === 't',
  isLarge: large === 't',
  lastKeys: last_keys,
});

export class PageCache {
  /** By statement and values: one of each server that has answered it. */
  readonly #pages = new LRUCache<string, readonly CachedPage[]>({
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_SERVERS * MAX_PAGE_CHARACTERS,
    sizeCalculation: (pages, key) =>
      pages.reduce((sum, { page }) => sum + (page.items?.length ?? 0) + ABOUT, key.length),
  });

  /**
   * The page of a statement (see {@link isCached}).
   * @param key of the statement and its values: what the page depends on beside the log
   * @param statement of the page
   * @param reads as {@link Reads}
   */
  async read(
    key: string,
    statement: (on: Queryable) => Promise<PageStatement>,
    reads: Reads,
  ): Promise<TextPage> {
    const cached = this.#pages.get(key) ?? [];
    const { rows } = await reads(async (on) => {
      const { text, values, types } = await statement(on);
      const params = [...values];
      return on.query<PageAnswer>({
        ...prepared(validatingSql(text, cached, types, params), params),
        types: rowsAsText,
      });
    });
    const [answer] = rows;
    if (!answer) throw new Error('the statement of a page returned no row');
    const { server } = answer;
    const position = Number(answer.position);
    if (answer.changed === 'f') {
      const known = cached.find((one) => one.server === server);
      if (known === undefined) throw new Error('a page that was not known has not changed');
      counted.hits++;
      known.position = Math.max(known.position, position);
      return known.page;
    }
    counted.misses++;
    const page = textPageOf(answer);
    const others = this.#pages.get(key) ?? [];
    const newer = others.some((one) => one.server === server && one.position > position); // answered before this one
    if (!newer && (page.items?.length ?? 0) <= MAX_PAGE_CHARACTERS)
      this.#pages.set(
        key,
        [{ page, server, position }, ...others.filter((one) => one.server !== server)].slice(0, MAX_SERVERS),
      );
    return page;
  }
}
