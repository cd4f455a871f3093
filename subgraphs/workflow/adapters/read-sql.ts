// Records of a PostgreSQL query, a thousand at a time through a cursor, in a transaction that can only read
// (docs/reference/workflow.md#sql-adapter).
import pg from 'pg';
import Cursor from 'pg-cursor';
import type { AdapterOf } from '../../../platform/config/adapter-definition.ts';
import { parseJson } from '../../../platform/json.ts';
import { AdapterFetchError, type AdapterRecord, messageOf, type Pull, type ReadRecords } from './adapter.ts';

const ROWS_AT_ONCE = 1000;
const CONNECT_MS = 15_000;

type SqlAdapter = Pick<AdapterOf<'sql'>, 'url' | 'query' | 'timeoutSeconds'>;

/** Text, identifiers, comments and casts, in which `:since` means nothing, or the parameter itself. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$.*?\$\1\$|--[^\n]*|\/\*.*?\*\/|::|:since\b/gs;

export const takesSinceParameter = (query: string): boolean =>
  query.match(PARTS)?.some((part) => part === ':since') ?? false;

/**
 * The query with its parameter numbered, each row as JSON: what PostgreSQL's types are in JSON is
 * PostgreSQL's to say.
 */
export function asJsonRows(query: string): string {
  const numbered = query
    .trim()
    .replace(/;\s*$/, '')
    .replace(PARTS, (part) => (part === ':since' ? '$1' : part));
  return `SELECT row_to_json(record)::text AS row FROM (${numbered}\n) record`;
}

function recordOf(text: string): AdapterRecord {
  try {
    return { row: parseJson(text) };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

async function* rowsOf(
  { url, query, timeoutSeconds }: SqlAdapter,
  { since, signal }: Pull,
): AsyncGenerator<AdapterRecord> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'cairn adapter',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  const abort = (): void => {
    void client.end();
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    await client.connect();
    await client.query('BEGIN TRANSACTION READ ONLY');
    await client.query(
      `SELECT set_config('statement_timeout', $1, true), set_config('timezone', 'UTC', true)`,
      [String(timeoutSeconds * 1000)],
    );
    // before the first run there is no time, and everything is after the earliest
    const cursor = client.query(
      new Cursor<{ row: string }>(
        asJsonRows(query),
        takesSinceParameter(query) ? [since ?? '-infinity'] : [],
      ),
    );
    for (
      let rows = await cursor.read(ROWS_AT_ONCE);
      rows.length > 0;
      rows = await cursor.read(ROWS_AT_ONCE)
    ) {
      for (const { row } of rows) yield recordOf(row);
    }
    await cursor.close();
  } catch (error) {
    signal.throwIfAborted();
    throw new AdapterFetchError(`the source could not be read: ${messageOf(lost ?? error)}`, {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', abort);
    client.end().catch(() => undefined); // it is only read from, and may be gone already
  }
}

export const sqlReader =
  (adapter: SqlAdapter): ReadRecords =>
  (pull) =>
    rowsOf(adapter, pull);
