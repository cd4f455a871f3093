// The gateway's endpoint of backups (docs/reference/backups.md#records).
import { PAGE, pageNumber } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';

const BACKUP = `id kind destination encrypted host actor status error bytes position lost_files: lostFiles
  started_at: startedAt finished_at: finishedAt restored_at: restoredAt`;

export const backupRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/backups',
    summary: 'Lists the backups that were made of this instance, newest first.',
    operation: `query listBackups($limit: Int!, $cursor: String) {
      backups(limit: $limit, cursor: $cursor) {
        backups { ${BACKUP} }
        next_cursor: nextCursor
        last_completed_at: lastCompletedAt
        archive { status archived_until: archivedUntil position reason }
      }
    }`,
    pick: 'backups',
    query: {
      limit: pageNumber({ minimum: 1, maximum: 500, default: 50 }, PAGE.limit.description),
      cursor: PAGE.cursor,
    },
    variables: ({ query }) => query,
  }),
];
