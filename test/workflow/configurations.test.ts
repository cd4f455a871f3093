// During a reload, a run is worked with the configuration it was queued under (docs/decisions/0024).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adapter } from '../../platform/config/adapter-definition.ts';
import { parseConfig } from '../../platform/config/load-config.ts';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { packConfig, unpackConfig } from '../../router/main/workers/portable-config.ts';
import { configurationOf } from '../../subgraphs/workflow/engine/configuration.ts';
import { startEngine } from '../../subgraphs/workflow/engine/engine.ts';
import { showEngine } from '../../subgraphs/workflow/engine/engines.store.ts';
import type { Execute } from '../../subgraphs/workflow/deps.ts';
import { runOf } from '../../subgraphs/workflow/run-records/new-run.ts';
import { claimRuns, insertRun } from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { freshDatabase } from '../testkit/database.ts';
import { eventually } from './workflow-server.ts';

const log = pino({ level: 'silent' });
const scope = { env: {}, directory: '/' };
let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-configurations-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** Workers for configurations with equal names, whose adapters deliver the configuration's own name. */
async function bench() {
  const database = await freshDatabase();
  const worked: Record<string, string> = {};
  const execute: Execute = async (_, { entities, context }) => {
    const [{ data } = { data: { id: '' } }] = entities as { data: { id: string } }[];
    worked[(JSON.parse(String(context)) as { run_id: string }).run_id] = data.id;
    return {
      ingestEntities: { created: 1, updated: 0, unchanged: 0, results: [{ id: data.id }], errors: [] },
    };
  };
  const pull = (configuration: string) => ({
    ...trigger(scope).parse({
      name: 'pull',
      type: 'manual',
      action: { type: 'ingest', adapter: 'a' },
      retry: { attempts: 1 },
      on_failure: { emit: 'lost' },
    }),
    configuration,
  });
  const told = (configuration: string) => ({
    ...trigger(scope).parse({
      name: `told-${configuration}`,
      type: 'internal_event',
      event: 'lost',
      action: { type: 'ingest', adapter: 'a' },
    }),
    configuration,
  });
  return {
    database,
    worked,
    async engine(configuration: string) {
      const source = path.join(dir, `${configuration}.jsonl`);
      await writeFile(source, `{"id":"${configuration}"}\n`);
      return startEngine({
        pool: database.pool,
        listen: database.listen,
        executeAs: () => execute,
        log,
        sweepMs: 100,
        configuration,
        triggers: [pull(configuration), told(configuration)],
        adapters: [
          adapter(scope).parse({
            name: 'a',
            type: 'jsonl',
            entity_type: 'Sample',
            source,
            map: { id: 'row.id' },
          }),
        ],
      });
    },
    async queue(configuration: string, n: number): Promise<string[]> {
      const runs = Array.from({ length: n }, () =>
        runOf(pull(configuration), { cause: {}, causedBy: 'tick:none' }),
      );
      for (const run of runs) await insertRun(database.pool, run);
      return runs.map((run) => run.id);
    },
    runs: async () =>
      (
        await database.pool.query<{ id: string; trigger: string; status: string }>(
          'SELECT id, trigger_name AS trigger, status FROM workflow.run ORDER BY queued_at',
        )
      ).rows,
    [Symbol.asyncDispose]: () => database.close(),
  };
}
const over = (runs: readonly { readonly status: string }[]): boolean =>
  runs.every((run) => !['queued', 'running'].includes(run.status));

test("each configuration's runs are worked by who runs by it; those of one that nobody runs by any more, by anybody", async () => {
  await using it = await bench();
  const [a, b] = [await it.engine('a'), await it.engine('b')];
  const [ofA, ofB] = await Promise.all([it.queue('a', 12), it.queue('b', 12)]);
  await eventually(it.runs, over);
  expect(it.worked).toEqual(
    Object.fromEntries([...ofA.map((id) => [id, 'a']), ...ofB.map((id) => [id, 'b'])]),
  );
  await b.close();
  const [left] = await it.queue('b', 1);
  await eventually(it.runs, over);
  expect(it.worked[left ?? '']).toBe('a');
  await a.close();
});

test("a run waits while its configuration is somebody's, though others are free; one who was killed is not waited for", async () => {
  await using it = await bench();
  const { pool } = it.database;
  await showEngine(pool, 'busy', 'b');
  await pool.query("UPDATE workflow.engine SET seen_at = clock_timestamp() + interval '1 hour'");
  const a = await it.engine('a');
  const [waits] = await it.queue('b', 1);
  await it.queue('a', 3);
  await eventually(it.runs, (runs) => runs.filter((run) => run.status === 'success').length === 3);
  expect((await it.runs()).find((run) => run.id === waits)?.status).toBe('queued');
  await pool.query(
    "UPDATE workflow.engine SET seen_at = clock_timestamp() - interval '21 seconds' WHERE owner = 'busy'",
  ); // it was killed
  await eventually(it.runs, over);
  expect(it.worked[waits ?? '']).toBe('a');
  await a.close();
});

test('a run whose worker has died is failed, and followed, by its own configuration', async () => {
  await using it = await bench();
  const { pool } = it.database;
  const a = await it.engine('a');
  await showEngine(pool, 'dies', 'b');
  await pool.query(
    "UPDATE workflow.engine SET seen_at = clock_timestamp() + interval '1 hour' WHERE owner = 'dies'",
  );
  const [lost] = await it.queue('b', 1);
  await claimRuns(pool, { owner: 'dies', configuration: 'b' }, { most: 1, leaseMs: 1 });
  const b = await it.engine('b');
  const runs = await eventually(it.runs, (all) => all.length === 2 && over(all));
  expect(runs.map((run) => [run.trigger, run.status])).toEqual([
    ['pull', 'failed'],
    ['told-b', 'success'],
  ]);
  expect(runs[0]?.id).toBe(lost);
  await a.close();
  await b.close();
});

const YAML = (source: string, order = false): string => {
  const triggers = [
    '{name: one, type: manual, action: {type: ingest, adapter: a}}',
    '{name: two, type: webhook, path: /w, secret_env: S, action: {type: resolve, entity_type: E, criteria: {a: 1, b: 2}}}',
  ];
  return `workflow:
  triggers: [${(order ? triggers.reverse() : triggers).join(', ')}]
  adapters: [{name: a, type: csv, entity_type: E, source: ${source}, map: {id: row.id}}]
`;
};
const workflowOf = (yaml: string, file: string) =>
  parseConfig(yaml, `/x/${file}`, { env: { S: 's' }, cwd: '/x' });

test('a configuration is the same in another order, another file and another process; and another one where an adapter reads elsewhere', () => {
  const first = workflowOf(YAML('a.csv'), 'gateway.yaml');
  const one = configurationOf(first.workflow);
  expect(configurationOf(workflowOf(`\n${YAML('a.csv', true)}`, 'other.yaml').workflow)).toBe(one);
  expect(configurationOf(unpackConfig(JSON.parse(JSON.stringify(packConfig(first)))).workflow)).toBe(one);
  expect(configurationOf(workflowOf(YAML('b.csv'), 'gateway.yaml').workflow)).not.toBe(one);
});
