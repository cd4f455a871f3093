// SQL of the productions that have changed.
import type { Projects } from '../../../platform/identity.ts';
import { type ChangePage, changesSql, pageOfChanges } from '../../../platform/past/changes.ts';
import type { Changed } from '../../../platform/past/table-changes.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import { PRODUCTION, productionsAt } from '../past/past-productions.ts';
import { PRODUCTION_VISIBLE, productionColumns } from './productions.store.ts';
import type { Production } from './production.ts';

export interface ProductionChangeFilter {
  readonly entityType: string | null;
  readonly project: string | null;
}

/** Productions that have changed after a time, as they are now; not those of which only the log has grown. */
export async function productionChangesAfter(
  db: Queryable,
  projects: Projects,
  after: string,
  { entityType, project }: ProductionChangeFilter,
): Promise<ChangePage<Changed<Production>>> {
  const { rows } = await db.query<
    { readonly isEnd: boolean; readonly upto: string } & (Changed<Production> | { readonly changedAt: null })
  >(
    changesSql({
      table: PRODUCTION,
      matters: `p.state IS NULL OR p.state - 'log_cut' <> '{}'`,
      rows: `SELECT ${instantSql('c.at')} AS "changedAt", ${productionColumns('NULL')}
        FROM changed c JOIN (${productionsAt(null, '')}) ON b.id = c.key
        WHERE ${PRODUCTION_VISIBLE.replaceAll('$1', '$2')} AND ($3::text IS NULL OR p.entity_type = $3::text)
          AND ($4::text IS NULL OR $4::text IN (SELECT artifact.production_projects(p.criteria, p.plan)))`,
    }),
    [after, projectList(projects), entityType, project],
  );
  return pageOfChanges(rows);
}

/** When a production changed last, its log included. */
export async function changeOf(db: Queryable, id: string): Promise<string | null> {
  const { rows } = await db.query<{ at: string | null }>(
    `SELECT ${instantSql('max(s.until)')} AS at FROM artifact.past_state s WHERE s.relation = 'production' AND s.key = $1 COLLATE "C"`,
    [id],
  );
  return rows[0]?.at ?? null;
}
