// Puts PostgreSQL session settings into a connection URL, so that whoever connects with it has them from the first statement.

/**
 * What every session of ours has, whatever the server, the database or the role has been set to: what is acknowledged is on disk; the log's lock is
 * waited for, and what is read under it is what is there; values are read and written in one form; no result is thinned out.
 */
export const STEADY_SESSION = Object.entries({
  synchronous_commit: 'on',
  default_transaction_isolation: 'read\\ committed',
  default_transaction_read_only: 'off',
  lock_timeout: '0',
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  array_nulls: 'on',
  transform_null_equals: 'off',
  standard_conforming_strings: 'on',
  gin_fuzzy_search_limit: '0',
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** The URL with `-c` settings appended to its `options`. */
export function withSessionOptions(url: string, options: string): string {
  const changed = new URL(url);
  const given = changed.searchParams.get('options');
  changed.searchParams.set('options', given === null ? options : `${given} ${options}`);
  changed.search = changed.search.replaceAll('+', '%20'); // the form of a space that every reader of such URLs understands
  return changed.href;
}
