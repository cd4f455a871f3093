// The statements on gateway.portal_session: sessions of the portal's pages, identified by the hash of a
// cookie.
import type { Identity, Role } from '../../platform/identity.ts';
import { projectList, type Queryable } from '../../platform/queryable.ts';
import { credentialOfAccount, credentialOfKey } from '../acting/credential.ts';

/** Wrong user codes after which a session may enter no more (docs/reference/gateway.md#user-codes). */
const MAX_WRONG_ENTRIES = 5;

export interface NewSession {
  readonly hash: Buffer;
  /** The session that it replaces. */
  readonly replaces: Buffer | null;
  readonly identity: Identity;
  /** A local account: its current roles and projects apply. */
  readonly isLocal: boolean;
  /** The API key that opened it, with which it ends; null for a sign-in of its own. */
  readonly keyId: string | null;
  /** Lifetime in seconds, independent of its use. */
  readonly life: number;
}

async function insertSession(
  db: Queryable,
  { hash, replaces, identity: { actor, roles, projects }, isLocal, keyId, life }: NewSession,
): Promise<void> {
  await db.query(
    `WITH replaced AS (DELETE FROM gateway.portal_session WHERE hash = $2::bytea)
     INSERT INTO gateway.portal_session (hash, actor, is_local, roles, projects, key_id, expires_at) VALUES ($1, $3, $4, $5, $6, $8, now() + make_interval(secs => $7))`,
    [hash, replaces, actor, isLocal, roles, projectList(projects), life, keyId],
  );
}

interface SessionRow {
  actor: string;
  roles: Role[];
  projects: string[] | null;
  key_id: string | null;
  is_local: boolean;
}

/**
 * What later work for the caller is checked by: not the session, because signing out ends nothing that was
 * begun. Undefined for accounts of the identity provider, whose rights are only known at sign-in.
 */
function credentialOfSession({ actor, key_id: keyId, is_local: isLocal }: SessionRow): string | undefined {
  if (keyId !== null) return credentialOfKey(keyId);
  return isLocal ? credentialOfAccount(actor.slice('user:'.length)) : undefined;
}

/**
 * The session's identity with its current rights; undefined if the session, its account or its key has ended.
 */
async function findSession(db: Queryable, hash: Buffer): Promise<Identity | undefined> {
  const { rows } = await db.query<SessionRow>(
    `SELECT s.actor, CASE WHEN s.is_local THEN u.roles ELSE s.roles END AS roles,
       CASE WHEN NOT s.is_local THEN s.projects WHEN u.all_projects THEN NULL ELSE u.projects END AS projects,
       s.key_id, s.is_local
     FROM gateway.portal_session s LEFT JOIN gateway.gateway_user u ON s.is_local AND s.actor = 'user:' || u.name
       LEFT JOIN gateway.api_key k ON k.id = s.key_id
     WHERE s.hash = $1 AND s.expires_at > now() AND (NOT s.is_local OR (u.name IS NOT NULL AND u.disabled_at IS NULL))
       AND (s.key_id IS NULL OR (k.revoked_at IS NULL AND coalesce(k.expires_at > now(), k.id IS NOT NULL)))`,
    [hash],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const credential = credentialOfSession(row);
  return {
    actor: row.actor,
    roles: row.roles,
    projects: row.projects ?? '*',
    ...(credential === undefined ? {} : { credential }),
  };
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
