// The statements on gateway.gateway_user: local accounts. Statements that reduce an account's rights also end
// its tokens and sessions.
import type { Projects, Role } from '../../platform/identity.ts';
import { instantSql, type Queryable } from '../../platform/queryable.ts';
import { announceInvalidation } from '../credential-invalidation/credential-invalidation.store.ts';

export interface User {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly projects: Projects;
  readonly disabledAt: string | null;
  readonly createdAt: string;
}

interface UserRow {
  name: string;
  roles: Role[];
  projects: string[];
  all_projects: boolean;
  disabledAt: string | null;
  createdAt: string;
}

const COLUMNS = `name, roles, projects, all_projects, ${instantSql('disabled_at')} AS "disabledAt", ${instantSql('created_at')} AS "createdAt"`;

const userOf = ({ name, roles, projects, all_projects: all, disabledAt, createdAt }: UserRow): User => ({
  name,
  roles,
  projects: all ? '*' : projects,
  disabledAt,
  createdAt,
});

async function listUsers(db: Queryable): Promise<readonly User[]> {
  const { rows } = await db.query<UserRow>(`SELECT ${COLUMNS} FROM gateway.gateway_user ORDER BY name`);
  return rows.map(userOf);
}

/** The stored password hash; undefined for an unknown account. */
async function findAccount(
  db: Queryable,
  name: string,
): Promise<{ passwordHash: string; disabled: boolean } | undefined> {
  const { rows } = await db.query<{ passwordHash: string; disabled: boolean }>(
    `SELECT password_hash AS "passwordHash", disabled_at IS NOT NULL AS disabled FROM gateway.gateway_user WHERE name = $1`,
    [name],
  );
  return rows[0];
}

/**
 * Ends everything signed in before: portal sessions, every family of tokens, and codes that would become
 * tokens.
 */
const ENDED = `sessions AS (DELETE FROM gateway.portal_session s USING changed WHERE s.actor = 'user:' || changed.name),
     families AS (UPDATE gateway.token_family f SET revoked_at = clock_timestamp() FROM changed WHERE f.actor = 'user:' || changed.name AND f.revoked_at IS NULL),
     devices AS (UPDATE gateway.device_code d SET status = 'denied' FROM changed WHERE d.actor = 'user:' || changed.name AND d.status = 'approved'),
     codes AS (DELETE FROM gateway.authorization_code c USING changed WHERE c.actor = 'user:' || changed.name AND c.consumed_at IS NULL)`;

const keysEnded = (reason: string, which: string): string => `keys AS (
       UPDATE gateway.api_key k SET revoked_at = clock_timestamp(), revoke_reason = '${reason}' FROM changed
       WHERE k.owner = 'user:' || changed.name AND k.revoked_at IS NULL AND (${which}))`;

/** `notice`: the id of the announcement. */
type Announced = Readonly<{ name: string; notice: string }>;

/**
 * Undefined if the name is taken. Whoever had it at the identity provider is signed out: refreshed, their
 * tokens would have the account's rights.
 */
async function insertUser(
  db: Queryable,
  user: Announced & Pick<User, 'roles' | 'projects'>,
  passwordHash: string,
): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(
    `WITH changed AS (INSERT INTO gateway.gateway_user (name, password_hash, roles, projects, all_projects) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING RETURNING *), ${ENDED}
     SELECT ${COLUMNS}, ${announceInvalidation('all', '$6::text')} FROM changed`,
    [
      user.name,
      passwordHash,
      user.roles,
      user.projects === '*' ? [] : user.projects,
      user.projects === '*',
      user.notice,
    ],
  );
  return rows[0] && userOf(rows[0]);
}

/**
 * Disables an account; idempotent; undefined for an unknown account. Credentials issued concurrently are
 * refused because of the row itself, and end permanently when the account is enabled.
 */
async function disableUser(db: Queryable, { name, notice }: Announced): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(
    `WITH changed AS (UPDATE gateway.gateway_user SET disabled_at = coalesce(disabled_at, clock_timestamp()) WHERE name = $1 RETURNING *), ${ENDED}, ${keysEnded('account disabled', 'true')}
     SELECT ${COLUMNS}, ${announceInvalidation('all', '$2::text')} FROM changed`,
    [name, notice],
  );
  return rows[0] && userOf(rows[0]);
}

/** Enables an account. None of its former credentials becomes valid again. */
async function enableUser(db: Queryable, { name, notice }: Announced): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(
    `WITH before AS (SELECT name FROM gateway.gateway_user WHERE name = $1 AND disabled_at IS NOT NULL FOR UPDATE),
     changed AS (UPDATE gateway.gateway_user u SET disabled_at = NULL FROM before WHERE u.name = before.name RETURNING u.*), ${ENDED}, ${keysEnded('account disabled', 'true')}
     SELECT ${COLUMNS}, ${announceInvalidation('all', '$2::text')} FROM changed`,
    [name, notice],
  );
  return rows[0] && userOf(rows[0]);
}

export interface NewRights extends Announced {
  readonly roles: readonly Role[];
  readonly projects: Projects;
  /** Roles of API keys that the account may no longer hold. */
  readonly lost: readonly Role[];
}

/** Sets roles and projects. API keys with more rights than the account now has end. */
async function changeRights(
  db: Queryable,
  { name, notice, roles, projects, lost }: NewRights,
): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(
    `WITH changed AS (UPDATE gateway.gateway_user SET roles = $3, projects = $4, all_projects = $5 WHERE name = $1 RETURNING *), ${ENDED},
     ${keysEnded('rights of the account changed', `k.role = ANY($6::text[]) OR (k.project IS NOT NULL AND NOT changed.all_projects AND k.project <> ALL(changed.projects))`)}
     SELECT ${COLUMNS}, ${announceInvalidation('all', '$2::text')} FROM changed`,
    [name, notice, roles, projects === '*' ? [] : projects, projects === '*', lost],
  );
  return rows[0] && userOf(rows[0]);
}

async function findUser(db: Queryable, name: string): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(`SELECT ${COLUMNS} FROM gateway.gateway_user WHERE name = $1`, [
    name,
  ]);
  return rows[0] && userOf(rows[0]);
}

/** Sets another password; false for an unknown account. */
async function changePassword(
  db: Queryable,
  { name, notice }: Announced,
  passwordHash: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH changed AS (UPDATE gateway.gateway_user SET password_hash = $3 WHERE name = $1 RETURNING name), ${ENDED}
     SELECT ${announceInvalidation('all', '$2::text')} FROM changed`,
    [name, notice, passwordHash],
  );
  return rowCount === 1;
}

export const createUserStore = (db: Queryable) => ({
  insert: (user: Announced & Pick<User, 'roles' | 'projects'>, passwordHash: string) =>
    insertUser(db, user, passwordHash),
  list: () => listUsers(db),
  find: (name: string) => findUser(db, name),
  findAccount: (name: string) => findAccount(db, name),
  disable: (of: Announced) => disableUser(db, of),
  enable: (of: Announced) => enableUser(db, of),
  changeRights: (rights: NewRights) => changeRights(db, rights),
  changePassword: (of: Announced, passwordHash: string) => changePassword(db, of, passwordHash),
});
export type UserStore = ReturnType<typeof createUserStore>;
