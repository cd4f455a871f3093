// Checks whether the token of a past request is still valid.
import type { Projects, Role } from '../../platform/identity.ts';
import type { Queryable } from '../../platform/queryable.ts';

/**
 * Whether an access token, its family, and its key or account have not been ended. Expiry does not count: it
 * ends nothing that the token began.
 */
export async function tokenStands(db: Queryable, family: string, jti: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM gateway.token_family f
       LEFT JOIN gateway.gateway_user u ON f.actor LIKE 'user:%' AND u.name = substr(f.actor, 6)
       LEFT JOIN gateway.api_key k ON f.client_id LIKE 'key\\_%' AND k.id = f.client_id
     WHERE f.id::text = $1 AND f.revoked_at IS NULL AND u.disabled_at IS NULL AND k.revoked_at IS NULL
       AND NOT EXISTS (SELECT FROM gateway.revoked_jti r WHERE r.jti = $2)`,
    [family, jti],
  );
  return (rowCount ?? 0) > 0;
}

/** The current rights of a local account; undefined if it is disabled or gone. */
export async function accountStands(
  db: Queryable,
  name: string,
): Promise<{ readonly roles: readonly Role[]; readonly projects: Projects } | undefined> {
  const { rows } = await db.query<{ roles: Role[]; projects: string[]; all_projects: boolean }>(
    'SELECT roles, projects, all_projects FROM gateway.gateway_user WHERE name = $1 AND disabled_at IS NULL',
    [name],
  );
  const [row] = rows;
  return row && { roles: row.roles, projects: row.all_projects ? '*' : row.projects };
}
