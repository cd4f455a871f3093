// Cache of pages as JSON text. It is validated with every read: the statement of the page has PostgreSQL decide, in one
// snapshot, whether anything has happened to the types of the page since it was read, and only then makes the page anew
// (docs/decisions/0187-pages-are-kept.md).
import { LRUCache } from 'lru-cache';
import type { Reads } from '../../../platform/database/replicas.ts';
import { cacheCounts } from '../../../platform/metrics/cache-metrics.ts';
import { prepared } from '../../../platform/prepared.ts';
import { rowsAsText } from '../../../platform/queryable.ts';
import { LOG_SERVER } from '../reading/log-server.ts';
import type { PageRequest, TextPage } from '../reading/page-request.ts';
import { place } from './page-parts.ts';

/** Maximum number of characters; each page counts with its key and overhead. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const ABOUT = 600;

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
 * The statement of a page that makes the page only if `changed`: none is cached, it is from another server or log, or
 * events that may concern its types came after it. What is cached stands in subqueries: if the planner knew the values
 * it would plan anew each time (like `listed` of prepared.ts).
 */
function validatingSql(
  text: string,
  cached: CachedPage | undefined,
  types: PageRequest['types'],
  params: unknown[],
): string {
  const since = place(params, cached?.position ?? null, 'bigint');
  const server = place(params, cached?.server ?? null, 'text');
  const ofTypes =
    types === null
      ? ''
      : ` WHERE p.entity_type IS NULL OR p.entity_type = ANY((SELECT ${place(params, types, 'text[]')})::text[])`;
  return `WITH n AS MATERIALIZED (
      SELECT s.*, s.since IS NULL OR s.server <> s.known OR s.position - s.since > ${MAX_EVENTS}
        OR EXISTS (SELECT FROM
          (SELECT p.entity_type FROM metadata.provenance p WHERE p.position > s.since ORDER BY p.position DESC LIMIT ${MAX_EVENTS}) p${ofTypes}) AS changed
      FROM (SELECT coalesce((SELECT p.position FROM metadata.provenance p ORDER BY p.position DESC LIMIT 1), 0) AS position,
        ${LOG_SERVER} AS server, (SELECT ${since}) AS since, (SELECT ${server}) AS known OFFSET 0) s)
    SELECT n.position, n.server, n.changed, t.* FROM n LEFT JOIN (SELECT * FROM (${text}) t WHERE (SELECT changed FROM n) OFFSET 0) t ON true`;
}

export interface PageStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly types: PageRequest['types'];
}

export const textPageOf = ({ items, more, large, last_keys }: PageTexts): TextPage => ({
  items,
  more: more === 't',
  isLarge: large === 't',
  lastKeys: last_keys,
});

export class PageCache {
  readonly #pages = new LRUCache<string, CachedPage>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ page }, key) => (page.items?.length ?? 0) + key.length + ABOUT,
  });

  /**
   * The page of a statement without conditions of the present ({@link PageSql.isSteady}).
   * @param key the statement and its values: what the page depends on beside the log
   * @param reads as {@link Reads}
   */
  async read(key: string, { text, values, types }: PageStatement, reads: Reads): Promise<TextPage> {
    const cached = this.#pages.get(key);
    const params = [...values];
    const query = { ...prepared(validatingSql(text, cached, types, params), params), types: rowsAsText };
    const { rows } = await reads((on) => on.query<PageAnswer>(query));
    const [answer] = rows;
    if (!answer) throw new Error('the statement of a page returned no row');
    const position = Number(answer.position);
    if (answer.changed === 'f') {
      if (cached === undefined) throw new Error('a page that was not known has not changed');
      counted.hits++;
      cached.position = Math.max(cached.position, position);
      return cached.page;
    }
    counted.misses++;
    const read = { page: textPageOf(answer), server: answer.server, position };
    const other = this.#pages.get(key); // of a statement that was sent later, and answered earlier
    if (other === undefined || other.server !== read.server || other.position <= position)
      this.#pages.set(key, read);
    return read.page;
  }
}
