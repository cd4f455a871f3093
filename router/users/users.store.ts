// The statements on gateway.gateway_user: local accounts. What ends an account's rights ends its tokens and sessions with it.
import type { Projects, Role } from '../../platform/identity.ts';
import { instantSql, type Queryable } from '../../platform/queryable.ts';
import { KEY_ENDED } from '../api-keys/api-keys.store.ts';
import { TOKENS_REVOKED } from '../tokens/revocations.store.ts';

export interface User {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly projects: Projects;
  readonly disabledAt: string | null;
  readonly createdAt: string;
}

interface UserRow { name: string; roles: Role[]; projects: string[]; all_projects: boolean; disabledAt: string | null; createdAt: string }

const COLUMNS = `name, roles, projects, all_projects, ${instantSql('disabled_at')} AS "disabledAt", ${instantSql('created_at')} AS "createdAt"`;

const userOf = ({ name, roles, projects, all_projects: all, disabledAt, createdAt }: UserRow): User => ({ name, roles, projects: all ? '*' : projects, disabledAt, createdAt });

/** Undefined where the name is taken. */
async function insertUser(db: Queryable, user: Pick<User, 'name' | 'roles' | 'projects'>, passwordHash: string): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(
    `INSERT INTO gateway.gateway_user (name, password_hash, roles, projects, all_projects) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`,
    [user.name, passwordHash, user.roles, user.projects === '*' ? [] : user.projects, user.projects === '*']);
  return rows[0] && userOf(rows[0]);
}

async function listUsers(db: Queryable): Promise<readonly User[]> {
  const { rows } = await db.query<UserRow>(`SELECT ${COLUMNS} FROM gateway.gateway_user ORDER BY name`);
  return rows.map(userOf);
}

/** What a password is compared with; undefined where there is no such account. */
async function findAccount(db: Queryable, name: string): Promise<{ passwordHash: string; disabled: boolean } | undefined> {
  const { rows } = await db.query<{ passwordHash: string; disabled: boolean }>(
    `SELECT password_hash AS "passwordHash", disabled_at IS NOT NULL AS disabled FROM gateway.gateway_user WHERE name = $1`, [name]);
  return rows[0];
}

/** What was signed in before ends: portal sessions, and every family of tokens. */
const ENDED = `sessions AS (DELETE FROM gateway.portal_session s USING changed WHERE s.actor = 'user:' || changed.name),
     families AS (UPDATE gateway.token_family f SET revoked_at = clock_timestamp() FROM changed WHERE f.actor = 'user:' || changed.name AND f.revoked_at IS NULL)`;

/** Disables an account, once; undefined where there is none. What is issued at this very moment is refused by the row itself. */
async function disableUser(db: Queryable, name: string): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(
    `WITH changed AS (UPDATE gateway.gateway_user SET disabled_at = coalesce(disabled_at, clock_timestamp()) WHERE name = $1 RETURNING *), ${ENDED}
     SELECT ${COLUMNS}, pg_notify('${TOKENS_REVOKED}', '') AS tokens, pg_notify('${KEY_ENDED}', '') AS keys FROM changed`, [name]);
  return rows[0] && userOf(rows[0]);
}

/** Sets another password; false where there is no such account. */
async function changePassword(db: Queryable, name: string, passwordHash: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH changed AS (UPDATE gateway.gateway_user SET password_hash = $2 WHERE name = $1 RETURNING name), ${ENDED}
     SELECT pg_notify('${TOKENS_REVOKED}', '') FROM changed`, [name, passwordHash]);
  return rowCount === 1;
}

export const createUserStore = (db: Queryable) => ({
  insert: (user: Pick<User, 'name' | 'roles' | 'projects'>, passwordHash: string) => insertUser(db, user, passwordHash),
  list: () => listUsers(db),
  findAccount: (name: string) => findAccount(db, name),
  disable: (name: string) => disableUser(db, name),
  changePassword: (name: string, passwordHash: string) => changePassword(db, name, passwordHash),
});
export type UserStore = ReturnType<typeof createUserStore>;
