// Whether connections lead to sessions of their own. A pooler between this process and PostgreSQL may give the session
// to somebody else after each transaction: locks, settings and notifications would be somebody else's.
import pg from 'pg';
import { DomainError } from '../errors.ts';

/** Two clients in turn: another order for each way in which a pooler chooses among its connections. */
const TURNS = [0, 1, 0, 0, 1, 1, 0, 1] as const;
const WAIT_MS = 15_000;

/** @throws DomainError `component_unavailable` where sessions change between transactions, or there is only one */
export async function assertOwnSessions(connectionString: string): Promise<void> {
  const clients = [0, 1].map(() => {
    const client = new pg.Client({
      connectionString,
      application_name: 'cairn boot',
      connectionTimeoutMillis: WAIT_MS,
      query_timeout: WAIT_MS,
    });
    client.on('error', () => undefined); // told by the statement that fails
    return client;
  });
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const seen: Set<number>[] = [new Set(), new Set()];
    for (const turn of TURNS) {
      const answer = await clients[turn]?.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      for (const { pid } of answer?.rows ?? []) seen[turn]?.add(pid);
    }
    if (seen.some(({ size }) => size !== 1) || new Set(seen.flatMap((pids) => [...pids])).size !== 2)
      throw new DomainError(
        'component_unavailable',
        'database.url leads to a pooler that gives a session to others after each transaction or statement: locks, settings and notifications need sessions of their own; set its pool_mode to session, or name PostgreSQL itself',
      );
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined))); // not connected: nothing to end
  }
}
