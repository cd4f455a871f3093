// SQL of the change feed: the log from a position on, as a caller may see it.
import type { Pool } from 'pg';
import type { Identity } from '../../../platform/identity.ts';
import { instantSql } from '../../../platform/queryable.ts';
import { visibleSql } from '../entities/visibility.ts';
import { visibleEventSql } from '../provenance/visible-events.ts';
import type { FeedEvent, FeedPage, FeedSelection } from './change-feed.service.ts';

/** Positions that one page looks over, at most: what nobody asked for is passed by in steps. */
const SPAN = 20_000;

/** The position of the latest event; `0` before any. */
export async function endOfLog(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ position: string }>({ name: 'feed-end', text: 'SELECT coalesce(max(position), 0)::text AS position FROM metadata.provenance' });
  return rows[0]?.position ?? '0';
}

type Row = { readonly upto: string; readonly latest: string } & (FeedEvent | { readonly position: null })

/**
 * Events after a position, oldest first. Writers commit in the order of positions, so whatever is seen once has nothing unseen before it.
 * An entity's events are seen by those who see it now, as in its history.
 */
export async function pageOfLog(pool: Pool, after: string, { types, entityTypes, limit }: FeedSelection, identity: Pick<Identity, 'projects'>): Promise<FeedPage> {
  const params: unknown[] = [after, types, entityTypes, limit];
  const visible = `${visibleSql(identity, 'e', params)} AND ${visibleEventSql(identity, params)}`;
  const { rows } = await pool.query<Row>({
    name: identity.projects === '*' ? 'feed-page' : 'feed-page-scoped',
    text: `WITH w AS MATERIALIZED (SELECT coalesce(max(position), 0) AS latest, least(coalesce(max(position), 0), $1::bigint + ${SPAN}) AS upto FROM metadata.provenance)
      SELECT w.latest::text, w.upto::text, p.position::text, p.id::text, p.event_type AS "eventType", p.entity_id AS "entityId", p.entity_type AS "entityType", p.actor,
        ${instantSql('p.timestamp')} AS timestamp, p.schema_version AS "schemaVersion", p.context, p.payload
      FROM w LEFT JOIN LATERAL (
        SELECT p.* FROM metadata.provenance p LEFT JOIN metadata.entity e ON e.id = p.entity_id
        WHERE p.position > $1::bigint AND p.position <= w.upto AND ($2::text[] IS NULL OR p.event_type = ANY($2::text[])) AND ($3::text[] IS NULL OR p.entity_type = ANY($3::text[]))
          AND (p.entity_id IS NULL OR ${visible})
        ORDER BY p.position LIMIT $4::int) p ON true
      ORDER BY p.position`,
    values: params,
  });
  const { latest = after, upto = after } = rows[0] ?? {};
  const events = rows.filter((row): row is Row & FeedEvent => row.position !== null);
  const full = events.length === limit;
  const next = full ? events.at(-1)?.position ?? upto : BigInt(upto) > BigInt(after) ? upto : after;
  return { events, next, isEnd: !full && next === latest };
}
