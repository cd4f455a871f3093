// Prepares a database for this build: roles, migrations and grants. Only one process at a time does so.
import pg from 'pg';
import type { Logger } from 'pino';
import { DomainError } from '../errors.ts';
import { LOCKS } from './advisory-locks.ts';
import {
  applyMigrations,
  appliedChecksums,
  assertNotRestoring,
  migrationsDir,
  migrationState,
} from './migrations.ts';
import { ensureRoles, grantRights, letAppLogIn, OWNER } from './roles.ts';
import { beginSession } from './begin-session.ts';
import { isStandby } from './standby.ts';
import { STEADY_SESSION, withSessionOptions } from './session-options.ts';

export const BOOT_LOCK = '4847307193528360'; // one below the lock of the log; any otherwise unused constant works
const OLDEST_SERVER = 150000;
/** What PgBouncer answers to settings that are sent with the connection. */
const PROTOCOL_VIOLATION = '08P01';

export interface BootOptions {
  /** URL of a role with the rights that the boot needs. */
  readonly url: string;
  readonly log: Logger;
  /** Set for the embedded database: the application role's login password. */
  readonly appPassword?: string;
  readonly migrationsDir?: string;
  /** Whether tables may be made in a database that has none; default: yes. */
  readonly mayInitialise?: boolean | undefined;
  /** Whether this is the restore that has begun to fill the database. */
  readonly isRestoring?: boolean;
}

const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
};

/** Returns the error for a connection that could not be established. */
export function unusable(url: string, cause: unknown): DomainError {
  const reason =
    cause instanceof Error
      ? cause.message || String('code' in cause ? cause.code : cause.name)
      : String(cause);
  const advice =
    cause instanceof pg.DatabaseError && cause.code === PROTOCOL_VIOLATION
      ? '; where this is a pooler, let it ignore the parameter: ignore_startup_parameters = options, extra_float_digits'
      : '';
  return new DomainError(
    'component_unavailable',
    `the database ${placeOf(url)} cannot be used: ${reason}${advice}`,
    {},
    { cause },
  );
}

/**
 * @throws DomainError `component_unavailable` where the server cannot be reached, rejects the connection, or
 * is too old.
 */
export async function connectToBoot(url: string): Promise<pg.Client> {
  if (!URL.canParse(url))
    throw new DomainError('component_unavailable', 'the database address is not a valid URL');
  const client = new pg.Client({
    connectionString: withSessionOptions(url, STEADY_SESSION),
    application_name: 'cairn boot',
    connectionTimeoutMillis: 15_000,
    keepAlive: true,
  });
  try {
    await client.connect();
    await beginSession(client, STEADY_SESSION);
  } catch (cause) {
    await client.end().catch(() => undefined); // not connected: there is nothing to end
    throw unusable(url, cause);
  }
  return client;
}

export async function checkServer(client: pg.Client): Promise<void> {
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

/**
 * Warns about risky settings of an operator's own PostgreSQL. They hold for the whole server, so a session
 * cannot change them.
 */
async function warnOfRisks(client: pg.Client, log: Logger): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'`,
  );
  for (const { name } of rows)
    log.warn(
      `the database server runs with ${name} off: a crash may lose or damage data that Cairn has acknowledged`,
    );
}

/** @throws DomainError where the standby has not what this build reads: only its primary can be prepared */
async function assertMigrated(client: pg.Client, dir: string): Promise<void> {
  await assertNotRestoring(client);
  const { pending } = await migrationState(client, dir);
  if (pending.length > 0)
    throw new DomainError(
      'component_unavailable',
      `the database is a standby and lacks migrations (${pending.map(({ name }) => name).join(', ')}): start this version once with its primary`,
    );
}

/** The error for a place that holds no instance, where one was expected. */
export const notInitialised = (place: string): DomainError =>
  new DomainError(
    'conflict',
    `${place} holds no instance of Cairn, and with server.mode: production a new one is only begun when told: check database.url, database.data_dir and CAIRN_DATA_DIR; to begin a new instance there, run "cairn init" or start with --initialise; to bring one back, "cairn restore"`,
  );

/**
 * Boots the database. Idempotent; concurrent processes wait for each other. Resolves to whether the login may
 * become the owner.
 * @throws DomainError with the cause of the failure
 */
export async function bootDatabase(options: BootOptions): Promise<boolean> {
  const { log, migrationsDir: dir = migrationsDir } = options;
  const client = await connectToBoot(options.url);
  client.on('error', (error) => {
    log.warn({ err: error }, 'the connection used to prepare the database was lost');
  });
  try {
    await checkServer(client);
    if (await isStandby(client)) {
      await assertMigrated(client, dir);
      log.warn('the database is a standby: this process reads, and refuses writes until it is promoted');
      return false;
    }
    // A session lock: PostgreSQL releases it when the connection ends for any reason.
    await client.query('SELECT pg_advisory_lock($1)', [BOOT_LOCK]);
    if (options.isRestoring !== true) await assertNotRestoring(client);
    if (options.mayInitialise === false && (await appliedChecksums(client)).size === 0)
      throw notInitialised(placeOf(options.url));
    const { superuser, ownerAvailable } = await ensureRoles(client);
    if (options.appPassword !== undefined) await letAppLogIn(client, options.appPassword);
    else if (superuser)
      log.warn(
        'database.url names a superuser: a role that may create roles, or become the application role, is sufficient',
      );
    if (options.appPassword === undefined) await warnOfRisks(client, log);
    const { pending, ahead } = await migrationState(client, dir);
    const names = pending.map(({ name }) => name);
    if (ahead.length > 0)
      log.warn(
        { migrations: ahead },
        'a newer version of Cairn has migrated the database; this one can write beside it',
      );
    if (!ownerAvailable) {
      if (pending.length > 0)
        throw new DomainError(
          'component_unavailable',
          `migrations are pending (${names.join(', ')}) and this login may not become ${OWNER}: GRANT ${OWNER} to it, or start once with a role that may`,
        );
      return false;
    }
    // A backup is let end: its locks would keep this from altering tables, and that would keep servers from using them.
    if (names.length > 0) await client.query('SELECT pg_advisory_lock_shared($1)', [LOCKS.backup]);
    await applyMigrations(client, OWNER, pending);
    if (names.length > 0) log.info({ applied: names }, 'migrations applied');
    // the newer version has granted what it needs: part of that would be revoked here
    if (ahead.length === 0) await grantRights(client);
    return true;
  } finally {
    await client.end();
  }
}
