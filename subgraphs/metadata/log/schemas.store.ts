// SQL of the schema revisions.
import type { Pool, PoolClient } from 'pg';
import { LOCKS } from '../../../platform/database/advisory-locks.ts';
import { readDefinition } from '../schema-model/definition.ts';
import { LOG_SERVER } from '../reading/log-server.ts';
import { type CatalogueEntry, SchemaCatalogue } from '../schema-model/schema-catalogue.ts';

type Queryable = Pick<Pool | PoolClient, 'query'>;

export interface SchemaRow {
  readonly revision: number;
  /** Null if no schema is newer; so are the others. */
  readonly name: string | null;
  readonly version: string;
  readonly definition: Record<string, unknown>;
}

/**
 * The current version of every schema and the deployment's revision, in one snapshot.
 * @param known schemas that were read before: only newer ones are read and resolved, or all if another server
 * answers, or the database was restored to an earlier state
 */
export async function readCatalogue(db: Queryable, known?: SchemaCatalogue): Promise<SchemaCatalogue> {
  const {
    rows: [first],
    rows,
  } = await db.query<SchemaRow & { readonly newest: number; readonly server: string }>(
    `SELECT n.newest, ${LOG_SERVER} AS server, s.* FROM (SELECT coalesce(max(revision), 0) AS newest FROM metadata.schema_revision) n
     LEFT JOIN (SELECT DISTINCT ON (name) revision, name, version, definition FROM metadata.schema_revision WHERE revision > $1 ORDER BY name, revision DESC) s ON true`,
    [known?.revision ?? 0],
  );
  const { newest, server } = first ?? { newest: 0, server: '' };
  if (known !== undefined && (newest < known.revision || server !== known.server)) return readCatalogue(db);
  if (known !== undefined && newest === known.revision) return known;
  const entries = rows
    .filter(({ name }) => name !== null)
    .map((row): CatalogueEntry => ({ definition: readDefinition(row.definition), revision: row.revision }));
  return new SchemaCatalogue(newest, entries, known, server);
}

/** The revision of the schemas at a position of the log. */
export async function findRevisionAt(db: Queryable, position: string): Promise<number> {
  const { rows } = await db.query<{ revision: number }>(
    'SELECT coalesce(max(revision), 0) AS revision FROM metadata.schema_revision WHERE created_event <= $1',
    [position],
  );
  return rows[0]?.revision ?? 0;
}

/** The schemas as they were at a revision. */
export async function readCatalogueOf(db: Queryable, revision: number): Promise<SchemaCatalogue> {
  const { rows } = await db.query<Pick<SchemaRow, 'revision' | 'definition'>>(
    `SELECT DISTINCT ON (name) revision, definition FROM metadata.schema_revision WHERE revision <= $1 ORDER BY name, revision DESC`,
    [revision],
  );
  return new SchemaCatalogue(
    revision,
    rows.map((row): CatalogueEntry => ({ ...row, definition: readDefinition(row.definition) })),
  );
}

export async function insertRevision(
  db: Queryable,
  row: { revision: number; name: string; version: string; definitionText: string; event: string },
): Promise<void> {
  await db.query(
    `INSERT INTO metadata.schema_revision (revision, name, version, definition, created_event) VALUES ($1, $2, $3, $4, $5)`,
    [row.revision, row.name, row.version, row.definitionText, row.event],
  );
}

/**
 * Notifications sent in the transaction and delivered after its commit: the new revision, and the log's
 * event.
 */
export async function notifyRevision(db: Queryable, revision: number): Promise<void> {
  await db.query(`SELECT pg_notify('metadata_schema', $1), pg_notify('metadata_log', '')`, [
    String(revision),
  ]);
}

/** Whether a process holds an older revision than this. */
export async function isAnyBehind(db: Queryable, revision: number): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
     WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted AND l.classid::bigint = $1 AND l.objid::bigint < $2) AS is`,
    [LOCKS.schemaRevision, revision],
  );
  return rows[0]?.is === true;
}

/** Ids and data of entities of the types, ordered by id, after `after`: one page of a scan of stored data. */
export async function pageOfData(
  db: Queryable,
  types: readonly string[],
  after: string,
  limit: number,
): Promise<{ id: string; entity_type: string; data: Record<string, unknown> }[]> {
  const { rows } = await db.query<{ id: string; entity_type: string; data: Record<string, unknown> }>(
    `SELECT id, entity_type, data FROM metadata.entity WHERE entity_type = ANY($1) AND id > $2 ORDER BY id LIMIT $3`,
    [types, after, limit],
  );
  return rows;
}
