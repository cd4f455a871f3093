// The statements on gateway.portal_session: who is signed in at the portal's pages, held by us, named by a
// cookie we know only the hash of.
import type { Identity, Role } from '../../platform/identity.ts';
import type { Queryable } from '../../platform/queryable.ts';

/** Wrong device codes after which a session may enter no more (docs/reference/gateway.md#user-codes). */
export const MAX_WRONG_ENTRIES = 5;

export interface NewSession {
  readonly hash: Buffer;
  /** The session that this one takes the place of. */
  readonly replaces: Buffer | null;
  readonly identity: Identity;
  /** A local account: its roles and projects count as they are at each moment. */
  readonly isLocal: boolean;
  /** Seconds that it lives, whatever is done in it. */
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

/** Whose session it is, with the rights of this moment; undefined where it has ended, or the account has. */
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
 * Takes one of the session's entries before the code is looked at: of many at once none goes uncounted. False
 * where none is left.
 */
async function takeEntry(db: Queryable, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE gateway.portal_session SET wrong_entries = wrong_entries + 1 WHERE hash = $1 AND wrong_entries < ${MAX_WRONG_ENTRIES}`,
    [hash],
  );
  return rowCount === 1;
}

/** The entry was right. */
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
