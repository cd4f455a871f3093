// The least that writing entities with their events can cost: COPY of finished rows into the same two tables
// with all their indexes.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Database } from '../../platform/database/connect.ts';
import { asSuperuser } from '../testkit/database.ts';

/**
 * Copies the rows of ids that begin with `from` under new ids, one transaction per thousand as the log has
 * them. The files are made before the clock starts. Milliseconds of the COPY statements and their commits.
 */
export async function copyBaseline(
  { pool, url }: Database,
  entityType: string,
  from: string,
  to: string,
): Promise<number> {
  const database = new URL(url).pathname.slice(1);
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-copy-'));
  await chmod(dir, 0o777); // the database server runs as another user
  try {
    const {
      rows: [last],
    } = await pool.query<{ position: string }>(
      'SELECT max(position)::text AS position FROM metadata.provenance',
    );
    const first = Number(last?.position) + 1;
    const script: string[] = [];
    for (let page = 0; page < 5; page++) {
      const events = path.join(dir, `events-${page}`);
      const entities = path.join(dir, `entities-${page}`);
      await asSuperuser(
        `COPY (SELECT event_type, replace(entity_id, '${from}', '${to}'), entity_type, actor, schema_version, context, payload FROM metadata.provenance
        WHERE entity_id LIKE '${from}%' ORDER BY position LIMIT 1000 OFFSET ${page * 1000}) TO '${events}'`,
        database,
      );
      await asSuperuser(
        `COPY (SELECT replace(id, '${from}', '${to}'), entity_type, data, version, is_available, project, ${first - 1} + row_number() OVER (ORDER BY first_event),
        ${first - 1} + row_number() OVER (ORDER BY first_event), ${first - 1} + row_number() OVER (ORDER BY first_event), search FROM metadata.entity WHERE id LIKE '${from}%' AND entity_type = '${entityType}' ORDER BY first_event LIMIT 1000 OFFSET ${page * 1000}) TO '${entities}'`,
        database,
      );
      script.push(`BEGIN; COPY metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, context, payload) FROM '${events}';
        COPY metadata.entity (id, entity_type, data, version, is_available, project, first_event, state_event, last_event, search) FROM '${entities}'; COMMIT`);
    }
    const started = performance.now();
    await asSuperuser(script.join(';'), database);
    return performance.now() - started;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
