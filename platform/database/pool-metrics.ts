// How the connections of this process's pools are used.
import type pg from 'pg';
import { gauge, type Reading } from '../metrics/process-metrics.ts';

/**
 * `main`: for reads and short statements; `log`: the pipelined ones, for transactions under the log's lock; `replicas`: for
 * reads of standbys.
 */
export type PoolName = 'main' | 'log' | 'replicas';

const pools = new Map<pg.Pool, PoolName>();

/** Counts the pool with those of its name; returns a function that ends it. */
export function countPool(name: PoolName, pool: pg.Pool): () => void {
  pools.set(pool, name);
  return () => {
    pools.delete(pool);
  };
}

function each(read: (pool: pg.Pool) => number): () => readonly Reading[] {
  return () => {
    const sums = new Map<PoolName, number>([
      ['main', 0],
      ['log', 0],
      ['replicas', 0],
    ]);
    for (const [pool, name] of pools) sums.set(name, (sums.get(name) ?? 0) + read(pool));
    return [...sums].map(([pool, value]) => ({ labels: { pool }, value }));
  };
}

const labels = ['pool'];

gauge(
  'cairn_database_connections',
  'Open connections to the database, by pool.',
  each((p) => p.totalCount),
  {
    labels,
  },
);
gauge(
  'cairn_database_connections_used',
  'Connections that work on something, by pool.',
  each((p) => p.totalCount - p.idleCount),
  { labels },
);
gauge(
  'cairn_database_connections_max',
  'Connections that may be opened, by pool.',
  each((p) => p.options.max ?? 0),
  {
    labels,
  },
);
gauge(
  'cairn_database_waiting',
  'Requests that wait for a connection, by pool.',
  each((p) => p.waitingCount),
  { labels },
);
