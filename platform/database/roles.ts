// Manages the two database roles: one owns all objects and cannot log in; servers run as the other one, which
// owns nothing.
import type pg from 'pg';
import { DomainError } from '../errors.ts';
import { systemErrorCode } from '../system-error-code.ts';

/** Owns every schema, table and function; NOLOGIN. */
export const OWNER = 'cairn_owner';
/** The role of every server's sessions. */
export const APP = 'cairn_app';

const INSUFFICIENT_PRIVILEGE = '42501';
const MISSING_ROLE = '22023'; // SET ROLE to a role that does not exist
const ALREADY_THERE = ['42710', '23505']; // CREATE ROLE when another session has created the role

/** Whether this session may become `role`. */
async function canBecome(client: pg.Client, role: string): Promise<boolean> {
  try {
    await client.query(`SET ROLE ${role}`);
  } catch (error) {
    if (systemErrorCode(error) === INSUFFICIENT_PRIVILEGE || systemErrorCode(error) === MISSING_ROLE)
      return false;
    throw error;
  }
  await client.query('RESET ROLE');
  return true;
}

async function createRole(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 1) return;
  await client.query(`CREATE ROLE ${role} NOLOGIN`).catch((error: unknown) => {
    if (!ALREADY_THERE.includes(String(systemErrorCode(error)))) throw error;
  });
}

interface Session {
  readonly login: string;
  readonly database: string;
  readonly superuser: boolean;
  readonly createsRoles: boolean;
}

async function sessionOf(client: pg.Client): Promise<Session> {
  const {
    rows: [row],
  } = await client.query<Session>(
    `SELECT rolname AS login, current_database() AS database, rolsuper AS superuser, rolsuper OR rolcreaterole AS "createsRoles"
     FROM pg_roles WHERE rolname = session_user`,
  );
  if (!row) throw new Error('the session has no database role');
  return row;
}

/** Returns the SQL that an administrator has to run where this session lacks the rights. */
function instructions(client: pg.Client, { login, database }: Session): string {
  const [user, db] = [client.escapeIdentifier(login), client.escapeIdentifier(database)];
  return [
    `the database role ${user} may not create the roles that Cairn needs. An administrator must run these statements once in the database ${db}:`,
    `  CREATE ROLE ${OWNER} NOLOGIN;`,
    `  CREATE ROLE ${APP} NOLOGIN;`,
    `  GRANT ${OWNER}, ${APP} TO ${user};`,
    `  GRANT CREATE ON DATABASE ${db} TO ${OWNER};`,
    `After the first start, REVOKE ${OWNER} FROM ${user} is possible; the migrations of a new version then need the role again.`,
  ].join('\n');
}

export interface Roles {
  readonly superuser: boolean;
  /** Whether this session may become the owner, and so migrate. */
  readonly ownerAvailable: boolean;
}

/**
 * Ensures that both roles exist and that this session can become the application role.
 * @throws DomainError `component_unavailable` with the SQL that an administrator has to run, where the rights
 * are missing
 */
export async function ensureRoles(client: pg.Client): Promise<Roles> {
  const session = await sessionOf(client);
  const { superuser } = session;
  try {
    if (session.createsRoles) {
      for (const role of [OWNER, APP]) {
        await createRole(client, role);
        if (!(await canBecome(client, role)))
          await client.query(`GRANT ${role} TO ${client.escapeIdentifier(session.login)}`);
      }
    }
    const ownerAvailable = await canBecome(client, OWNER);
    if (!(await canBecome(client, APP)))
      throw new DomainError('component_unavailable', instructions(client, session));
    if (ownerAvailable) await letOwnerCreateSchemas(client, session.database);
    return { superuser, ownerAvailable };
  } catch (error) {
    if (systemErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new DomainError('component_unavailable', instructions(client, session), {}, { cause: error });
  }
}

/** Makes the session one that may read every table: the owner, or else the role of the servers. */
export async function assumeReader(client: pg.Client): Promise<void> {
  await client.query(`SET ROLE ${(await canBecome(client, OWNER)) ? OWNER : APP}`);
}

async function letOwnerCreateSchemas(client: pg.Client, database: string): Promise<void> {
  const allowed = async (): Promise<boolean> => {
    const {
      rows: [row],
    } = await client.query<{ allowed: boolean }>(
      `SELECT has_database_privilege($1, current_database(), 'CREATE') AS allowed`,
      [OWNER],
    );
    return row?.allowed === true;
  };
  if (await allowed()) return;
  await client.query(`GRANT CREATE ON DATABASE ${client.escapeIdentifier(database)} TO ${OWNER}`);
  if (!(await allowed())) {
    // A GRANT without the right to grant only causes a warning.
    throw new DomainError('component_unavailable', instructions(client, await sessionOf(client)));
  }
}

/** Lets the application role log in with `password` (embedded database only). */
export const letAppLogIn = async (client: pg.Client, password: string): Promise<void> => {
  await client.query(`ALTER ROLE ${APP} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
};

/**
 * The rights of the application role. Provenance, audit records and final states can only be inserted, column
 * by column, not changed.
 */
const GRANTS = `
  GRANT USAGE ON SCHEMA cairn, gateway, metadata, workflow, artifact TO ${APP};
  GRANT SELECT ON cairn.migration, metadata.write_format TO ${APP};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA gateway, workflow, artifact TO ${APP};
  REVOKE INSERT, UPDATE, DELETE ON gateway.audit_record FROM ${APP};
  REVOKE INSERT, UPDATE, DELETE ON gateway.cursor_key FROM ${APP};
  REVOKE INSERT, UPDATE, DELETE ON workflow.past_begins, artifact.past_begins FROM ${APP};
  REVOKE UPDATE ON workflow.past_state, artifact.past_state FROM ${APP};
  REVOKE DELETE ON artifact.past_state FROM ${APP};
  GRANT INSERT (timestamp, request_id, actor, method, path, status, latency_ms, ip, operation_name, changes, cause) ON gateway.audit_record TO ${APP};
  GRANT SELECT, INSERT, UPDATE, DELETE ON
    metadata.entity, metadata.relationship, metadata.external_id,
    metadata.schema_revision, metadata.unique_value, metadata.entity_count, metadata.field_use, metadata.field_index TO ${APP};
  REVOKE UPDATE, DELETE ON metadata.entity_history FROM ${APP};
  GRANT SELECT, INSERT ON metadata.entity_history, metadata.entity_count_at, metadata.instants_kept TO ${APP};
  GRANT SELECT, INSERT (event_type, entity_id, entity_type, actor, schema_version, context, payload, request_id, cause) ON metadata.provenance TO ${APP};
  REVOKE EXECUTE ON FUNCTION metadata.event_time() FROM PUBLIC;
  REVOKE EXECUTE ON FUNCTION metadata.index_field(text, text), metadata.unindex_field(text, text) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION metadata.event_time(), metadata.open_log(), metadata.open_log_at(bigint), metadata.index_field(text, text), metadata.unindex_field(text, text) TO ${APP};`;

/** Grants the application role its rights. The caller holds the boot lock and may become the owner. */
export async function grantRights(client: pg.Client): Promise<void> {
  await client.query(`BEGIN; SET LOCAL ROLE ${OWNER}; ${GRANTS} COMMIT;`);
}
