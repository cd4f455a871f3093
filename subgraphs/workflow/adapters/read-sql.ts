// Records of a PostgreSQL query, a thousand at a time through a cursor, in a read-only transaction
// (docs/reference/workflow.md#sql-adapter).
import pg from 'pg';
import Cursor from 'pg-cursor';
import type { AdapterOf } from '../../../platform/config/adapter-definition.ts';
import { parseJson } from '../../../platform/json.ts';
import { AdapterFetchError, type AdapterRecord, messageOf, type Pull, type ReadRecords } from './adapter.ts';

const ROWS_AT_ONCE = 1000;
const CONNECT_MS = 15_000;

type SqlAdapter = Pick<AdapterOf<'sql'>, 'url' | 'query' | 'timeoutSeconds'>;

/** Text, identifiers, comments and casts, in which `:since` is not a parameter, or the parameter itself. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$.*?\$\1\$|--[^\n]*|\/\*.*?\*\/|::|:since\b/gs;

export const takesSinceParameter = (query: string): boolean =>
  query.match(PARTS)?.some((part) => part === ':since') ?? false;

/** The query with its parameter numbered, each row as JSON, so that PostgreSQL converts its own types. */
function asJsonRows(query: string): string {
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
    // the first run has no time: everything is later than the earliest instant
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
    // the transaction is read-only, and the connection may be closed already
    client.end().catch(() => undefined);
  }
}

export const sqlReader =
  (adapter: SqlAdapter): ReadRecords =>
  (pull) =>
    rowsOf(adapter, pull);
