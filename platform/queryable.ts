// Defines the interface that stores need to run statements. Both a pool and a client inside a transaction
// implement it.
import type { Pool, PoolClient } from 'pg';
import type { Projects } from './identity.ts';

export type Queryable = Pick<Pool | PoolClient, 'query'>;

/**
 * Returns SQL that formats a timestamp column as in every response
 * (docs/reference/api-conventions.md#timestamps): microseconds and `Z`, independent of session settings.
 */
export const instantSql = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** An instant as Prisma Client reads it, `2026-01-31T09:30:00.1+00:00`, in the form of {@link instantSql}. */
export function instantText(read: string): string {
  const [seconds = '', fraction = ''] = read.replace('+00:00', '').split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}Z`;
}

/** Whether a text can be a query parameter: PostgreSQL rejects U+0000. */
export const hasNoNul = (text: string): boolean => !text.includes('\u0000');

/** Whether no row can have the text. */
export const isUnstorable = (text: string | null): boolean => text !== null && !hasNoNul(text);

/** The projects of a caller as a query parameter: null for all. */
export const projectList = (projects: Projects): readonly string[] | null =>
  projects === '*' ? null : projects;

/** Whether the database responds. @throws where the query fails */
export const answers = async (db: Queryable): Promise<boolean> => (await db.query('SELECT 1')).rowCount === 1;

/** Leaves the values of rows as PostgreSQL sends them, for readers that write them on as text. */
export const rowsAsText = { getTypeParser: () => (value: unknown) => value };
