// A workflow component over a fresh database, with rows as a running engine writes them.
import type { PoolClient } from 'pg';
import { trigger } from '../../platform/config/trigger-definition.ts';
import type { Caller } from '../../platform/identity.ts';
import type { LocalComponent } from '../../platform/subgraph.ts';
import { createWorkflowComponent } from '../../subgraphs/workflow/component.ts';
import type { WorkflowDeps } from '../../subgraphs/workflow/noun.ts';
import { viewer } from '../testkit/callers.ts';
import { notingPool } from '../testkit/noting-pool.ts';
import { asSuperuser, freshDatabase, testLog } from '../testkit/database.ts';

const configured = trigger({ env: { LAB_SECRET: 'hush-hush' }, directory: '/' });

const TRIGGERS = [
  {
    name: 'nightly',
    type: 'schedule',
    schedule: '0 3 * * *',
    action: { type: 'ingest', adapter: 'samples', incremental: true },
    on_success: 'samples-in',
  },
  { name: 'by-hand', type: 'manual', action: { type: 'ingest', adapter: 'samples' } },
  {
    name: 'after-samples',
    type: 'internal_event',
    event: 'samples-in',
    action: { type: 'resolve', entity_type: 'Report', criteria: { kind: 'daily' } },
    on_failure: { emit: 'no-report' },
  },
  {
    name: 'from-lab',
    type: 'webhook',
    path: 'hooks/lab',
    secret_env: 'LAB_SECRET',
    when: 'event.done',
    action: { type: 'ingest', adapter: 'samples' },
  },
  {
    name: 'new-samples',
    type: 'metadata_poll',
    poll: { entity_type: 'Sample', filter: 'data.qc == "pass"' },
    action: { type: 'resolve', entity_type: 'Report', criteria: { sample: '{entity.id}' } },
  },
].map((definition) => configured.parse(definition));

export interface SeededRun {
  readonly id: string;
  readonly trigger?: string | null;
  readonly status?: string;
  readonly queuedAt?: string;
  readonly project?: string | null;
  /** Projects in which it acted; null: all. */
  readonly actsIn?: readonly string[] | null;
  readonly entities?: readonly string[];
}

/** An answer's data as a client reads it: a wrong assumption about its shape fails the test. */
export type Answer = Record<string, ReturnType<typeof JSON.parse>>;

export interface WorkflowBench extends AsyncDisposable {
  readonly component: LocalComponent;
  readonly statements: string[];
  seed(...runs: readonly SeededRun[]): Promise<void>;
  sql(text: string, values?: unknown[]): Promise<void>;
  /** A connection of its own, to be released. */
  connect(): Promise<PoolClient>;
  /** The same with the rights of the owner. */
  asOwner(text: string): Promise<void>;
  /** Runs an operation; throws the first error with its code and text. */
  ask(source: string, variables?: Record<string, unknown>, caller?: Caller): Promise<Answer>;
  /** The answer's extensions. */
  warnings(source: string, variables?: Record<string, unknown>): Promise<readonly string[] | undefined>;
}

export async function workflowBench(
  options: Partial<Pick<WorkflowDeps, 'cursors'>> = {},
): Promise<WorkflowBench> {
  const database = await freshDatabase();
  const statements: string[] = [];
  const component = createWorkflowComponent({
    database: { pool: notingPool(database.pool, statements), listen: database.listen },
    log: testLog,
    triggers: TRIGGERS,
    ...options,
  });
  const sql = async (text: string, values?: unknown[]): Promise<void> => {
    await database.pool.query(text, values);
  };
  return {
    component,
    statements,
    sql,
    connect: () => database.pool.connect(),
    async asOwner(text) {
      const { rows } = await database.pool.query<{ name: string }>('SELECT current_database() AS name');
      await asSuperuser(text, rows[0]?.name);
    },
    async seed(...runs) {
      for (const {
        id,
        trigger: name = 'nightly',
        status = 'success',
        queuedAt = '2026-01-31T09:30:00.123456Z',
        project = null,
        actsIn = project === null ? null : [project],
        entities = [],
      } of runs) {
        await sql(
          `INSERT INTO workflow.run (id, trigger_name, trigger_type, action, cause, status, queued_at, actor, project, acts_projects)
           VALUES ($1, $2, $3, '{"type":"ingest","adapter":"samples"}', '{"tick":"2026-01-31T03:00:00Z"}', $4, $5, 'service:workflow', $6, $7)`,
          [id, name, name === null ? null : 'schedule', status, queuedAt, project, actsIn],
        );
        for (const entity of entities)
          await sql('INSERT INTO workflow.run_entity (run_id, entity_id) VALUES ($1, $2)', [id, entity]);
      }
    },
    async ask(source, variables = {}, caller = viewer) {
      const { data, errors } = await component.prepare(source)(variables, caller);
      const error = errors?.[0];
      if (error) throw new Error(`${String(error.extensions?.['code'])}: ${error.message}`);
      return data ?? {};
    },
    warnings: async (source, variables = {}) =>
      (await component.prepare(source)(variables, viewer)).extensions?.warnings,
    [Symbol.asyncDispose]: () => database.close(),
  };
}
