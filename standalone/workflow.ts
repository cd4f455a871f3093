// Serves the workflow component on its own: `cairn start workflow`. If the access to the router is
// configured, its triggers run here too.
import type { Logger } from 'pino';
import { asConfigured } from '../platform/acting.ts';
import { askComponent } from '../platform/ask-component.ts';
import type { Config } from '../platform/config/load-config.ts';
import {
  closeStore,
  type ComponentStore,
  openComponentStore,
} from '../platform/component-database/open-for-component.ts';
import { createIdentitySigner } from '../platform/signed-identity/identity-signer.ts';
import { REST_API_KINDS } from '../rest-compat/rest-apis.ts';
import { type Configured, type RunningComponent, serveConfigured } from '../rest-compat/serve-configured.ts';
import { askRouter } from '../subgraphs/workflow/ask-router.ts';
import { createWorkflowComponent } from '../subgraphs/workflow/component.ts';
import { metadataCursors } from '../subgraphs/workflow/cursors/metadata-cursors.ts';
import type { ExecuteAs } from '../subgraphs/workflow/deps.ts';
import { engineSettings } from '../subgraphs/workflow/engine/engine-settings.ts';
import { startWorkflow } from '../subgraphs/workflow/engine/start-workflow.ts';
import { executeWith } from '../subgraphs/workflow/execute-with.ts';
import { workflowPermissions } from '../subgraphs/workflow/nouns.ts';
import { ServiceToken } from '../subgraphs/workflow/service-token.ts';
import { withWebhooks } from '../subgraphs/workflow/webhooks/webhook-api.ts';

/** Access to the router; null if the router runs the triggers itself. */
function routerOf(config: Config): ExecuteAs | null {
  const { router } = config.workflow;
  if (!router) return null;
  const { url, clientId, secret, timeoutSeconds } = router;
  const timeoutMs = timeoutSeconds * 1000;
  return askRouter({ url, timeoutMs, token: new ServiceToken({ url, clientId, secret, timeoutMs }) });
}

async function configured(
  config: Config,
  log: Logger,
  { database, keys }: ComponentStore,
): Promise<Configured> {
  const { triggers, adapters, configuration } = engineSettings(config);
  const executeAs = routerOf(config);
  const execute = executeAs?.(asConfigured('*')) ?? null;
  const { url, timeoutMs } = config.components.metadata;
  const sign = createIdentitySigner({ keys, issuer: () => config.auth.issuer ?? 'cairn' });
  const ask = url === undefined ? undefined : askComponent(url, timeoutMs, sign);
  const component = createWorkflowComponent({
    database,
    log,
    triggers,
    adapters,
    configuration,
    ...(execute ? { cursors: metadataCursors(execute) } : {}),
    ...(ask ? { executeAs: (caller) => executeWith(ask, () => caller), asksMetadataAlone: true } : {}),
  });
  const engine =
    executeAs &&
    execute &&
    (await startWorkflow({
      pool: database.pool,
      listen: database.listen,
      watch: (vital) => database.liveness.watch(vital),
      executeAs,
      log,
      ...engineSettings(config),
      // the router registers the cursors' schema; this process has no administrator rights
      executeAsAdmin: execute,
    }));
  return {
    component,
    restApi: REST_API_KINDS.workflow,
    permissions: workflowPermissions,
    database,
    keys,
    wrap: (restApi) => withWebhooks({ restApi, prefix: '', triggers, pool: database.pool, log }),
    onClose: async () => {
      await engine?.close();
      await closeStore({ database, keys });
    },
  };
}

export const startComponent = ({
  config,
  log,
  signal,
}: {
  config: Config;
  log: Logger;
  signal?: AbortSignal;
}): Promise<RunningComponent> =>
  serveConfigured(
    async (current) => {
      const store = await openComponentStore('workflow', current, log, signal);
      return configured(current, log, store).catch(async (error: unknown) => {
        await closeStore(store);
        throw error;
      });
    },
    config,
    log,
  );
