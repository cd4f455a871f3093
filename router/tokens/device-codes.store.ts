// The statements on gateway.device_code, except redemption, which creates tokens (tokens.store.ts).
import type { Projects, Role } from '../../platform/identity.ts';
import { projectList, type Queryable } from '../../platform/queryable.ts';

export interface NewDeviceCode {
  readonly hash: Buffer;
  readonly userCode: string;
  readonly clientId: string;
  readonly intervalSeconds: number;
  readonly lifeSeconds: number;
}

/** False if the user code is in use. */
async function insertDeviceCode(db: Queryable, code: NewDeviceCode): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO gateway.device_code (hash, user_code, client_id, interval_seconds, status, expires_at)
     VALUES ($1, $2, $3, $4, 'pending', clock_timestamp() + make_interval(secs => $5)) ON CONFLICT (user_code) DO NOTHING`,
    [code.hash, code.userCode, code.clientId, code.intervalSeconds, code.lifeSeconds],
  );
  return rowCount === 1;
}

export interface Poll {
  readonly status: 'pending' | 'approved' | 'denied' | 'redeemed';
  readonly expired: boolean;
  /** It polled before the interval had passed; the interval is now five seconds longer. */
  readonly early: boolean;
}

/**
 * Records a poll of the client; undefined for an unknown code, or another client's. Concurrent polls count
 * individually.
 */
async function notePoll(db: Queryable, hash: Buffer, clientId: string): Promise<Poll | undefined> {
  const { rows } = await db.query<Poll>(
    `WITH before AS (
       SELECT hash, status, expires_at <= clock_timestamp() AS expired,
         coalesce(last_polled_at > clock_timestamp() - make_interval(secs => interval_seconds), false) AS early
       FROM gateway.device_code WHERE hash = $1 AND client_id = $2 FOR UPDATE),
     noted AS (
       UPDATE gateway.device_code d SET last_polled_at = clock_timestamp(), interval_seconds = d.interval_seconds + CASE WHEN before.early THEN 5 ELSE 0 END
       FROM before WHERE d.hash = before.hash AND before.status = 'pending' AND NOT before.expired)
     SELECT status, expired, early FROM before`,
    [hash, clientId],
  );
  return rows[0];
}

/** The request shown to the user who typed a code. */
export interface PendingDevice {
  readonly userCode: string;
  readonly clientId: string;
}

async function findPending(db: Queryable, userCode: string): Promise<PendingDevice | undefined> {
  const { rows } = await db.query<PendingDevice>(
    `SELECT user_code AS "userCode", client_id AS "clientId" FROM gateway.device_code WHERE user_code = $1 AND status = 'pending' AND expires_at > now()`,
    [userCode],
  );
  return rows[0];
}

export interface Decider {
  readonly actor: string;
  readonly roles: readonly Role[];
  readonly projects: Projects;
}

/** Approves on behalf of a user; false if it is already decided or has expired. */
async function approve(
  db: Queryable,
  userCode: string,
  { actor, roles, projects }: Decider,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE gateway.device_code SET status = 'approved', actor = $2, roles = $3, projects = $4
     WHERE user_code = $1 AND status = 'pending' AND expires_at > clock_timestamp()`,
    [userCode, actor, roles, projectList(projects)],
  );
  return rowCount === 1;
}

async function deny(db: Queryable, userCode: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE gateway.device_code SET status = 'denied' WHERE user_code = $1 AND status = 'pending' AND expires_at > clock_timestamp()`,
    [userCode],
  );
  return rowCount === 1;
}

export const createDeviceCodeStore = (db: Queryable) => ({
  insert: (code: NewDeviceCode) => insertDeviceCode(db, code),
  notePoll: (hash: Buffer, clientId: string) => notePoll(db, hash, clientId),
  findPending: (userCode: string) => findPending(db, userCode),
  approve: (userCode: string, by: Decider) => approve(db, userCode, by),
  deny: (userCode: string) => deny(db, userCode),
});
export type DeviceCodeStore = ReturnType<typeof createDeviceCodeStore>;
