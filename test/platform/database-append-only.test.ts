// docs/reference/metadata.md#append-only-log: records are written once and never modified or deleted; the
// database itself refuses.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';

const INSERT = `INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload)
  VALUES ('EntityCreated', 'e1', 'sample', 'user:ann', '1', '{"initial_state": {"z": 1, "a": 2}}')`;

const ATTEMPTS: Readonly<Record<string, string>> = {
  'update a payload': `UPDATE metadata.provenance SET payload = '{}'`,
  'update a timestamp': `UPDATE metadata.provenance SET timestamp = timestamp - interval '1 day'`,
  'update through a CTE': `WITH changed AS (UPDATE metadata.provenance SET actor = 'x' RETURNING 1) SELECT * FROM changed`,
  delete: 'DELETE FROM metadata.provenance',
  truncate: 'TRUNCATE metadata.provenance',
  'truncate with its sequence': 'TRUNCATE metadata.provenance RESTART IDENTITY CASCADE',
  'insert on conflict do update': `${INSERT} ON CONFLICT (position) DO UPDATE SET actor = 'x'`,
  merge: `MERGE INTO metadata.provenance p USING (SELECT 1 AS position) s ON p.position = s.position WHEN MATCHED THEN DELETE`,
  'lock rows for update': 'SELECT * FROM metadata.provenance FOR UPDATE',
  'insert a timestamp': `INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload, timestamp)
    VALUES ('EntityCreated', 'e1', 'sample', 'user:ann', '1', '{}', '2000-01-01')`,
  'insert a position': `INSERT INTO metadata.provenance (position, event_type, entity_id, entity_type, actor, schema_version, payload)
    OVERRIDING SYSTEM VALUE VALUES (-1, 'EntityCreated', 'e1', 'sample', 'user:ann', '1', '{}')`,
  'insert an id': `INSERT INTO metadata.provenance (id, event_type, entity_id, entity_type, actor, schema_version, payload)
    VALUES (gen_random_uuid(), 'EntityCreated', 'e1', 'sample', 'user:ann', '1', '{}')`,
  'copy into the timestamp':
    'COPY metadata.provenance (event_type, actor, schema_version, payload, timestamp) FROM STDIN',
  'copy into the position':
    'COPY metadata.provenance (position, event_type, actor, schema_version, payload) FROM STDIN',
  'copy from a program': `COPY metadata.provenance (event_type, actor, schema_version, payload) FROM PROGRAM 'true'`,
  'disable its triggers': 'ALTER TABLE metadata.provenance DISABLE TRIGGER ALL',
  'drop a trigger': 'DROP TRIGGER provenance_no_delete ON metadata.provenance',
  'switch to replica mode': 'SET session_replication_role = replica',
  'alter the table': 'ALTER TABLE metadata.provenance ALTER COLUMN timestamp DROP DEFAULT',
  'take the table over': 'ALTER TABLE metadata.provenance OWNER TO cairn_app',
  'rename the table away': 'ALTER TABLE metadata.provenance RENAME TO old',
  'drop the table': 'DROP TABLE metadata.provenance CASCADE',
  'drop the schema': 'DROP SCHEMA metadata CASCADE',
  'rename the schema': 'ALTER SCHEMA metadata RENAME TO m2',
  'make a table in the schema': 'CREATE TABLE metadata.provenance2 (position bigint)',
  'become the owner': 'SET ROLE cairn_owner',
  'reset the role and delete': 'RESET ROLE; DELETE FROM metadata.provenance',
  'drop the role and delete': 'SET ROLE NONE; DELETE FROM metadata.provenance',
  'log in as the owner afterwards': 'SET SESSION AUTHORIZATION cairn_owner',
  'grant itself the right': 'GRANT cairn_owner TO cairn_app',
  'make itself superuser': 'ALTER ROLE cairn_app SUPERUSER',
  'create a rule': 'CREATE RULE hide AS ON INSERT TO metadata.provenance DO INSTEAD NOTHING',
  'create a trigger':
    'CREATE TRIGGER t BEFORE INSERT ON metadata.provenance FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
  'turn on row security': 'ALTER TABLE metadata.provenance ENABLE ROW LEVEL SECURITY',
  'set the clock': `SELECT setval('metadata.event_clock', 1)`,
  'set the positions back': `SELECT setval(pg_get_serial_sequence('metadata.provenance', 'position'), 1)`,
  'restart the positions': 'ALTER TABLE metadata.provenance ALTER COLUMN position RESTART',
  'replace the clock': `CREATE OR REPLACE FUNCTION metadata.event_time() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'`,
  'delete in a block of code': `DO $$ BEGIN EXECUTE 'DELETE FROM metadata.provenance'; END $$`,
};

let database: Database & AsyncDisposable;
let before: unknown[];

const everything = async (): Promise<unknown[]> => {
  const { rows } = await database.pool.query<{ line: unknown }>(
    'SELECT p::text AS line FROM metadata.provenance p ORDER BY position',
  );
  return rows;
};

beforeAll(async () => {
  database = await freshDatabase();
  for (let i = 0; i < 3; i++) await database.pool.query(INSERT);
  before = await everything();
});
afterAll(async () => {
  await database.close();
});

describe('the role that servers run as', () => {
  test('can add to provenance, and finds payloads byte for byte as they were written', async () => {
    const {
      rows: [row],
    } = await database.pool.query<{ payload: string; n: number }>(
      'SELECT max(payload::text) AS payload, count(*)::int AS n FROM metadata.provenance',
    );
    expect(row).toEqual({ payload: '{"initial_state": {"z": 1, "a": 2}}', n: 3 });
  });

  test.each(Object.entries(ATTEMPTS))('is refused when it tries to %s', async (_, sql) => {
    const client = await database.pool.connect();
    try {
      await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' }); // insufficient_privilege
    } finally {
      client.release(true);
    }
    expect(await everything()).toEqual(before);
  });

  test('owns no object and has no attributes such as CREATEROLE', async () => {
    const {
      rows: [role],
    } = await database.pool.query(`
      SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
        (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS tables,
        (SELECT count(*)::int FROM pg_proc WHERE proowner = r.oid) AS functions,
        (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships
      FROM pg_roles r WHERE rolname = current_user`);
    expect(role).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      tables: 0,
      functions: 0,
      memberships: 0,
    });
  });

  test('cannot rewrite the audit log', async () => {
    for (const sql of [
      `UPDATE gateway.audit_record SET actor = 'x'`,
      'DELETE FROM gateway.audit_record',
      'TRUNCATE gateway.audit_record',
      'DROP TABLE gateway.audit_record',
      'ALTER TABLE gateway.audit_record DISABLE TRIGGER ALL',
      'SET ROLE cairn_owner',
      `INSERT INTO gateway.audit_record (id) OVERRIDING SYSTEM VALUE VALUES (1)`,
      'SELECT gateway.forget_audit_records(29, 1000)',
      'SELECT gateway.forget_audit_records(NULL, 1000)',
      `BEGIN; SET LOCAL cairn.audit_retention = 'on'; DELETE FROM gateway.audit_record`,
    ])
      await expect(database.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
  });

  test('may use every other table of the four schemas', async () => {
    const { rows } = await database.pool.query<{ name: string }>(`
      SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('gateway', 'metadata', 'workflow', 'artifact') AND c.relkind = 'r'
        AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))`);
    expect(rows.map((r) => r.name).sort()).toEqual([
      'artifact.past_begins',
      'artifact.past_state',
      'gateway.audit_record',
      'gateway.cursor_key',
      'metadata.entity_count_at',
      'metadata.entity_history',
      'metadata.instants_kept',
      'metadata.provenance',
      'metadata.write_format',
      'workflow.past_begins',
      'workflow.past_state',
    ]);
  });
});

describe('even a superuser', () => {
  const name = async (): Promise<string> =>
    (await database.pool.query<{ name: string }>('SELECT current_database() AS name')).rows[0]?.name ?? '';

  test.each([
    'UPDATE gateway.audit_record SET status = 1',
    'DELETE FROM gateway.audit_record',
    'TRUNCATE gateway.audit_record',
    'SET session_replication_role = replica; DELETE FROM gateway.audit_record',
  ])('is kept from audit records: %s', async (sql) => {
    await expect(asSuperuser(sql, await name())).rejects.toThrow('audit records are append-only');
  });

  test.each([
    `UPDATE metadata.provenance SET actor = 'x'`,
    'DELETE FROM metadata.provenance',
    'TRUNCATE metadata.provenance',
    'SET session_replication_role = replica; DELETE FROM metadata.provenance',
  ])('is stopped by the triggers: %s', async (sql) => {
    await expect(asSuperuser(sql, await name())).rejects.toThrow('provenance is append-only');
    expect(await everything()).toEqual(before);
  });
});

describe('an event', () => {
  const insert = (type: string, id: string | null, entityType: string | null): Promise<unknown> =>
    database.pool.query(
      `INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload) VALUES ($1, $2, $3, 'a', '0', '{}')`,
      [type, id, entityType],
    );

  test.each([
    ['EntityCreated', null, null],
    ['EntityUpdated', 'e1', null],
    ['MigrationApplied', 'e1', 'sample'],
    ['Invented', 'e1', 'sample'],
  ])('of type %s about %s of type %s is refused', async (type, id, entityType) => {
    await expect(insert(type, id, entityType)).rejects.toMatchObject({ code: '23514' });
  });

  test('of the instance is about no entity', async () => {
    await expect(insert('ReferenceDataInstalled', null, null)).resolves.toBeDefined();
  });
});
