// PostgreSQL session settings: they are sent with the connection, so that they apply from the first statement.
import type { ClientBase } from 'pg';
import { WRITE_FORMAT } from './write-format.ts';

export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * Settings of every session, whatever the server, the database or the role defaults to: acknowledged writes
 * are on disk; sessions wait for the log's lock and then read the committed state; values have one text
 * format; results of index searches are complete; the database knows which form of the log they write.
 */
export const STEADY_SESSION = {
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  lock_timeout: 0,
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  array_nulls: 'on',
  transform_null_equals: 'off',
  standard_conforming_strings: 'on',
  gin_fuzzy_search_limit: 0,
  'cairn.write_format': WRITE_FORMAT,
} as const satisfies SessionSettings;

const { default_transaction_read_only: _, ...unlessFull } = STEADY_SESSION;
/** For the embedded server, which turns to read-only transactions where its disk is nearly full. */
export const EMBEDDED_SESSION: SessionSettings = unlessFull;

/** Returns the URL with `-c` settings appended to its `options`. */
export function withSessionOptions(url: string, settings: SessionSettings): string {
  const changed = new URL(url);
  const options = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`,
  );
  const given = changed.searchParams.get('options');
  changed.searchParams.set('options', [...(given === null ? [] : [given]), ...options].join(' '));
  // The encoding of a space that all readers of such URLs understand.
  changed.search = changed.search.replaceAll('+', '%20');
  return changed.href;
}

/**
 * Null in a session whose options did not arrive: a pooler takes none, or leaves them out where it is told to. It is
 * empty where a pooler's connection had another client before, whose settings it has reset.
 */
export const ARRIVED = `nullif(current_setting('cairn.write_format', true), '')`;

/** Makes the settings in a session that has begun without them. */
export async function applySettings(client: ClientBase, settings: SessionSettings): Promise<void> {
  await client.query(
    'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS t (name, value)',
    [Object.keys(settings), Object.values(settings).map(String)],
  );
}
