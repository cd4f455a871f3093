// Asks the server over a connection of its own, which shows whether it is the server that does not answer, or the way to it.
import pg from 'pg';

interface AskAside {
  readonly url: string;
  readonly applicationName: string;
  /** How long the server has to answer. */
  readonly askMs: number;
}

/**
 * Undefined where the server does not answer. What sessions do is told to the role that has logged in, and not to the one that
 * it has become: so it is asked as that one, in a transaction that is left by closing the connection, of which a pooler keeps
 * nothing.
 */
export async function askAside<T>(
  { url, applicationName, askMs }: AskAside,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: askMs,
    query_timeout: askMs,
  });
  client.on('error', () => undefined); // told by the statement's own failure
  try {
    await client.connect();
    await client.query('BEGIN READ ONLY; SET LOCAL ROLE NONE');
    return await ask(client);
  } catch {
    return undefined;
  } finally {
    void client.end().catch(() => undefined);
  }
}
