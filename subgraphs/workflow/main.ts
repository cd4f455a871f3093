// Serves the workflow component by itself: `cairn start workflow`.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { openForComponent } from '../../platform/database/open-for-component.ts';
import { FACES } from '../../rest-compat/faces.ts';
import { type RunningComponent, serveConfigured } from '../../rest-compat/serve-configured.ts';
import { createWorkflowComponent } from './component.ts';
import { workflowPermissions } from './permissions.ts';

export async function startComponent({ config, log }: { config: Config; log: Logger }): Promise<RunningComponent> {
  const database = await openForComponent('workflow', config, log);
  const component = createWorkflowComponent({ database, log, triggers: config.workflow.triggers, adapters: config.workflow.adapters });
  return serveConfigured({ component, face: FACES.workflow, permissions: workflowPermissions, config, log, onClose: () => database.close() });
}
