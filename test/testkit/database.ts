// A database for one test, cloned from the migrated template and dropped afterwards.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import { connectDatabase, type Database } from '../../platform/database/connect.ts';
import { readSealingKey } from '../../platform/sealed-text.ts';

/** Only logs warnings and errors. */
export const testLog = pino({ level: 'error' }, pino.destination({ dest: 2, sync: true }));

const withName = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

/** Connections kept for making and dropping databases. */
let administrator: pg.Pool | undefined;

/**
 * Runs one statement as the server's superuser, in the given database or, to create and drop databases, in
 * `postgres`.
 */
export async function asSuperuser<Row extends pg.QueryResultRow>(
  sql: string,
  database = 'postgres',
): Promise<Row[]> {
  const url = withName(inject('database').superuserUrl, database);
  if (database === 'postgres') {
    administrator ??= new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
    return (await administrator.query<Row>(sql)).rows;
  }
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

export interface ScratchDatabase {
  readonly name: string;
  readonly superuserUrl: string;
  /** The application role's URL. */
  readonly url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A database without connections: a clone of the template, or with `empty` one without our schemas. */
export async function scratchDatabase({ empty = false } = {}): Promise<ScratchDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // the default strategy writes every page to the log as well: four times as slow
  const template = empty ? 'template0' : 'cairn_template';
  await asSuperuser(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const { superuserUrl, appUrl } = inject('database');
  return {
    name,
    superuserUrl: withName(superuserUrl, name),
    url: withName(appUrl, name),
    async [Symbol.asyncDispose]() {
      await asSuperuser(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** A migrated database, connected as the application role: `await using database = await freshDatabase()`. */
export async function freshDatabase({ poolSize = 10 } = {}): Promise<Database & AsyncDisposable> {
  const scratch = await scratchDatabase();
  const database = connectDatabase({
    url: scratch.url,
    ownerUrl: scratch.superuserUrl,
    applicationName: 'cairn test',
    poolSize,
    log: testLog,
    release: () => scratch[Symbol.asyncDispose](),
  });
  await readSealingKey(database.pool);
  return Object.assign(Object.create(database) as Database, {
    // as a prototype, so that `prisma` stays lazy
    [Symbol.asyncDispose]: database.close,
  });
}
