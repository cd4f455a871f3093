// Workflow and artifact over one fresh database, asked of the present and of the past.
import { expect } from 'vitest';
import type { Pool } from 'pg';
import { parseConfig } from '../../platform/config/load-config.ts';
import type { Caller } from '../../platform/identity.ts';
import { createArtifactComponent } from '../../subgraphs/artifact/component.ts';
import { askNobody } from '../../subgraphs/artifact/platform-port.ts';
import { createWorkflowComponent } from '../../subgraphs/workflow/component.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { ENTITIES, prepareHistory } from './past-history.ts';
import { type Read, readsOf, readsOfEntities } from './past-reads.ts';

export interface PastBench extends AsyncDisposable {
  readonly pool: Pool;
  /** The database's time. */
  readonly now: () => Promise<string>;
  /** As of the argument or, as the router does, as of the `whole` operation; of the present for null. */
  readonly answer: (read: Read, caller: Caller, asOf: string | null, whole?: boolean) => Promise<string>;
  /** All kinds of reads, of some runs and productions by their ids. */
  readonly reads: () => Promise<Read[]>;
}

export async function pastBench(): Promise<PastBench> {
  const database = await freshDatabase();
  const { pool, listen } = database;
  await prepareHistory(pool);
  const components = {
    workflow: createWorkflowComponent({ database: { pool, listen }, log: testLog, triggers: [] }),
    artifact: createArtifactComponent({
      database: { pool, listen },
      log: testLog,
      ask: askNobody,
      standing: (acting) => Promise.resolve(acting),
      workDirectory: '/nowhere/runs',
      publicUrl: () => 'https://cairn.test',
      settings: parseConfig('', '/nowhere/gateway.yaml', { env: {}, cwd: '/nowhere' }).artifact,
    }),
  };
  const now = async (): Promise<string> => {
    const { rows } = await pool.query<{ at: string }>(
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
    );
    return rows[0]?.at ?? '';
  };
  const answer = async (
    { component, document, variables }: Read,
    caller: Caller,
    asOf: string | null,
    whole = false,
  ): Promise<string> => {
    const own = asOf === null || !whole ? { ...variables, asOf } : variables;
    const { data, errors } = await components[component].prepare(document)(
      own,
      asOf !== null && whole ? { ...caller, asOf } : caller,
    );
    expect(errors, document).toBeUndefined();
    // a cursor of the past contains its time: only its presence is compared
    return JSON.stringify(data, (key, value: unknown) => (key === 'nextCursor' ? value !== null : value));
  };
  const reads = async (): Promise<Read[]> => {
    const ids = async (table: string): Promise<string[]> =>
      (await pool.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY random() LIMIT 3`)).rows.map(
        ({ id }) => id,
      );
    const some = { runs: await ids('workflow.run'), productions: await ids('artifact.production') };
    return [...readsOf(some), ...readsOfEntities(ENTITIES)];
  };
  return { pool, now, answer, reads, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}
