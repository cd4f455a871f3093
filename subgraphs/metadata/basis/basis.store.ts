// SQL of the database's time.
import { instantSql, type Queryable } from '../../../platform/queryable.ts';

export async function databaseTime(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ now: string }>(`SELECT ${instantSql('clock_timestamp()')} AS now`);
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not tell its time');
  return row.now;
}
