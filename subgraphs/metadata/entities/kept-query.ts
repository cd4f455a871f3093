// The statement that reads entities by id beside those that are cached.
import type { QueryConfig } from 'pg';
import type { Identity } from '../../../platform/identity.ts';
import { listed } from '../../../platform/prepared.ts';
import { rowsAsText } from '../../../platform/queryable.ts';
import { visibleSql } from '../reading/visibility.ts';
import { type ChangeSet, changeSetSql } from './entity-cache.ts';
import { PACKED_ENTITIES_SQL, PACKS_SQL } from './packed-entities.ts';
import { EVENTS } from './page-sql.ts';

export function manySql(identity: Identity, params: unknown[], more = ''): string {
  return `SELECT ${PACKED_ENTITIES_SQL}${more} FROM metadata.entity e ${EVENTS} WHERE e.id = ANY(${listed(1)}) AND ${visibleSql(identity, 'e', params)} ${PACKS_SQL}`;
}

/** A pack, or the change set in one row. */
export type KeptRow =
  | ({ readonly packed: string } & Readonly<Record<keyof ChangeSet, null>>)
  | ({ readonly packed: null } & ChangeSet);

export function newsAmong(rows: readonly KeptRow[]): ChangeSet {
  const news = rows.find((row) => row.packed === null);
  if (!news) throw new Error('the statement returned no changes');
  return news;
}

const NEWS_ALONE = `SELECT NULL AS packed, ${changeSetSql(1)}`;

/** Entities that are not cached, and the changes since the position. */
export function keptQuery(lacking: readonly string[], since: number, identity: Identity): QueryConfig {
  if (lacking.length === 0)
    return { name: 'entities-changes', text: NEWS_ALONE, values: [since], types: rowsAsText };
  const values: unknown[] = [lacking, since];
  const text = `${manySql(identity, values, ', NULL AS changes, NULL AS server')} UNION ALL SELECT NULL, ${changeSetSql(2)}`;
  return {
    name: `entities-kept-${identity.projects === '*' ? 'all' : 'scoped'}`,
    text,
    values,
    types: rowsAsText,
  };
}
