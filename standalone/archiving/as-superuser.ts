// Sessions of the archive, as the superuser of the embedded database.
import pg from 'pg';
import { embeddedSuperuserUrl } from '../../platform/database/embedded/supervise.ts';

/** Every call reads where the server is now. */
export async function connectAsSuperuser(dataDir: string): Promise<pg.Client> {
  const db = new pg.Client({
    connectionString: embeddedSuperuserUrl(dataDir),
    application_name: 'cairn archive',
    connectionTimeoutMillis: 15_000,
  });
  db.on('error', () => undefined); // the statement that was under way tells it
  await db.connect();
  return db;
}
