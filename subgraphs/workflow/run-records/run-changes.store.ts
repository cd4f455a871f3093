// SQL of the runs that have changed.
import type { Projects } from '../../../platform/identity.ts';
import { type ChangePage, changesSql, pageOfChanges } from '../../../platform/past/changes.ts';
import type { Changed } from '../../../platform/past/table-changes.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import type { Run } from './run.ts';
import { inProject, RUN, RUN_VISIBLE, runColumns, runsAt } from './runs.store.ts';

export interface RunChangeFilter {
  readonly trigger: string | null;
  readonly project: string | null;
}

/** Runs that have changed after a time, as they are now. */
export async function runChangesAfter(
  db: Queryable,
  projects: Projects,
  after: string,
  { trigger, project }: RunChangeFilter,
): Promise<ChangePage<Changed<Run>>> {
  const visible = RUN_VISIBLE.replaceAll('$1', '$2');
  const { rows } = await db.query<
    { readonly isEnd: boolean; readonly upto: string } & (Changed<Run> | { readonly changedAt: null })
  >(
    changesSql({
      table: RUN,
      rows: `SELECT ${instantSql('c.at')} AS "changedAt", ${runColumns('NULL')}
        FROM changed c JOIN (${runsAt(null, '')}) ON b.id = c.key
        WHERE ${visible} AND ($3::text IS NULL OR b.trigger_name = $3::text) AND ${inProject('b', '$4')}`,
    }),
    [after, projectList(projects), trigger, project],
  );
  return pageOfChanges(rows);
}
