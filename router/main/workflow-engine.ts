// Runs the workflow's engine beside the router, over the shared database.
import type { Logger } from 'pino';
import type { PreparedOperation } from '../../platform/component.ts';
import type { StandingRights } from '../../platform/acting.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { RestApi } from '../../platform/request-context.ts';
import { ensureCursorSchema } from '../../subgraphs/workflow/cursors/metadata-cursors.ts';
import type { Engine } from '../../subgraphs/workflow/engine/engine.ts';
import {
  configuredTriggers,
  engineSettings,
  runsApart,
} from '../../subgraphs/workflow/engine/engine-settings.ts';
import { startWorkflow } from '../../subgraphs/workflow/engine/start-workflow.ts';
import { isPolling } from '../../subgraphs/workflow/polls/poll-trigger.ts';
import { withWebhooks } from '../../subgraphs/workflow/webhooks/webhook-api.ts';
import { actAsWorkflow, askAsWorkflow } from './ask-as-workflow.ts';

export interface WorkflowEngineOptions {
  readonly config: Config;
  readonly database: Database;
  readonly ask: (document: string) => PreparedOperation;
  readonly standing: StandingRights;
  readonly log: Logger;
}

/** If a workflow component runs its triggers itself, only the schema of poll cursors is registered here. */
export async function startWorkflowEngine({
  config,
  database,
  ask,
  standing,
  log,
}: WorkflowEngineOptions): Promise<Engine | undefined> {
  if (config.components.workflow.kind === 'rest') return undefined;
  const [execute, executeAsAdmin] = [askAsWorkflow(ask), askAsWorkflow(ask, 'admin')];
  if (runsApart(config)) {
    if (config.workflow.triggers.some(isPolling)) {
      await ensureCursorSchema(execute, executeAsAdmin).catch((err: unknown) => {
        log.warn({ err }, 'the schema of poll cursors could not be created: polling waits for it');
      });
    }
    return undefined;
  }
  return startWorkflow({
    pool: database.pool,
    listen: database.listen,
    watch: (vital) => database.liveness.watch(vital),
    executeAs: actAsWorkflow(ask, standing),
    executeAsAdmin,
    log: log.child({ component: 'workflow' }),
    ...engineSettings(config),
  });
}

/** The client as which a workflow component that runs its triggers itself asks the router. */
export const workflowClientOf = (config: Config): string | undefined =>
  runsApart(config) ? config.workflow.router?.clientId : undefined;

/**
 * The REST APIs, with the workflow's webhooks among its paths. A foreign workflow component receives its own.
 */
export function withWebhookPaths(
  restApis: Readonly<Record<string, RestApi>>,
  { config, database, log }: Omit<WorkflowEngineOptions, 'ask' | 'standing'>,
): Readonly<Record<string, RestApi>> {
  const { workflow } = restApis;
  if (!workflow || config.components.workflow.kind === 'rest') return restApis;
  const restApi = withWebhooks({
    restApi: workflow,
    prefix: '/api/v1/workflow',
    triggers: configuredTriggers(config),
    pool: database.pool,
    log: log.child({ component: 'workflow' }),
  });
  return { ...restApis, workflow: restApi };
}
