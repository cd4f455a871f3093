// The statements on gateway.sign_in_link: links that sign a browser in, once.
import type { Identity, Role } from '../../platform/identity.ts';
import { projectList, type Queryable } from '../../platform/queryable.ts';

/** Seconds for which a link is valid. */
export const LINK_SECONDS = 600;

/** What a session is opened with. */
export interface Opening {
  readonly identity: Identity;
  /** A local account: its current roles and projects apply. */
  readonly isLocal: boolean;
  /** The API key that asked for the session: the session ends with it. */
  readonly keyId: string | null;
}

async function insertLink(
  db: Queryable,
  hash: Buffer,
  { identity: { actor, roles, projects }, isLocal, keyId }: Opening,
): Promise<void> {
  await db.query(
    `INSERT INTO gateway.sign_in_link (hash, actor, is_local, roles, projects, key_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => ${LINK_SECONDS}))`,
    [hash, actor, isLocal, roles, projectList(projects), keyId],
  );
}

interface LinkRow {
  actor: string;
  is_local: boolean;
  roles: Role[];
  projects: string[] | null;
  key_id: string | null;
}

/** Consumes the link: of concurrent uses exactly one gets it. Undefined if it is unknown, used or expired. */
async function takeLink(db: Queryable, hash: Buffer): Promise<Opening | undefined> {
  const { rows } = await db.query<LinkRow & { valid: boolean }>(
    `DELETE FROM gateway.sign_in_link WHERE hash = $1
     RETURNING actor, is_local, roles, projects, key_id, expires_at > now() AS valid`,
    [hash],
  );
  const [row] = rows;
  return row?.valid === true
    ? {
        identity: { actor: row.actor, roles: row.roles, projects: row.projects ?? '*' },
        isLocal: row.is_local,
        keyId: row.key_id,
      }
    : undefined;
}

async function sweepLinks(db: Queryable): Promise<void> {
  await db.query('DELETE FROM gateway.sign_in_link WHERE expires_at < now()');
}

export const createSignInLinkStore = (db: Queryable) => ({
  insert: (hash: Buffer, opening: Opening) => insertLink(db, hash, opening),
  take: (hash: Buffer) => takeLink(db, hash),
  sweep: () => sweepLinks(db),
});
