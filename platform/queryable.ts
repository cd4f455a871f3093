// The one thing of a database that a store's statements need: so a pool and a client inside a transaction both do.
import type { Pool, PoolClient } from 'pg';

export type Queryable = Pick<Pool | PoolClient, 'query'>;

/** A timestamp column as every answer shows it (contract 0): microseconds and `Z`, whatever the session's settings. */
export const instantSql = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Whether a text can be stored, and so be looked for: PostgreSQL refuses U+0000 in a parameter. */
export const isStorable = (text: string): boolean => !text.includes('\u0000');

/** Whether the database answers. @throws where it cannot even be asked */
export const answers = async (db: Queryable): Promise<boolean> => (await db.query('SELECT 1')).rowCount === 1;
