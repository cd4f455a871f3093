// Where a server stands in the history of the database: how much of it its statements show.
import type { PoolClient } from 'pg';
import { BEGIN_SNAPSHOT } from './lent-connection.ts';
import type { Queryable } from '../queryable.ts';

/** How commits are told apart that one server shows and another does not: all of them are in this order. */
export interface CommitMark {
  /** SQL of the newest commit that a statement sees, as text; NULL before the first. */
  readonly newest: string;
  /** SQL of whether a statement sees the commit in parameter `$1`. */
  readonly holds: string;
}

/** Where a server stands; each statement that begins later shows all of it. */
export interface ServerStanding {
  /** The system and the database in it. */
  readonly system: string;
  readonly timeline: number;
  /** Byte of the write-ahead log; null where the server has no such place, as a primary that is a standby. */
  readonly place: string | null;
  readonly mark: string | null;
}

const SYSTEM = `(SELECT c.system_identifier || ' ' || d.oid FROM pg_control_system() c, pg_database d WHERE d.datname = current_database())`;
const place = (lsn: string): string => `pg_wal_lsn_diff(${lsn}, '0/0')::text`;
/** The file of the log begins with the timeline. */
const PRIMARY_STANDING = `SELECT ${SYSTEM} AS system,
  CASE WHEN NOT pg_is_in_recovery() THEN ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int ELSE 0 END AS timeline,
  CASE WHEN NOT pg_is_in_recovery() THEN ${place('pg_current_wal_flush_lsn()')} END AS place`;
/** Each source tells the timeline later than it is, never earlier; the receiver's is only shown to pg_read_all_stats. */
const REPLICA_STANDING = `SELECT ${SYSTEM} AS system,
  greatest((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT min_recovery_end_timeline FROM pg_control_recovery()), (SELECT received_tli FROM pg_stat_wal_receiver)) AS timeline,
  CASE WHEN pg_is_in_recovery() THEN ${place('pg_last_wal_replay_lsn()')} END AS place`;

/** Of the primary: it has acknowledged nothing beyond. */
export async function standingOf(primary: Queryable, mark: CommitMark): Promise<ServerStanding> {
  const { rows } = await primary.query<ServerStanding>({
    name: 'primary-standing',
    text: `${PRIMARY_STANDING}, ${mark.newest} AS mark`,
  });
  if (!rows[0]) throw new Error('the primary does not say where it stands');
  return rows[0];
}

/** Begins a transaction of one snapshot, and tells what it shows at least: the place is read before the snapshot. */
export async function beginAtPlace(client: PoolClient, mark: CommitMark): Promise<ServerStanding> {
  const answers = (await client.query(
    `BEGIN; ${REPLICA_STANDING}; COMMIT; ${BEGIN_SNAPSHOT}; SELECT ${mark.newest} AS mark`,
    // several statements have several results, of which pg's declarations do not tell
  )) as unknown as readonly { readonly rows: readonly Partial<ServerStanding>[] }[];
  return { ...answers[1]?.rows[0], ...answers[4]?.rows[0] } as ServerStanding; // the columns of the two statements
}

export async function showsCommit(
  primary: Queryable,
  mark: CommitMark,
  value: string | null,
): Promise<boolean> {
  if (value === null) return true;
  const { rows } = await primary.query<{ holds: boolean }>({
    name: 'primary-holds',
    text: `SELECT ${mark.holds} AS holds`,
    values: [value],
  });
  return rows[0]?.holds === true;
}

/** The same of either kind of server, without a snapshot. */
export async function standingNow(
  server: Queryable,
  is: 'primary' | 'replica',
): Promise<Omit<ServerStanding, 'mark'>> {
  const { rows } = await server.query<Omit<ServerStanding, 'mark'>>(
    is === 'primary' ? PRIMARY_STANDING : REPLICA_STANDING,
  );
  if (!rows[0]) throw new Error('the server does not say where it stands');
  return rows[0];
}
