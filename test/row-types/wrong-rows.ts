// Statements whose row types and values are not what the database says, each in one way: what the check has to
// find. Nothing runs them.
import type { Queryable } from '../../platform/queryable.ts';

const WHERE = 'WHERE name = $1';

export const wrongColumn = (db: Queryable) =>
  db.query<{ label: string }>(`SELECT name FROM gateway.gateway_user ${WHERE}`, ['a']);

export const missingColumn = (db: Queryable) =>
  db.query<{ name: string; roles: string[] }>(`SELECT name FROM gateway.gateway_user ${WHERE}`, ['a']);

export const wrongType = (db: Queryable) =>
  db.query<{ name: number; roles: string; all_projects: string; created_at: string }>(
    'SELECT name, roles, all_projects, created_at FROM gateway.gateway_user',
  );

export const bigNumber = (db: Queryable) =>
  db.query<{ n: number }>('SELECT count(*) AS n FROM gateway.api_key');

export const mayBeNull = (db: Queryable) =>
  db.query<{ owner: string; project: string }>('SELECT owner, project FROM gateway.api_key');

export const wrongValue = (db: Queryable, name: number) =>
  db.query<{ name: string }>(`SELECT name FROM gateway.gateway_user ${WHERE}`, [name]);

export const tooManyValues = (db: Queryable) =>
  db.query<{ name: string }>(`SELECT name FROM gateway.gateway_user ${WHERE}`, ['a', 'b']);

export const noSuchTable = (db: Queryable) => db.query<{ name: string }>('SELECT name FROM gateway.user');

/** One of both texts is right. */
export const oneOfTwo = (db: Queryable, at: string | null) =>
  db.query<{ name: string }>(`SELECT ${at === null ? 'name' : 'id'} FROM gateway.gateway_user`);

export const composed = (db: Queryable, column: string) =>
  db.query<{ name: string }>(`SELECT ${column} FROM gateway.gateway_user`);
