// SQL of the artifact component's gauges: by the index of what is under way, and by counts that are kept.
import type { Queryable } from '../../../platform/queryable.ts';

const MOST = 10_000;

export interface ArtifactState {
  readonly queued: number;
  readonly running: number;
  readonly oldestSeconds: number;
  readonly revision: number;
  readonly files: number;
  readonly bytes: number;
  /** Changes of the totals that are not added up yet. */
  readonly changes: number;
}

export async function readArtifactState(db: Queryable): Promise<ArtifactState> {
  const { rows } = await db.query<ArtifactState>({
    name: 'metrics-artifact',
    text: `WITH under_way AS (SELECT status, requested_at FROM artifact.production WHERE status IN ('queued', 'running') ORDER BY requested_at, id LIMIT ${MOST})
      SELECT u.queued, u.running, u."oldestSeconds", coalesce((SELECT max(revision) FROM artifact.rule_revision), 0)::float8 AS revision,
        s.files, s.bytes, s.changes
      FROM (SELECT count(*) FILTER (WHERE status = 'queued')::float8 AS queued, count(*) FILTER (WHERE status = 'running')::float8 AS running,
          coalesce(extract(epoch FROM clock_timestamp() - min(requested_at) FILTER (WHERE status = 'queued')), 0)::float8 AS "oldestSeconds" FROM under_way) u,
        (SELECT coalesce(sum(files), 0)::float8 AS files, coalesce(sum(bytes), 0)::float8 AS bytes, count(*)::float8 AS changes FROM artifact.store_total) s`,
  });
  return rows[0] ?? { queued: 0, running: 0, oldestSeconds: 0, revision: 0, files: 0, bytes: 0, changes: 0 };
}

/** Changes that are added up at one time. */
const AT_ONCE = 10_000;

/** Adds up changes of the totals; those that somebody else adds up at that time are left to them. */
export async function addUpStore(db: Queryable): Promise<void> {
  await db.query(
    `WITH old AS (DELETE FROM artifact.store_total WHERE id IN (SELECT id FROM artifact.store_total ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING files, bytes)
     INSERT INTO artifact.store_total (files, bytes) SELECT sum(files), sum(bytes) FROM old HAVING count(*) > 0`,
  );
}
