// The statements on gateway.portal_session: sessions of the portal's pages, identified by the hash of a
// cookie.
import type { Identity, Role } from '../../platform/identity.ts';
import type { Queryable } from '../../platform/queryable.ts';

/** Wrong user codes after which a session may enter no more (docs/reference/gateway.md#user-codes). */
export const MAX_WRONG_ENTRIES = 5;

export interface NewSession {
  readonly hash: Buffer;
  /** The session that it replaces. */
  readonly replaces: Buffer | null;
  readonly identity: Identity;
  /** A local account: its current roles and projects apply. */
  readonly isLocal: boolean;
  /** Lifetime in seconds, independent of its use. */
  readonly life: number;
}

async function insertSession(
  db: Queryable,
  { hash, replaces, identity: { actor, roles, projects }, isLocal, life }: NewSession,
): Promise<void> {
  await db.query(
    `WITH replaced AS (DELETE FROM gateway.portal_session WHERE hash = $2::bytea)
     INSERT INTO gateway.portal_session (hash, actor, is_local, roles, projects, expires_at) VALUES ($1, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
    [hash, replaces, actor, isLocal, roles, projects === '*' ? null : projects, life],
  );
}

/** The session's identity with its current rights; undefined if the session or the account has ended. */
async function findSession(db: Queryable, hash: Buffer): Promise<Identity | undefined> {
  const { rows } = await db.query<{ actor: string; roles: Role[]; projects: string[] | null }>(
    `SELECT s.actor, CASE WHEN s.is_local THEN u.roles ELSE s.roles END AS roles,
       CASE WHEN NOT s.is_local THEN s.projects WHEN u.all_projects THEN NULL ELSE u.projects END AS projects
     FROM gateway.portal_session s LEFT JOIN gateway.gateway_user u ON s.is_local AND s.actor = 'user:' || u.name
     WHERE s.hash = $1 AND s.expires_at > now() AND (NOT s.is_local OR (u.name IS NOT NULL AND u.disabled_at IS NULL))`,
    [hash],
  );
  const [row] = rows;
  return row === undefined
    ? undefined
    : { actor: row.actor, roles: row.roles, projects: row.projects ?? '*' };
}

async function deleteSession(db: Queryable, hash: Buffer): Promise<void> {
  await db.query('DELETE FROM gateway.portal_session WHERE hash = $1', [hash]);
}

/**
 * Consumes one of the session's attempts before the code is checked, so that concurrent attempts all count.
 * False if none is left.
 */
async function takeEntry(db: Queryable, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE gateway.portal_session SET wrong_entries = wrong_entries + 1 WHERE hash = $1 AND wrong_entries < ${MAX_WRONG_ENTRIES}`,
    [hash],
  );
  return rowCount === 1;
}

/** Returns the attempt after a correct code. */
async function giveEntryBack(db: Queryable, hash: Buffer): Promise<void> {
  await db.query(
    'UPDATE gateway.portal_session SET wrong_entries = greatest(wrong_entries - 1, 0) WHERE hash = $1',
    [hash],
  );
}

async function hasLocalAccount(db: Queryable, name: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    'SELECT EXISTS (SELECT FROM gateway.gateway_user WHERE name = $1) AS found',
    [name],
  );
  return rows[0]?.found === true;
}

async function sweepSessions(db: Queryable): Promise<void> {
  await db.query('DELETE FROM gateway.portal_session WHERE expires_at < now()');
}

export const createPortalSessionStore = (db: Queryable) => ({
  insert: (session: NewSession) => insertSession(db, session),
  find: (hash: Buffer) => findSession(db, hash),
  delete: (hash: Buffer) => deleteSession(db, hash),
  takeEntry: (hash: Buffer) => takeEntry(db, hash),
  giveEntryBack: (hash: Buffer) => giveEntryBack(db, hash),
  hasLocalAccount: (name: string) => hasLocalAccount(db, name),
  sweep: () => sweepSessions(db),
});
export type PortalSessionStore = ReturnType<typeof createPortalSessionStore>;
