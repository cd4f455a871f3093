// Processes that read from hot standbys, and what their metrics tell of them.
import pg from 'pg';
import { expect } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { ownRegistry } from '../../platform/metrics/process-metrics.ts';
import { testLog } from './database.ts';
import { metadataOver } from './metadata.ts';

export type ReadingProcess = Awaited<ReturnType<typeof metadataOver<Database>>>;

/** Metadata over the database at `url`, with `database.read_urls` and `database.read_max_lag_ms`. */
export async function processReading(
  url: string,
  replicas: readonly string[] = [],
  maxLagMs = 0,
): Promise<ReadingProcess> {
  const database = await openDatabase({
    url,
    dataDir: '/nonexistent',
    applicationName: 'cairn test',
    log: testLog,
    replicas: { urls: replicas, maxLagMs },
  });
  return metadataOver(database, () => database.close());
}

export async function runOn(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const one of statements) await client.query(one);
  await client.end();
}

const valuesOf = async (name: string) => (await ownRegistry.getSingleMetric(name)?.get())?.values ?? [];

/** The state of the replica with this URL; undefined where none is known. */
export async function replicaState(url: string): Promise<unknown> {
  const values = await valuesOf('cairn_database_replicas');
  return values.find(({ labels, value }) => labels['replica'] === new URL(url).host && value === 1)?.labels[
    'state'
  ];
}

/** Reads that were answered by a `replica`, or by the `primary`. */
export const takenBy = async (by: string): Promise<number> =>
  (await valuesOf('cairn_database_reads_total')).find(({ labels }) => labels['by'] === by)?.value ?? 0;

/** Asks again until the replica with this URL has the state. */
export const untilReplicaIs = (
  state: string,
  url: string,
  by: ReadingProcess,
  query: string,
): Promise<void> =>
  expect
    .poll(
      async () => {
        await by.ask(query);
        return replicaState(url);
      },
      { timeout: 45_000 }, // a machine that others use may be late by as much
    )
    .toBe(state);
