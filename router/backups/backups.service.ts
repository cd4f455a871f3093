// The records of backups for administrators (docs/reference/backups.md#records).
import type { ArchiveReport } from '../../platform/database/embedded/archive-state.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';
import { decodeCursor, instantPart, type Page, pageOf, textPart } from '../../platform/paging.ts';
import { assertAllProjects } from '../../platform/permissions.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { type BackupRow, lastCompleted, listBackups } from './backups.store.ts';

export interface BackupList extends Page<BackupRow> {
  /** When the last one that completed was begun. */
  readonly lastCompletedAt: string | null;
  /** Null where the log is not archived. */
  readonly archive: ArchiveReport | null;
}

export interface Backups {
  /** @throws DomainError `project_scope_denied` for a caller of some projects, `invalid_request` */
  list(
    query: { readonly limit: number; readonly cursor: string | null },
    caller: Identity,
  ): Promise<BackupList>;
}

const MAX_BACKUPS = 500;

/** @param archive the state of the archive of the log, where there is one */
export const createBackups = (
  db: Queryable,
  archive: (() => Promise<ArchiveReport>) | undefined,
): Backups => ({
  async list({ limit, cursor }, caller) {
    // a backup is of all projects
    assertAllProjects(caller, 'the list of backups');
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_BACKUPS)
      throw badRequest(`limit must be an integer from 1 to ${MAX_BACKUPS}`);
    const place = decodeCursor(cursor, [instantPart, textPart]);
    const after = place === null ? null : { startedAt: String(place[0]), id: String(place[1]) };
    const [rows, last, report] = await Promise.all([
      listBackups(db, after, limit + 1),
      lastCompleted(db),
      archive?.(),
    ]);
    return {
      ...pageOf(rows, limit, ({ startedAt, id }) => [startedAt, id]),
      lastCompletedAt: last?.at ?? null,
      archive: report ?? null,
    };
  },
});
