// A table of rows as filters see them, in a database of its own.
import pg from 'pg';
import type { ClientBase } from 'pg';
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import { ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import type { FilterColumns } from '../../../subgraphs/metadata/filters/columns.ts';
import { scratchDatabase } from '../../testkit/database.ts';

/** The rows' table has each column under its name, times too. */
export const ROW_COLUMNS = Object.fromEntries(
  ENTITY_COLUMNS.map(({ name }) => [name, `e.${name}`]),
) as FilterColumns; // a member for each

/**
 * In a database of its own; CAIRN_FUZZ_DATABASE selects another server, for example one of the oldest
 * supported version.
 */
export async function openRows() {
  const given = process.env.CAIRN_FUZZ_DATABASE;
  const scratch = given === undefined ? await scratchDatabase({ empty: true }) : null;
  const client = new pg.Client(given ?? scratch?.superuserUrl);
  await client.connect();
  await client.query(`CREATE TEMPORARY TABLE rows (
    i integer PRIMARY KEY, id text NOT NULL, entity_type text NOT NULL, version integer NOT NULL, is_available boolean NOT NULL, project text,
    created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, data jsonb NOT NULL)`);
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
      await scratch?.[Symbol.asyncDispose]();
    },
  };
}

/** Stores the rows, numbered from 0, and returns them as they are read back: JSON goes through PostgreSQL. */
export async function fillRows(
  client: ClientBase,
  entities: readonly BoundEntity[],
): Promise<readonly BoundEntity[]> {
  await client.query(
    `INSERT INTO rows SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::bool[], $6::text[], $7::timestamptz[], $8::timestamptz[], $9::jsonb[])`,
    [
      entities.map((_, i) => i),
      entities.map((e) => e.id),
      entities.map((e) => e.entity_type),
      entities.map((e) => e.version),
      entities.map((e) => e.is_available),
      entities.map((e) => e.project),
      entities.map((e) => e.created_at),
      entities.map((e) => e.updated_at),
      entities.map((e) => JSON.stringify(e.data)),
    ],
  );
  const { rows } = await client.query<{ data: Record<string, unknown> }>('SELECT data FROM rows ORDER BY i');
  return entities.map((entity, i) => ({ ...entity, data: rows[i]?.data ?? {} }));
}
