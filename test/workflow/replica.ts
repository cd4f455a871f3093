// A separate process that runs triggers over a database, until it is killed: node scripts/run.mjs <this file>
// <database URL> <source file>
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { adapter } from '../../platform/config/adapter-definition.ts';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { connectDatabase } from '../../platform/database/connect.ts';
import { startWorkflow } from '../../subgraphs/workflow/engine/start-workflow.ts';
import type { Execute } from '../../subgraphs/workflow/deps.ts';

const [url = '', source = ''] = process.argv.slice(2);
const log = pino({ level: 'fatal' });
const database = connectDatabase({ url, applicationName: 'replica', poolSize: 6, log });
const scope = { env: {}, directory: '/' };
const configuration = 'the same for all';
const ingest = { type: 'ingest', adapter: 'a' };

/** The platform for a test: slow, and records what a run has written. */
const execute: Execute = async (_, variables) => {
  await sleep(50 + Math.random() * 300);
  const { run_id: runId } = JSON.parse(String(variables['context'])) as { run_id: string };
  await database.pool.query('INSERT INTO public.effect (run_id, pid) VALUES ($1, $2)', [runId, process.pid]);
  return {
    ingestEntities: { created: 1, updated: 0, unchanged: 0, results: [{ id: `of-${runId}` }], errors: [] },
  };
};

await startWorkflow({
  pool: database.pool,
  listen: database.listen,
  executeAs: () => execute,
  executeAsAdmin: execute,
  log,
  leaseMs: 2000,
  sweepMs: 300,
  adapters: [
    adapter(scope).parse({ name: 'a', type: 'jsonl', entity_type: 'Sample', source, map: { id: 'row.id' } }),
  ],
  configuration,
  triggers: [
    trigger(scope).parse({
      name: 'tick',
      type: 'schedule',
      schedule: '* * * * * *',
      action: ingest,
      on_success: 'went',
      on_failure: { emit: 'broke' },
    }),
    trigger(scope).parse({ name: 'went', type: 'internal_event', event: 'went', action: ingest }),
    trigger(scope).parse({ name: 'broke', type: 'internal_event', event: 'broke', action: ingest }),
  ].map((one) => ({ ...one, configuration })),
});
console.log('ready');
