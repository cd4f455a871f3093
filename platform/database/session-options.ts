// Adds PostgreSQL session settings to a connection URL, so that they apply from the first statement.
import { WRITE_FORMAT } from './write-format.ts';

/**
 * Settings of every session, whatever the server, the database or the role defaults to: acknowledged writes
 * are on disk; sessions wait for the log's lock and then read the committed state; values have one text
 * format; results of index searches are complete; the database knows which form of the log they write.
 */
const STEADY: Readonly<Record<string, string | number>> = {
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
  'cairn.write_format': WRITE_FORMAT,
};

const joined = (settings: typeof STEADY): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

export const STEADY_SESSION = joined(STEADY);

const { default_transaction_read_only: _, ...unlessFull } = STEADY;
/** For the embedded server, which turns to read-only transactions where its disk is nearly full. */
export const EMBEDDED_SESSION = joined(unlessFull);

/** Returns the URL with `-c` settings appended to its `options`. */
export function withSessionOptions(url: string, options: string): string {
  const changed = new URL(url);
  const given = changed.searchParams.get('options');
  changed.searchParams.set('options', given === null ? options : `${given} ${options}`);
  // The encoding of a space that all readers of such URLs understand.
  changed.search = changed.search.replaceAll('+', '%20');
  return changed.href;
}
