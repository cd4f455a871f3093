// Brings a database to the state this build needs: its roles, its migrations, its grants. One process at a time.
import pg from 'pg';
import type { Logger } from 'pino';
import { DomainError } from '../errors.ts';
import { applyMigrations, migrationsDir, pendingMigrations } from './migrations.ts';
import { APP, ensureRoles, grantRights, letAppLogIn, OWNER } from './roles.ts';
import { STEADY_SESSION, withSessionOptions } from './session-options.ts';

const BOOT_LOCK = '4847307193528360'; // one below the log's own lock; any constant of ours will do
const OLDEST_SERVER = 150000;

export interface BootOptions {
  /** URL of a role that may do what starting needs. */
  readonly url: string;
  readonly log: Logger;
  /** Set for the embedded database: the application role logs in with it. */
  readonly appPassword?: string;
  readonly migrationsDir?: string;
}

const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** What to throw where a connection could not be made. */
export function unusable(url: string, cause: unknown): DomainError {
  const reason =
    cause instanceof Error
      ? cause.message || String('code' in cause ? cause.code : cause.name)
      : String(cause);
  return new DomainError(
    'component_unavailable',
    `the database ${placeOf(url)} cannot be used: ${reason}`,
    {},
    { cause },
  );
}

/** @throws DomainError `component_unavailable` where the server cannot be reached, refuses us, or is too old. */
async function connect(url: string): Promise<pg.Client> {
  if (!URL.canParse(url)) throw new DomainError('component_unavailable', 'the database URL is not a URL');
  const client = new pg.Client({
    connectionString: withSessionOptions(url, STEADY_SESSION),
    application_name: 'cairn boot',
    connectionTimeoutMillis: 15_000,
    keepAlive: true,
  });
  try {
    await client.connect();
  } catch (cause) {
    throw unusable(url, cause);
  }
  return client;
}

async function checkServer(client: pg.Client): Promise<void> {
  const {
    rows: [row],
  } = await client.query<{ number: number; version: string; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`,
  );
  if (!row || row.number < OLDEST_SERVER)
    throw new DomainError(
      'component_unavailable',
      `PostgreSQL ${row?.version ?? '?'} is too old: 15 or newer is needed`,
    );
  if (row.encoding !== 'UTF8')
    throw new DomainError(
      'component_unavailable',
      `the database's encoding is ${row.encoding}: UTF8 is needed`,
    );
}

/** What an operator of their own PostgreSQL has to know: it holds for the whole server, so no session can mend it. */
async function warnOfRisks(client: pg.Client, log: Logger): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'`,
  );
  for (const { name } of rows)
    log.warn(
      `the database server runs with ${name} off: after a crash it may have lost, or spoilt, what Cairn has acknowledged`,
    );
}

/**
 * Boots the database. Idempotent; processes that boot at once wait for each other. Answers whether the login may become the owner.
 * @throws DomainError with what stands in the way
 */
export async function bootDatabase(options: BootOptions): Promise<boolean> {
  const { log, migrationsDir: dir = migrationsDir } = options;
  const client = await connect(options.url);
  client.on('error', (error) => {
    log.warn({ err: error }, 'the connection that prepares the database was lost');
  });
  try {
    await checkServer(client);
    await client.query('SELECT pg_advisory_lock($1)', [BOOT_LOCK]); // the session's: gone with the connection, however that ends
    const { superuser, ownerAvailable } = await ensureRoles(client);
    if (options.appPassword !== undefined) await letAppLogIn(client, options.appPassword);
    else if (superuser)
      log.warn(
        'database.url names a superuser: a role that may only create roles, or only become the application role, is enough',
      );
    if (options.appPassword === undefined) await warnOfRisks(client, log);
    if (!ownerAvailable) {
      const pending = await pendingMigrations(client, dir);
      if (pending.length > 0)
        throw new DomainError(
          'component_unavailable',
          `migrations are pending (${pending.map((m) => m.name).join(', ')}) and this login may not become ${OWNER}: GRANT ${OWNER} to it, or start once with a role that may`,
        );
      return false;
    }
    const applied = await applyMigrations(client, OWNER, dir);
    if (applied.length > 0) log.info({ applied }, 'migrations applied');
    await grantRights(client);
    return true;
  } finally {
    await client.end();
  }
}

/** The same URL, with every session being the application role from its first statement. */
export const asApp = (url: string): string => withSessionOptions(url, `-c role=${APP}`);
