// What the tests of the engine share.
import { trigger } from '../../platform/config/trigger-definition.ts';
import { startEngine, type EngineOptions } from '../../subgraphs/workflow/engine/engine.ts';
import type { Execute } from '../../subgraphs/workflow/deps.ts';
import { runOf } from '../../subgraphs/workflow/run-records/new-run.ts';
import { insertRun } from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { adapter } from '../../platform/config/adapter-definition.ts';
import { freshDatabase } from '../testkit/database.ts';
import { pino } from 'pino';

const scope = { env: {}, directory: '/' };

export const PULL = trigger(scope).parse({
  name: 'pull',
  type: 'manual',
  retry: { attempts: 1 },
  action: { type: 'ingest', adapter: 'a' },
  on_success: 'done',
  on_failure: { emit: 'broke' },
});

export const AFTER = trigger(scope).parse({
  name: 'after',
  type: 'internal_event',
  event: 'broke',
  action: { type: 'ingest', adapter: 'none' },
});

export const adapterOf = (source: string) =>
  adapter(scope).parse({ name: 'a', type: 'jsonl', entity_type: 'Sample', source, map: { id: 'row.id' } });

export const log = pino({ level: 'silent' });

export async function bench(execute: Execute, file: string, more: Partial<EngineOptions> = {}) {
  const database = await freshDatabase({ poolSize: 20 });
  const engine = () =>
    startEngine({
      pool: database.pool,
      listen: database.listen,
      executeAs: () => execute,
      triggers: [PULL, AFTER],
      adapters: [adapterOf(file)],
      log,
      sweepMs: 100,
      ...more,
    });
  return {
    database,
    engine,
    queue: (n: number) =>
      Promise.all(
        Array.from({ length: n }, () =>
          insertRun(database.pool, runOf(PULL, { cause: {}, causedBy: 'tick:none' })),
        ),
      ),
    runs: async () =>
      (
        await database.pool.query<{
          id: string;
          name: string;
          status: string;
          errors: { type: string }[];
          cause: Record<string, unknown>;
          records_fetched: number;
          records_failed: number;
        }>(
          'SELECT id, trigger_name AS name, status, errors, cause, records_fetched, records_failed FROM workflow.run ORDER BY queued_at',
        )
      ).rows,
    [Symbol.asyncDispose]: () => database.close(),
  };
}

export const accepts: Execute = async (_, { entities }) => {
  const sent = entities as { data: { id: string } }[];
  return {
    ingestEntities: {
      created: sent.length,
      updated: 0,
      unchanged: 0,
      results: sent.map(({ data }) => ({ id: data.id })),
      errors: [],
    },
  };
};

export const file = async (
  lines: number,
): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> => {
  const { mkdtemp, rm, writeFile } = await import('node:fs/promises');
  const dir = await mkdtemp('/tmp/cairn-engine-');
  await writeFile(`${dir}/a.jsonl`, Array.from({ length: lines }, (_, i) => `{"id":"s${i}"}\n`).join(''));
  return { path: `${dir}/a.jsonl`, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
};
