// SQL that fills the tables of an empty database, as their owner and in one transaction.
import pg from 'pg';
import { from } from 'pg-copy-streams';
import type { Writable } from 'node:stream';
import type { BackedUpTable } from './backup-format.ts';
import { columnList, PRODUCT_SCHEMAS, tableName } from './dump.store.ts';

interface TriggerState {
  readonly table: string;
  readonly trigger: string;
  /** `O` enabled, `A` always, `R` of replicas, `D` disabled. */
  readonly state: string;
}

const AGAIN: Readonly<Record<string, string>> = { O: 'ENABLE', A: 'ENABLE ALWAYS', R: 'ENABLE REPLICA' };

/**
 * Switches the tables' own triggers off: what they note and refuse was noted and refused when the rows were written.
 * Foreign keys go on to be checked. Returns what switches them on as they were.
 */
export async function withoutTriggers(db: pg.ClientBase): Promise<() => Promise<void>> {
  const { rows } = await db.query<TriggerState>(
    `SELECT t.tgrelid::regclass::text AS table, t.tgname AS trigger, t.tgenabled AS state
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND n.nspname = ANY($1::text[])`,
    [PRODUCT_SCHEMAS],
  );
  for (const { table, trigger } of rows)
    await db.query(`ALTER TABLE ${table} DISABLE TRIGGER ${pg.escapeIdentifier(trigger)}`);
  return async () => {
    for (const { table, trigger, state } of rows)
      await db.query(
        `ALTER TABLE ${table} ${AGAIN[state] ?? 'ENABLE'} TRIGGER ${pg.escapeIdentifier(trigger)}`,
      );
  };
}

/** Takes away the rows that migrations make: the backup has its own. */
export async function clearTables(db: pg.ClientBase, tables: readonly BackedUpTable[]): Promise<void> {
  for (const { name } of [...tables].reverse()) await db.query(`DELETE FROM ${tableName(name)}`);
}

export interface TableWriter extends Writable {
  /** When it has finished. */
  readonly rowCount: number;
}

export const fillTable = (db: pg.ClientBase, { name, columns }: BackedUpTable): TableWriter =>
  db.query(from(`COPY ${tableName(name)} (${columnList(columns)}) FROM STDIN`));

/** Tables that count their rows themselves go on after the last one. */
export async function continueCounting(db: pg.ClientBase): Promise<void> {
  const { rows } = await db.query<{ table: string; column: string; sequence: string }>(
    `SELECT c.oid::regclass::text AS table, a.attname AS column, pg_get_serial_sequence(c.oid::regclass::text, a.attname) AS sequence
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND n.nspname = ANY($1::text[]) AND pg_get_serial_sequence(c.oid::regclass::text, a.attname) IS NOT NULL`,
    [PRODUCT_SCHEMAS],
  );
  for (const { table, column, sequence } of rows)
    await db.query(
      `SELECT setval($1::regclass, max(${pg.escapeIdentifier(column)})) FROM ${table} HAVING max(${pg.escapeIdentifier(column)}) IS NOT NULL`,
      [sequence],
    );
}

/** Counts the rows that are there, after all migrations. */
export async function countRows(db: pg.ClientBase, table: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>(`SELECT count(*)::float8 AS n FROM ${tableName(table)}`);
  return rows[0]?.n ?? 0;
}

/** What the planner knows of tables that were empty a moment ago. */
export async function analyseTables(db: pg.ClientBase, tables: readonly BackedUpTable[]): Promise<void> {
  await db.query(`ANALYZE ${tables.map(({ name }) => tableName(name)).join(', ')}`);
}
